// `npm run test:laws [-- --law L7]`: breaks each law in a copy of the repository and shows which test notices.
// Owns: the copy, the runs and the report. Exits 1 if a mutation survives, does not fit, or the tests fail without any.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { laws, type Mutation, mutated, mutations, type TestsOf } from './mutations.ts';

const root = join(import.meta.dirname, '../..');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The repository as it stands, committed or not, with its packages linked. */
const copyTo = (folder: string): void => {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of new Set(files)) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
};

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface Ran {
  readonly green: boolean;
  /** Full titles of the tests that failed. */
  readonly failed: readonly string[];
  /** What went wrong outside of any test. */
  readonly trouble: string;
}

const run = (folder: string, { file, name }: TestsOf): Ran => {
  const output = join(folder, 'laws-report.json');
  rmSync(output, { force: true });
  const only = name === undefined ? [] : ['-t', name];
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const { status, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', file, ...only, '--reporter=json', `--outputFile=${output}`],
    { cwd: folder, encoding: 'utf8', timeout: 300_000 },
  );
  if (!existsSync(output)) return { green: false, failed: [], trouble: stderr };
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report;
  const failed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((one) => one.status === 'failed').map((one) => one.fullName),
  );
  const trouble = report.testResults.map(({ message }) => message).join(' ');
  return { green: status === 0 && report.numPassedTests > 0, failed, trouble };
};

const keyOf = ({ file, name }: TestsOf): string => (name === undefined ? file : `${file}: ${name}`);

/** Every named test without a mutation; what fails here shows nothing later. */
const runUnmutated = (folder: string, chosen: readonly Mutation[]): boolean => {
  const all = new Map(chosen.flatMap(({ tests }) => tests.map((one) => [keyOf(one), one])));
  let green = true;
  for (const [key, one] of all) {
    const ran = run(folder, one);
    if (ran.green) continue;
    green = false;
    say(`Not green without any mutation: ${key}. ${[...ran.failed, ran.trouble].join('; ')}`);
  }
  if (green) say(`Green without any mutation: ${[...all.keys()].join(', ')}\n`);
  return green;
};

/** Makes the mutation, runs its tests, takes it back. True when a test noticed. */
const tryOut = (folder: string, mutation: Mutation): boolean => {
  const { law, breaks, file, tests } = mutation;
  say(`${law}  ${breaks}  (${file})`);
  const place = join(folder, file);
  const text = readFileSync(place, 'utf8');
  const changed = mutated(text, mutation);
  if (changed === undefined) {
    say('    DOES NOT FIT: the text to find is not in the file exactly once. Change mutations.ts.');
    return false;
  }
  writeFileSync(place, changed);
  const ran = tests.map((one) => run(folder, one));
  writeFileSync(place, text);
  const failed = ran.flatMap((one) => one.failed);
  for (const title of failed) say(`    noticed by: ${title}`);
  if (failed.length > 0) return true;
  // A file that does not load is no test that noticed.
  const trouble = ran.map((one) => one.trouble).join(' ');
  say(`    SURVIVED: no test of ${tests.map(keyOf).join(', ')} failed. ${trouble}`.trimEnd());
  return false;
};

const main = (): number => {
  const { values } = parseArgs({ options: { law: { type: 'string' } } });
  const chosen = mutations.filter(({ law }) => values.law === undefined || law === values.law);
  if (chosen.length === 0) {
    say(`There is no law ${values.law}. The laws are ${laws.join(', ')}.`);
    return 1;
  }
  const folder = mkdtempSync(join(os.tmpdir(), 'reprise-laws-'));
  try {
    copyTo(folder);
    if (!runUnmutated(folder, chosen)) return 1;
    const missed = chosen.filter((mutation) => !tryOut(folder, mutation));
    say(`\n${chosen.length - missed.length} of ${chosen.length} broken laws were noticed.`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

process.exitCode = main();
