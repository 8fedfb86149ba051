// `npm run test:sim -- --seed=N` plays one large world and tells its story; without a seed it plays many, from one by chance.
// With --routines they have routines too. It prints the seed first, so that whatever happens can be played again. Ends with 1 when
// a law is broken.
import { parseArgs } from 'node:util';
import { playLarge, type Told } from './large.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    worlds: { type: 'string', default: '20' },
    routines: { type: 'boolean', default: false },
  },
});

const write = (line: string): void => void process.stdout.write(`${line}\n`);

const tell = (told: Told, whole: boolean): void => {
  const { seed, trouble, actions, sent, effects, runs, events, story, occurrences, broken } = told;
  write(
    `seed ${seed}: ${runs} runs, ${actions} actions, ${sent} sent, ${effects} effects, ${events} events`,
  );
  if (whole || broken.length > 0) write(`  trouble: ${trouble.join(', ') || 'none'}`);
  if (whole) for (const line of story) write(`  ${line}`);
  if (whole) for (const [end, count] of Object.entries(occurrences)) write(`  ${end}: ${count}`);
  for (const law of broken) write(`  BROKEN ${law}`);
};

const numberOf = (text: string | undefined, what: string): number | undefined => {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${what}=${text} is no whole number. Give one, for example --${what}=7.`);
};

const seed = numberOf(values.seed, 'seed');
const first = seed ?? Math.floor(Math.random() * 1_000_000);
const worlds = seed === undefined ? (numberOf(values.worlds, 'worlds') ?? 1) : 1;
const more = values.routines ? ' --routines' : '';
write(`Seed ${first}. Play a world again with: npm run test:sim -- --seed=${first}${more}`);
let broken = 0;
for (let world = 0; world < worlds; world += 1) {
  const told = await playLarge(first + world, values.routines);
  tell(told, seed !== undefined);
  broken += told.broken.length;
}
process.exitCode = broken === 0 ? 0 : 1;
