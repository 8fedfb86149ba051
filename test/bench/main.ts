// `npm run bench [-- --json FILE] [-- --quick]`: counts and times of the whole product on this machine, as a table and as
// numbers. Owns: the flags and the table. No time is asserted anywhere; the counts are, in counts.test.ts.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type BundleNumbers, measureBundles } from './bundles.ts';
import { type CountsSummary, countRun, limits, summaryOf } from './counts.ts';
import { measureTimes } from './times.ts';

const usage = `Usage: npm run bench -- [--json FILE] [--quick]
  --json FILE  write the numbers to FILE too
  --quick      shorter runs and fewer rounds
`;

const whole = {
  countedSteps: 300,
  imports: 5,
  times: { steps: 100, rounds: 5, concurrentRuns: 50, concurrentSteps: 10, answers: 20 },
};
const quick: typeof whole = {
  countedSteps: 20,
  imports: 1,
  times: { steps: 40, rounds: 3, concurrentRuns: 50, concurrentSteps: 10, answers: 6 },
};

type Times = Awaited<ReturnType<typeof measureTimes>>;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const row = (name: string, value: number, note = ''): string =>
  `  ${name.padEnd(30)}${String(value).padStart(10)}  ${note}`.trimEnd();

const countRows = (counts: CountsSummary): string[] => {
  const names = Object.keys(counts) as (keyof CountsSummary)[];
  return names.map((name) => {
    const limit = name in limits ? limits[name as keyof typeof limits] : undefined;
    return row(name, counts[name], limit === undefined ? '' : `at most ${limit}`);
  });
};

const timeRows = (times: Times): string[] => [
  row('floorMsPerStep', times.floorMsPerStep, 'a bare loop doing the same work'),
  row('twinMsPerStep', times.twinMsPerStep),
  row('ratio', times.ratio, 'wanted at most 8, better 3.3, best 2.6'),
  row('floorStepsPerSecond', times.floorStepsPerSecond, '50 loops at once'),
  row('stepsPerSecond', times.stepsPerSecond, '50 runs at once'),
  row('shareOfFloor', times.shareOfFloor, 'wanted at least 0.17'),
  row('answerMs', times.answerMs, 'an answer given over HTTP → recorded'),
  row('wakeMs', times.wakeMs, '… → the waiting action goes on'),
  row('nextStepMs', times.nextStepMs, '… → its effect made and settled, the next step begins'),
  row('resumeMs', times.resumeMs, '… → the next step stored'),
];

const bundleRows = ({ bundleKb, coldImportMs }: BundleNumbers): string[] =>
  Object.keys(bundleKb).map((name) => row(name, bundleKb[name] ?? 0, `${coldImportMs[name]} ms`));

const print = (counts: CountsSummary, times: Times, bundles: BundleNumbers): void => {
  say(`Counts of one run of ${counts.steps} steps, one writing tool call each`);
  say(countRows(counts).join('\n'));
  say('\nTimes, SQLite at synchronous FULL; medians of interleaved rounds');
  say(timeRows(times).join('\n'));
  say('\nBundles in KB, and their import in a fresh process');
  say(bundleRows(bundles).join('\n'));
};

const run = async (file: string | undefined, plan: typeof whole): Promise<void> => {
  const counts = summaryOf(await countRun(plan.countedSteps));
  const times = await measureTimes(plan.times);
  const bundles = measureBundles(plan.imports);
  print(counts, times, bundles);
  if (file === undefined) return;
  const machine = { cpus: cpus().length, node: process.version };
  const numbers = { ...counts, ...times, ...bundles, limits, plan, machine };
  writeFileSync(file, `${JSON.stringify(numbers, undefined, 2)}\n`);
};

const main = async (): Promise<void> => {
  try {
    const { values } = parseArgs({
      options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
    });
    await run(values.json, values.quick ? quick : whole);
  } catch (cause) {
    const known = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const isUsage = String(known).startsWith('ERR_PARSE_ARGS');
    const detail = cause instanceof Error ? (isUsage ? cause.message : cause.stack) : String(cause);
    process.stderr.write(`${detail}\n${isUsage ? usage : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
};

await main();
