// Runs the checks and the seven trials of one tool, in an order in which none disturbs the next, and makes its report.
// Owns: that order, that what could not be carried through is tried again and then not run, and that a key is held meanwhile.
import { JsonObject } from '../../functions/core/base/json.ts';
import { ApiRefusal } from '../kit/client.ts';
import type { Say } from '../kit/speech.ts';
import { sayIn } from '../kit/speech.ts';
import * as checks from './checks.ts';
import { lookUpFinds, lookUpMisses, lookUpStillFinds, sameSystem } from './checks-look-up.ts';
import { contentChanged } from './content.ts';
import { beginHolding, endHolding, type Held, type Holding, holdMsOf, usableMsOf } from './held.ts';
import { dropped, lost, refused, restarted } from './interrupted.ts';
import { untriedIn } from './limits.ts';
import { otherContentSameKey } from './other-content.ts';
import type { Trying } from './part.ts';
import { trialsInShort } from './report/in-short.ts';
import { overall, type Part, type ToolReport, type Trial, type TrialId } from './report/report.ts';
import { headings, tally } from './report/report-words.ts';
import { retentionExceeded } from './retention.ts';
import { openSession, type Session, triedRetentionMs } from './session.ts';
import type { Subject } from './subject.ts';
import { answersTrue, existsIsNotOurs, notNowTrue } from './truth.ts';
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
  /** The key is held no longer than this in real time; default: as long as automatic repeats may take. */
  readonly holdMsMax: number | undefined;
  readonly progress: Progress;
}

const calm = async ({ door, looks }: Session): Promise<void> => {
  for (const one of [door, ...looks]) {
    one.usual({ do: 'pass' });
    one.release();
    await one.open();
  }
};

const triesMax = 2;

const couldNot = (trying: Trying, id: string, cause: unknown, tookMs: number): Part => {
  const why = cause instanceof Error ? cause.message : String(cause);
  return {
    id,
    title: id,
    expected: trying.say('It comes to an end.', 'Elle s’achève.'),
    observed: [],
    verdict: 'not_run',
    because: [
      trying.say(
        `It could not be tried, ${triesMax} times: ${why}. That shows nothing of the destination. A slow destination or a busy machine needs --patience SECONDS.`,
        `Elle n’a pas pu être faite, ${triesMax} fois : ${why}. Cela ne montre rien du destinataire. Un destinataire lent ou une machine chargée demande --patience SECONDES.`,
      ),
    ],
    tookMs,
  };
};

/** What could not be carried through is tried again, in calm weather, and is then not run; the next one starts in calm too. */
const attempted = async (
  trying: Trying,
  options: RunOptions,
  id: string,
  part: () => Promise<Part>,
): Promise<Part> => {
  const startedMs = performance.now();
  options.progress.started(id);
  for (let tries = 1; ; tries += 1)
    try {
      const made = await part();
      options.progress.ended(made);
      return made;
    } catch (cause) {
      if (tries < triesMax) continue;
      const made = couldNot(trying, id, cause, Math.round(performance.now() - startedMs));
      options.progress.ended(made);
      return made;
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

/** What the parts told beside their verdicts. */
interface Course {
  control: checks.Control | undefined;
  holding: Holding | undefined;
  notCompared: readonly string[];
  refusals: number;
}

/** The withdrawal comes last: a standing permission that was withdrawn stays so. */
const partsOf = (trying: Trying, course: Course): Record<TrialId, Parts> => ({
  cut_before_transmission: [
    ['refused', () => refused(trying)],
    ['dropped', () => dropped(trying)],
  ],
  reply_lost: [['lost', () => lost(trying)]],
  restart_while_running: [['restart', () => restarted(trying)]],
  two_people: [['two-people', () => twoPeople(trying)]],
  content_changed: [
    ['content', () => contentChanged(trying)],
    [
      'content-same-key',
      async () => {
        const { part, notCompared } = await otherContentSameKey(trying);
        course.notCompared = notCompared;
        return part;
      },
    ],
  ],
  retention_exceeded: [['retention', () => retentionExceeded(trying)]],
  authorisation_withdrawn: [['withdrawn', () => authorisationWithdrawn(trying)]],
});

const trialsOf = async (trying: Trying, options: RunOptions, course: Course): Promise<Trial[]> => {
  const trials: Trial[] = [];
  for (const [id, parts] of Object.entries(partsOf(trying, course)) as [TrialId, Parts][]) {
    if (options.only !== undefined && !options.only.has(id)) continue;
    const made: Part[] = [];
    for (const [name, part] of parts) made.push(await attempted(trying, options, name, part));
    const [en, fr] = titles[id];
    trials.push({ id, title: trying.say(en, fr), verdict: overall(made), parts: made });
  }
  return trials;
};

/** The key is asked for again at the very end, so that the time passes beside everything else. */
const endHold = async (
  trying: Trying,
  options: RunOptions,
  course: Course,
  trials: Trial[],
): Promise<Held | undefined> => {
  const trial = trials.find(({ id }) => id === 'retention_exceeded');
  if (trial === undefined) return undefined;
  const holdMs = holdMsOf(trying, options.holdMsMax);
  let held: Held | undefined;
  const part = await attempted(trying, options, 'held', async () => {
    course.holding ??= await beginHolding(trying);
    held = await endHolding(trying, course.holding, holdMs);
    return held.part;
  });
  trial.parts.unshift(part);
  trial.verdict = overall(trial.parts);
  return held;
};

const checksOf = async (trying: Trying, options: RunOptions, course: Course): Promise<Part[]> => {
  const parts: Part[] = [];
  const add = async (id: string, part: () => Promise<Part> | Part): Promise<void> => {
    parts.push(await attempted(trying, options, id, async () => part()));
  };
  await add('success', async () => {
    course.control = await checks.control(trying);
    return course.control.part;
  });
  // What does not begin now begins at the end.
  if (options.only === undefined || options.only.has('retention_exceeded'))
    course.holding = await beginHolding(trying).catch(() => undefined);
  await add('look_up_finds', () => lookUpFinds(trying));
  await add('look_up_misses', () => lookUpMisses(trying, doneBy(course.control)));
  await add('same_system', () => sameSystem(trying));
  await add('key_honoured', () => checks.keyHonoured(trying));
  await add('key_at_once', () => checks.keyAtOnce(trying));
  await add('answers_true', async () => {
    const { part, refusals } = await answersTrue(trying);
    course.refusals = refusals;
    return part;
  });
  await add('not_now_true', () => notNowTrue(trying));
  await add('exists_is_not_ours', () => existsIsNotOurs(trying));
  return parts;
};

const doneBy = (control: checks.Control | undefined) => {
  const action = control?.seen.action;
  const done = action?.effect === 'confirmed' || action?.effect === 'accepted';
  return done ? action : undefined;
};

const notesOf = ({ subject }: Session, say: Say): string[] => {
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

const leftBy = (all: readonly Part[], sent: ReadonlySet<string>, say: Say): string[] => {
  const objects = all.flatMap(({ exhibit }) =>
    exhibit !== undefined && exhibit.proxy.forwarded > 0
      ? [
          `${exhibit.actionId}: ${say('given to the destination', 'remis au destinataire')} ${exhibit.proxy.forwarded}×`,
        ]
      : [],
  );
  const direct = [...sent].map(
    (reference) => `${reference}: ${say('sent past the product', 'envoyé sans le produit')}`,
  );
  return [...new Set([...objects, ...direct])];
};

const verificationFor = (
  startedAt: string,
  environment: string,
  came: string,
  heldMs: number | undefined,
  notTried: ToolReport['notTried'],
  tried: Parameters<typeof trialsInShort>[0],
): JsonObject =>
  JsonObject.parse({
    by: 'reprise trials',
    at: startedAt,
    how: `Seven interruption trials in the environment "${environment}": ${came}.`,
    report: 'report.html',
    ...(heldMs === undefined ? {} : { keyHeldMs: heldMs }),
    notTried,
    trials: trialsInShort(tried),
  });

const countsSeveral = async ({ session }: Trying, course: Course): Promise<boolean> => {
  const { key, preset } = session.contract;
  const action = doneBy(course.control);
  // The address is what it is made under: there is no room for a second.
  if (preset === 'put' || (key.kind === 'key' && key.place.in === 'path')) return true;
  return action === undefined || (await session.destination.find(action)).several;
};

const reportOf = async (
  trying: Trying,
  options: RunOptions,
  startedAt: string,
): Promise<ToolReport> => {
  const { session, say } = trying;
  const { subject } = session;
  const course: Course = { control: undefined, holding: undefined, notCompared: [], refusals: 0 };
  const parts = await checksOf(trying, options, course);
  const trials = await trialsOf(trying, options, course);
  const held = await endHold(trying, options, course, trials);
  parts.push(
    await attempted(trying, options, 'look_up_still_finds', () =>
      lookUpStillFinds(trying, doneBy(course.control)),
    ),
  );
  const all = [...parts, ...trials.flatMap((trial) => trial.parts)];
  const verdict = overall(all);
  const { contract, transport } = subject.tool;
  const notTried = untriedIn(
    {
      contract,
      parts: all,
      heldMs: held?.heldMs,
      usableMs: usableMsOf(trying),
      notCompared: course.notCompared,
      refusals: course.refusals,
      countsSeveral: await countsSeveral(trying, course),
    },
    say,
  );
  return {
    tool: subject.tool.name,
    destination: contract.destination,
    transport: transport.kind,
    contract: JsonObject.parse(JSON.parse(JSON.stringify(contract))),
    notes: notesOf(session, say),
    verdict,
    checks: parts,
    trials,
    notTried,
    left: leftBy(all, trying.sent, say),
    ...(verdict === 'pass' && options.only === undefined
      ? {
          verification: verificationFor(
            startedAt,
            subject.environment,
            // Stored once, in English: who shows it in French translates it.
            tally({ checks: parts, trials }, sayIn('en')),
            held?.heldMs,
            notTried,
            { title: headings(say).checks, verdict: overall(parts), parts, trials },
          ),
        }
      : {}),
  };
};

/** Where nothing could be tried at all. */
const nothingTried = ({ tool }: Subject, say: Say, why: string): ToolReport => ({
  tool: tool.name,
  destination: tool.contract.destination,
  transport: tool.transport.kind,
  contract: JsonObject.parse(JSON.parse(JSON.stringify(tool.contract))),
  notes: [
    say(
      `Nothing could be tried, and nothing was sent: ${why}`,
      `Rien n’a pu être éprouvé, et rien n’a été envoyé : ${why}`,
    ),
  ],
  verdict: 'not_run',
  checks: [],
  trials: [],
  notTried: [],
  left: [],
});

/** The API refused what it was given: another try would meet the same. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof ApiRefusal && cause.problem.status < 500;

const opened = async (
  subject: Subject,
  unique: string,
  patienceMs: number,
): Promise<Session | Error> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await openSession(subject, { patienceMs, unique });
    } catch (cause) {
      if (isRefusal(cause)) throw cause;
      if (tries >= triesMax) return cause instanceof Error ? cause : new Error(String(cause));
    }
};

/** Tries one tool. Rejects when the registration is refused: then nothing was sent. */
export const tryTool = async (
  subject: Subject,
  unique: string,
  options: RunOptions,
): Promise<ToolReport> => {
  const startedAt = new Date().toISOString();
  const session = await opened(subject, unique, options.patienceMs);
  if (session instanceof Error) return nothingTried(subject, options.say, session.message);
  try {
    return await reportOf({ session, say: options.say, sent: new Set() }, options, startedAt);
  } finally {
    await session.close();
  }
};
