// A twin as a process of its own, for being killed: starts on the folder it is told, says where it serves and for whom, and
// runs until it dies. Owns: nothing; what it serves is in the folder.
import { demoSecretName } from '../../local/demo/registration-parts.ts';
import { startTwin } from '../../local/twin.ts';
import type { ChildOrders, ChildWord } from './process.ts';

const orders: ChildOrders = JSON.parse(process.argv[2] ?? '{}');
const { dataDir, scripts, environment, demoToken } = orders;

const twin = await startTwin({
  dataDir,
  port: 0,
  synchronous: 'NORMAL',
  scripts,
  environment,
  secrets: { [demoSecretName]: demoToken },
});
const word: ChildWord = { url: twin.url, token: await twin.token('ana') };
process.stdout.write(`${JSON.stringify(word)}\n`);
