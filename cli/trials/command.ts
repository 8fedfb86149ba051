// `reprise trials`: puts a tool, or the demo's tools, through the seven interruption trials and writes the report.
// Owns: the options, the files that are written, and that no secret is in them (L18).
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startDemo } from '../../local/demo/server.ts';
import {
  type Command,
  type ExitCode,
  exitCodes,
  type Given,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { demoSubjectNames, demoSubjects } from './demo-subjects.ts';
import { quickMs } from './held.ts';
import {
  overall,
  Report,
  reportSchema,
  type ToolReport,
  type TrialId,
  trialIds,
  type Verdict,
} from './report/report.ts';
import { reportHtml } from './report/report-html.ts';
import { reportMarkdown } from './report/report-markdown.ts';
import { summarySentence, verdictWord } from './report/report-words.ts';
import { type RunOptions, tryTool } from './run.ts';
import { NotATrial, type Subject, subjectFrom } from './subject.ts';

const patienceSecondsDefault = 45;

const pairOf = (text: string, option: string): readonly [string, string] => {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(
    `--${option} wants a name, "=" and what it is, as in --${option} reprise/documents=…; "=" or the name is missing.`,
  );
};

/** Values of secrets, from the command line, files and the environment. */
const secretsFrom = async (given: Given, place: Place): Promise<Record<string, string>> => {
  const secrets: Record<string, string> = {};
  for (const [name, value] of given.texts('secret').map((text) => pairOf(text, 'secret')))
    secrets[name] = value;
  for (const [name, file] of given.texts('secret-file').map((text) => pairOf(text, 'secret-file')))
    secrets[name] = (await readFile(file, 'utf8')).trim();
  for (const [name, variable] of given
    .texts('secret-env')
    .map((text) => pairOf(text, 'secret-env'))) {
    const value = place.env[variable];
    if (value === undefined) throw new UsageError(`--secret-env: ${variable} ?`);
    secrets[name] = value;
  }
  return secrets;
};

const onlyFrom = (given: Given, place: Place): ReadonlySet<TrialId> | undefined => {
  const names = given.texts('only');
  if (names.length === 0) return undefined;
  const chosen = trialIds.filter((id) => names.includes(id));
  if (chosen.length === names.length) return new Set(chosen);
  throw new UsageError(
    place.say(`--only takes: ${trialIds.join(', ')}.`, `--only prend : ${trialIds.join(', ')}.`),
  );
};

interface Ground {
  readonly subjects: readonly Subject[];
  close(): Promise<void>;
}

const demoGround = async (given: Given, place: Place): Promise<Ground> => {
  const names = given.texts('demo');
  const unknown = names.find((name) => !demoSubjectNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      place.say(
        `The demo has no writing tool "${unknown}". It has: ${demoSubjectNames.join(', ')}.`,
        `La démo n’a pas d’outil d’écriture « ${unknown} ». Elle a : ${demoSubjectNames.join(', ')}.`,
      ),
    );
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-trials-demo-'));
  const secret = randomBytes(24).toString('base64url');
  const demo = await startDemo({ dataDir, port: 0, secret });
  return {
    subjects: demoSubjects(demo.url, secret, names.length === 0 ? undefined : names),
    close: async () => {
      await demo.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const ownGround = async (file: string, given: Given, place: Place): Promise<Ground> => {
  const environment = given.text('environment');
  if (environment === undefined)
    throw new NotATrial(
      place.say(
        'Name the test environment with --environment NAME; it must be the one in the tool’s contract. Nothing was sent.',
        'Nommez l’environnement d’essai avec --environment NOM ; il doit être celui du contrat. Rien n’a été envoyé.',
      ),
    );
  const subject = await subjectFrom({
    tool: file,
    environment,
    arguments: given.text('arguments'),
    changedArguments: given.text('changed-arguments'),
    exhibit: given.text('exhibit'),
    secrets: await secretsFrom(given, place),
  });
  return { subjects: [subject], close: async () => undefined };
};

const optionsOf = (given: Given, place: Place, tool: string): RunOptions => {
  const seconds = Number(given.text('patience') ?? patienceSecondsDefault);
  if (!(seconds > 0))
    throw new UsageError(
      place.say(
        `--patience "${given.text('patience') ?? ''}" is no number of seconds above zero, such as --patience 60.`,
        `--patience « ${given.text('patience') ?? ''} » n’est pas un nombre de secondes supérieur à zéro, comme --patience 60.`,
      ),
    );
  const signs = { pass: '✔', fail: '✘', not_run: '○', does_not_apply: '–' } as const;
  const colours = { pass: 'good', fail: 'bad', not_run: 'open', does_not_apply: 'dim' } as const;
  return {
    say: place.say,
    patienceMs: seconds * 1_000,
    only: onlyFrom(given, place),
    holdMsMax: given.flag('quick') ? quickMs : undefined,
    progress: {
      started: () => undefined,
      ended: ({ verdict, title, tookMs, because }) => {
        const sign = place.paint(colours[verdict], signs[verdict]);
        const took = place.paint('dim', `${(tookMs / 1_000).toFixed(1)} s`);
        place.tell(`${sign} ${tool}: ${title} ${took}`);
        if (verdict === 'fail' || verdict === 'not_run')
          for (const why of because) place.tell(`    ${why}`);
      },
    },
  };
};

/** No secret may be in a file that is passed around. */
const withoutSecrets = (report: Report, subjects: readonly Subject[]): Report => {
  let text = JSON.stringify(report);
  for (const secret of subjects.flatMap(({ secrets }) => Object.values(secrets)))
    if (secret.length > 3) text = text.replaceAll(JSON.stringify(secret).slice(1, -1), '•••');
  return Report.parse(JSON.parse(text));
};

const write = async (report: Report, directory: string): Promise<readonly string[]> => {
  await mkdir(directory, { recursive: true });
  const files: readonly (readonly [string, string])[] = [
    ['report.html', reportHtml(report)],
    ['report.md', reportMarkdown(report)],
    ['report.json', `${JSON.stringify(report, undefined, 2)}\n`],
    ['report.schema.json', `${JSON.stringify(reportSchema(), undefined, 2)}\n`],
  ];
  for (const [name, text] of files) await writeFile(join(directory, name), text);
  return files.map(([name]) => join(directory, name));
};

const tryAll = async (
  subjects: readonly Subject[],
  given: Given,
  place: Place,
): Promise<readonly ToolReport[]> => {
  const tag = randomBytes(4).toString('hex');
  // Each has a twin, a folder and doors of its own; most of the time is waiting.
  return Promise.all(
    subjects.map((subject) => tryTool(subject, tag, optionsOf(given, place, subject.tool.name))),
  );
};

/** A lie that was found and what could not be tried have codes of their own. */
const codeFor = (verdict: Verdict): ExitCode => {
  if (verdict === 'fail') return exitCodes.lieFound;
  return verdict === 'not_run' ? exitCodes.notTried : exitCodes.ok;
};

const run = async (given: Given, place: Place) => {
  if (given.flag('schema')) {
    place.out(JSON.stringify(reportSchema(), undefined, 2));
    return exitCodes.ok;
  }
  const file = given.text('tool');
  const startedAt = new Date().toISOString();
  const ground =
    file === undefined ? await demoGround(given, place) : await ownGround(file, given, place);
  try {
    const tools = await tryAll(ground.subjects, given, place);
    const made: Report = {
      $schema: './report.schema.json',
      schema: 2,
      startedAt,
      endedAt: new Date().toISOString(),
      environment: ground.subjects[0]?.environment ?? 'test',
      language: place.language,
      product: 'Reprise',
      verdict: overall(tools),
      summary: summarySentence({ verdict: overall(tools), tools: [...tools] }, place.say),
      tools: [...tools],
    };
    const report = withoutSecrets(made, ground.subjects);
    const out = given.text('out');
    const files = out === undefined ? [] : await write(report, resolve(out));
    for (const written of files) place.tell(written);
    if (place.json) place.out(JSON.stringify(report));
    else {
      for (const { tool, trials } of report.tools)
        for (const { title, verdict } of trials)
          place.out(`${tool}\t${title}\t${verdictWord(verdict, place.say)}`);
      place.out(report.summary);
    }
    return codeFor(report.verdict);
  } finally {
    await ground.close();
  }
};

export const trialsCommand: Command = {
  name: 'trials',
  en: 'Proves by seven interruptions that nothing is done twice, on the demo’s tools or on yours',
  fr: 'Prouve par sept interruptions que rien n’est fait deux fois, sur la démo ou sur votre outil',
  options: {
    out: {
      type: 'string',
      value: 'DIR',
      en: 'Where the report is written',
      fr: 'Où écrire le rapport',
    },
    tool: {
      type: 'string',
      value: 'FILE',
      en: 'The tool’s registration, with its look-up tools (docs/trials.md)',
      fr: 'L’enregistrement de l’outil, avec ses recherches (docs/trials.md)',
    },
    environment: {
      type: 'string',
      value: 'NAME',
      en: 'The test environment; needed with --tool, never production',
      fr: 'L’environnement d’essai ; requis avec --tool, jamais la production',
    },
    arguments: { type: 'string', value: 'FILE', en: 'Sample arguments', fr: 'Arguments d’exemple' },
    'changed-arguments': {
      type: 'string',
      value: 'FILE',
      en: 'The same, changed in something that matters',
      fr: 'Les mêmes, changés en quelque chose qui compte',
    },
    exhibit: {
      type: 'string',
      value: 'FILE',
      en: 'Another way to count what is at the destination',
      fr: 'Un autre moyen de compter ce qui est chez le destinataire',
    },
    secret: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      en: 'A secret',
      fr: 'Un secret',
    },
    'secret-file': {
      type: 'string',
      multiple: true,
      value: 'NAME=FILE',
      en: 'A secret from a file',
      fr: 'Un secret tiré d’un fichier',
    },
    'secret-env': {
      type: 'string',
      multiple: true,
      value: 'NAME=VARIABLE',
      en: 'A secret from the environment',
      fr: 'Un secret tiré de l’environnement',
    },
    demo: {
      type: 'string',
      multiple: true,
      value: 'TOOL',
      en: `Which demo tools (${demoSubjectNames.join(', ')})`,
      fr: `Quels outils de la démo (${demoSubjectNames.join(', ')})`,
    },
    only: {
      type: 'string',
      multiple: true,
      value: 'TRIAL',
      en: 'Only these trials',
      fr: 'Ces épreuves seulement',
    },
    quick: {
      type: 'boolean',
      en: 'Holds a key for a minute only, instead of as long as automatic repeats may take',
      fr: 'Ne tient une clé qu’une minute, au lieu du temps que peuvent prendre les répétitions automatiques',
    },
    patience: {
      type: 'string',
      value: 'SECONDS',
      en: `Added to every wait, for slow destinations (default ${patienceSecondsDefault})`,
      fr: `Ajouté à chaque attente, pour un destinataire lent (défaut ${patienceSecondsDefault})`,
    },
    schema: {
      type: 'boolean',
      en: 'Prints the JSON schema of report.json',
      fr: 'Affiche le schéma JSON de report.json',
    },
  },
  run,
};
