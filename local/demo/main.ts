// The command: `node local/demo/main.ts --data DIR --port N --secret TOKEN`. Runs the demo destinations as a process of
// their own, until it is told to stop or a fault makes it die.
import { parseArgs } from 'node:util';
import { startDemo } from './server.ts';

const usage =
  'Usage: node local/demo/main.ts --data DIR --port N --secret TOKEN [--retention-hours N]\n' +
  'The token may come in REPRISE_DEMO_SECRET instead, which keeps it out of the list of processes.\n';

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      secret: { type: 'string' },
      'retention-hours': { type: 'string', default: '24' },
    },
  });
  const secret = values.secret ?? process.env.REPRISE_DEMO_SECRET;
  const port = Number(values.port);
  const hours = Number(values['retention-hours']);
  if (!values.data || !secret || !Number.isInteger(port) || !(hours >= 0)) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const demo = await startDemo({
    dataDir: values.data,
    port,
    secret,
    keyRetentionMs: Math.round(hours * 3_600_000),
    die: () => process.kill(process.pid, 'SIGKILL'),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void demo.close());
  // Last, so that whoever waits for this line may end the process at once.
  process.stdout.write(`Demo destinations at ${demo.url}\n`);
};

main().catch((cause: Error) => {
  process.stderr.write(
    `The demo destinations could not start: ${cause.message}. Check --port and --data.\n`,
  );
  process.exitCode = 1;
});
