// Runs the checks and the seven trials of one tool, in an order in which none disturbs the next, and makes its report.
// Owns: that order, and that one trial's failure to come about does not end the others.
import { JsonObject } from '../../functions/core/base/json.ts';
import type { Say } from '../kit/speech.ts';
import { sayIn } from '../kit/speech.ts';
import * as checks from './checks.ts';
import { lookUpFinds, lookUpMisses, sameSystem } from './checks-look-up.ts';
import { contentChanged, otherContentSameKey } from './content.ts';
import { trialsInShort } from './in-short.ts';
import { dropped, lost, refused, restarted } from './interrupted.ts';
import type { Trying } from './part.ts';
import { overall, type Part, type ToolReport, type Trial, type TrialId } from './report.ts';
import { headings, tally } from './report-words.ts';
import { retentionExceeded } from './retention.ts';
import { openSession, type Session, triedRetentionMs } from './session.ts';
import type { Subject } from './subject.ts';
import { twoPeople } from './two-people.ts';
import { authorisationWithdrawn } from './withdrawn.ts';

/** Told as the trials go on. */
export interface Progress {
  started(what: string): void;
  ended(part: Part): void;
}

export interface RunOptions {
  readonly say: Say;
  /** Added to every wait, for slow destinations. */
  readonly patienceMs: number;
  /** Which trials; default all. */
  readonly only: ReadonlySet<TrialId> | undefined;
  readonly progress: Progress;
}

const calm = async ({ door, looks }: Session): Promise<void> => {
  for (const one of [door, ...looks]) {
    one.usual({ do: 'pass' });
    one.release();
    await one.open();
  }
};

/** A part that could not be carried through is a failure with its reason, and the next one starts in calm weather. */
const attempted = async (
  trying: Trying,
  options: RunOptions,
  id: string,
  part: () => Promise<Part>,
): Promise<Part> => {
  const startedMs = performance.now();
  options.progress.started(id);
  try {
    const made = await part();
    options.progress.ended(made);
    return made;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const failed: Part = {
      id,
      title: id,
      expected: trying.say('It comes to an end.', 'Elle s’achève.'),
      observed: [],
      verdict: 'fail',
      because: [
        trying.say(
          `It did not come about: ${why}. A slow destination needs --patience SECONDS.`,
          `Elle n’a pas abouti : ${why}. Un destinataire lent demande --patience SECONDES.`,
        ),
      ],
      tookMs: Math.round(performance.now() - startedMs),
    };
    options.progress.ended(failed);
    return failed;
  } finally {
    await calm(trying.session);
  }
};

const titles: { readonly [Id in TrialId]: readonly [en: string, fr: string] } = {
  cut_before_transmission: ['Cut before transmission', 'Coupure avant transmission'],
  reply_lost: ['Reply lost after a successful write', 'Réponse perdue après une écriture réussie'],
  restart_while_running: [
    'Restart while the first is still running',
    'Redémarrage pendant que la première court encore',
  ],
  two_people: ['Two people take up the same sheet', 'Deux personnes reprennent la même fiche'],
  content_changed: ['Content changed between attempts', 'Contenu modifié entre deux tentatives'],
  retention_exceeded: ['Key retention exceeded', 'Durée de conservation de la clé dépassée'],
  authorisation_withdrawn: [
    'Authorisation withdrawn meanwhile',
    'Autorisation retirée entre-temps',
  ],
};

type Parts = readonly (readonly [id: string, part: () => Promise<Part>])[];

/** The withdrawal comes last: a standing permission that was withdrawn stays so. */
const partsOf = (trying: Trying, control: checks.Control | undefined): Record<TrialId, Parts> => ({
  cut_before_transmission: [
    ['refused', () => refused(trying)],
    ['dropped', () => dropped(trying)],
  ],
  reply_lost: [['lost', () => lost(trying)]],
  restart_while_running: [['restart', () => restarted(trying)]],
  two_people: [['two-people', () => twoPeople(trying)]],
  content_changed: [
    ['content', () => contentChanged(trying)],
    ['content-same-key', () => otherContentSameKey(trying, doneBy(control))],
  ],
  retention_exceeded: [['retention', () => retentionExceeded(trying)]],
  authorisation_withdrawn: [['withdrawn', () => authorisationWithdrawn(trying)]],
});

const doneBy = (control: checks.Control | undefined) => {
  const action = control?.seen.action;
  const done = action?.effect === 'confirmed' || action?.effect === 'accepted';
  return done ? action : undefined;
};

const trialsOf = async (
  trying: Trying,
  options: RunOptions,
  control: checks.Control | undefined,
): Promise<Trial[]> => {
  const trials: Trial[] = [];
  for (const [id, parts] of Object.entries(partsOf(trying, control)) as [TrialId, Parts][]) {
    if (options.only !== undefined && !options.only.has(id)) continue;
    const made: Part[] = [];
    for (const [name, part] of parts) made.push(await attempted(trying, options, name, part));
    const [en, fr] = titles[id];
    trials.push({ id, title: trying.say(en, fr), verdict: overall(made), parts: made });
  }
  return trials;
};

const checksOf = async (trying: Trying, options: RunOptions) => {
  let control: checks.Control | undefined;
  const parts: Part[] = [];
  const add = async (id: string, part: () => Promise<Part> | Part): Promise<void> => {
    parts.push(await attempted(trying, options, id, async () => part()));
  };
  await add('success', async () => {
    control = await checks.control(trying);
    return control.part;
  });
  const done = control;
  await add('look_up_finds', () => lookUpFinds(trying));
  await add('look_up_misses', () => lookUpMisses(trying));
  await add('same_system', () => sameSystem(trying));
  if (done !== undefined) await add('key_honoured', () => checks.keyHonoured(trying, done));
  return { control, parts };
};

const notesOf = ({ subject, contract }: Session, say: Say): string[] => {
  const { key, verification } = subject.tool.contract;
  const declaredMs = key.kind === 'key' ? key.retentionMs : 0;
  const shortened = triedRetentionMs(declaredMs) < declaredMs;
  return [
    say(
      'The tool was reached through a fault proxy on this machine, from a local twin with a data folder of its own; the product’s functions and state machines are those that run on AWS.',
      'L’outil a été atteint par un proxy de pannes de cette machine, depuis un jumeau local ayant son propre dossier ; les fonctions et machines à états sont celles qui tournent sur AWS.',
    ),
    ...(verification === undefined
      ? [
          say(
            'The contract is not verified yet. For the trials it was taken as verified, so that automatic repeats could be tried.',
            'Le contrat n’est pas encore vérifié. Pour les épreuves, il a été tenu pour vérifié, afin d’essayer les répétitions automatiques.',
          ),
        ]
      : []),
    ...(contract.key.kind === 'key'
      ? [
          say(
            'That the destination really honours the key until the end of its retention was not tried: only real time could.',
            'Que le destinataire honore vraiment la clé jusqu’au bout de sa durée n’a pas été éprouvé : seul le temps réel le pourrait.',
          ),
        ]
      : []),
    ...(shortened
      ? [
          say(
            'The key’s retention was taken as 6 days, since no run waits longer than its executions live.',
            'La durée de conservation de la clé a été ramenée à 6 jours, aucun run n’attendant plus que ses exécutions ne vivent.',
          ),
        ]
      : []),
  ];
};

const leftBy = (all: readonly Part[], say: Say): string[] => {
  const objects = all.flatMap(({ exhibit }) =>
    exhibit !== undefined && exhibit.proxy.forwarded > 0
      ? [
          `${exhibit.actionId}: ${say('given to the destination', 'remis au destinataire')} ${exhibit.proxy.forwarded}×`,
        ]
      : [],
  );
  return [...new Set(objects)];
};

const verificationFor = (
  startedAt: string,
  environment: string,
  came: string,
  tried: Parameters<typeof trialsInShort>[0],
): JsonObject =>
  JsonObject.parse({
    by: 'reprise trials',
    at: startedAt,
    how: `Seven interruption trials in the environment "${environment}": ${came}.`,
    report: 'report.html',
    trials: trialsInShort(tried),
  });

/** Tries one tool. Rejects when its twin does not start or the registration is refused: then nothing was sent. */
export const tryTool = async (
  subject: Subject,
  unique: string,
  options: RunOptions,
): Promise<ToolReport> => {
  const startedAt = new Date().toISOString();
  const session = await openSession(subject, { patienceMs: options.patienceMs, unique });
  try {
    const trying: Trying = { session, say: options.say };
    const { control, parts } = await checksOf(trying, options);
    const trials = await trialsOf(trying, options, control);
    const verdict = overall([...parts, ...trials]);
    const all = [...parts, ...trials.flatMap((trial) => trial.parts)];
    const { contract, transport } = subject.tool;
    return {
      tool: subject.tool.name,
      destination: contract.destination,
      transport: transport.kind,
      contract: JsonObject.parse(JSON.parse(JSON.stringify(contract))),
      notes: notesOf(session, options.say),
      verdict,
      checks: parts,
      trials,
      left: leftBy(all, options.say),
      ...(verdict === 'pass' && options.only === undefined
        ? {
            verification: verificationFor(
              startedAt,
              subject.environment,
              // Stored once, in English: who shows it in French translates it.
              tally({ checks: parts, trials }, sayIn('en')),
              { title: headings(options.say).checks, verdict: overall(parts), parts, trials },
            ),
          }
        : {}),
    };
  } finally {
    await session.close();
  }
};
