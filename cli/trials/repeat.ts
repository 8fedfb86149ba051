// Calls that the trials make themselves, past the product and straight to the destination: one, and its repeat under the same
// key. Owns: sending them, counting what came of them, and what a repeat's answer must be by contract. The count and the
// comparison of the two answers judge; an answer alone proves no single object.
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../functions/core/base/json.ts';
import type { LookedUp } from '../../functions/core/recover/look-up.ts';
import { type Answer, answerOf, differingReference } from './answer.ts';
import { type Found, nobody } from './objects.ts';
import { CouldNotRun, since, type Trying, uncounted } from './part.ts';
import type { SceneName } from './session.ts';

/** An intention of the trials' own, and what was at the destination before it. */
export interface Probe {
  readonly action: LookedUp;
  readonly there: Found;
}

export const probeOf = async (
  { session }: Trying,
  args: JsonObject | SceneName,
): Promise<Probe> => {
  const action = nobody(
    typeof args === 'string' ? session.argumentsOf(args) : args,
    session.contract.destination,
  );
  return { action, there: await session.destination.find(action) };
};

/** Sends it as it is, once. */
export const sendOnce = async (
  { session, sent }: Trying,
  { actionId, arguments: args }: Pick<LookedUp, 'actionId' | 'arguments'>,
  attempt = 1,
): Promise<Answer> => {
  sent.add(actionId);
  const { tool } = session.subject;
  return answerOf(tool, await session.destination.send(tool, args, actionId), attempt);
};

const againMax = 5;
const stillRunningPauseMs = 500;
const notNowMsMax = 30_000;

/** How long to wait before the same is asked again; undefined: this is the answer. */
const pauseAfter = ({ session }: Trying, answer: Answer): number | undefined => {
  const { key } = session.contract;
  if (answer.kind === 'not_now') return Math.min(answer.waitMs, notNowMsMax);
  if (answer.kind === 'none' || (answer.kind === 'unknown' && answer.server))
    return stillRunningPauseMs;
  const running =
    answer.kind === 'running' &&
    key.kind === 'key' &&
    key.stillRunning !== undefined &&
    session.contract.progress === undefined;
  return running ? stillRunningPauseMs * 4 : undefined;
};

/** A repeat: asked again while the destination is busy. Rejects with CouldNotRun when it never tells. */
export const sendAgain = async (
  trying: Trying,
  call: Pick<LookedUp, 'actionId' | 'arguments'>,
): Promise<Answer> => {
  for (let asked = 1; ; asked += 1) {
    const answer = await sendOnce(trying, call, asked + 1);
    const waitMs = pauseAfter(trying, answer);
    if (waitMs === undefined) return answer;
    if (asked >= againMax)
      throw new CouldNotRun(
        trying.say(
          `The repeat was not answered in a way that tells anything: ${answer.text}`,
          `La répétition n’a reçu aucune réponse qui dise quelque chose : ${answer.text}`,
        ),
      );
    await pause(waitMs);
  }
};

/** A first call. Rejects with CouldNotRun when the destination did not take it. */
export const sendFirst = async (trying: Trying, probe: Probe): Promise<Answer> => {
  let answer = await sendOnce(trying, probe.action);
  if (answer.kind === 'not_now') {
    await pause(Math.min(answer.waitMs, notNowMsMax));
    answer = await sendOnce(trying, probe.action);
  }
  if (answer.kind === 'done' || answer.kind === 'running') return answer;
  throw new CouldNotRun(
    trying.say(
      `The destination did not take an undisturbed call: ${answer.text}`,
      `Le destinataire n’a pas accepté un appel non perturbé : ${answer.text}`,
    ),
  );
};

const countEveryMs = 250;
const settleMsMax = 120_000;

/** How long after a call what it made may take to be counted. */
export const settleMsOf = ({ session }: Trying): number => {
  const { lookUp, progress } = session.contract;
  const { exhibit } = session.subject;
  const settleMs = exhibit === undefined ? (lookUp?.settleMs ?? 0) : exhibit.settleMs;
  return Math.min(settleMs + (progress?.untilMs ?? 0), settleMsMax);
};

/** Counts until there are more than `most`, or nothing more can come. */
export const countOnce = async (
  trying: Trying,
  { action, there }: Probe,
  most: number,
): Promise<Found> => {
  const find = async () => since(await trying.session.destination.find(action), there);
  const endsMs = performance.now() + settleMsOf(trying);
  let found = await find();
  while ((found.count ?? 0) <= most && performance.now() < endsMs) {
    await pause(countEveryMs);
    found = await find();
  }
  return found;
};

export interface Judgement {
  readonly faults: readonly string[];
  readonly unseen: readonly string[];
}

const ignored = ({ say }: Trying, count: number): string =>
  say(
    `The key is ignored: the same key sent twice made ${count} objects.`,
    `La clé est ignorée : la même clé envoyée deux fois a fait ${count} objets.`,
  );

const answerFaults = (trying: Trying, first: Answer, second: Answer): readonly string[] => {
  const { session, say } = trying;
  const { key } = session.contract;
  if (key.kind !== 'key') return [];
  const took = second.kind === 'done';
  if (key.onRepeat === 'error')
    return took || (second.kind === 'unknown' && !second.error)
      ? [
          say(
            `The contract says that a repeat is an error; no declared pattern reads this answer as one: ${second.text}`,
            `Le contrat dit qu’une répétition est une erreur ; aucun motif déclaré ne lit ainsi cette réponse : ${second.text}`,
          ),
        ]
      : [];
  if (took || (second.kind === 'running' && first.kind === 'running')) return [];
  return [
    say(
      `The contract says that a repeat returns the first result; by its own patterns this answer does not: ${second.text}`,
      `Le contrat dit qu’une répétition rend le premier résultat ; d’après ses propres motifs, cette réponse ne le fait pas : ${second.text}`,
    ),
  ];
};

const referenceIn = (answer: Answer) => ({
  reference: answer.kind === 'done' ? answer.reference : undefined,
  body: answer.body,
});

/** Two answers that name different objects are a double; without a declared reference only where nothing counted them. */
const doubleIn = (
  { say }: Trying,
  first: Answer,
  second: Answer,
  found: Found,
): readonly string[] => {
  if (first.kind !== second.kind) return [];
  const declared = first.kind === 'done' && first.reference !== undefined;
  const differs = differingReference(referenceIn(first), referenceIn(second));
  if (differs === undefined || (!declared && found.count === 1)) return [];
  return [
    say(
      `The two answers name different objects (${differs}): it was done twice.`,
      `Les deux réponses nomment des objets différents (${differs}) : c’est fait deux fois.`,
    ),
  ];
};

/** What a repeat came to: its answer read by contract, the two answers compared, and the objects counted. */
export const judgeRepeat = (
  trying: Trying,
  first: Answer,
  second: Answer,
  found: Found,
): Judgement => ({
  faults: [
    ...((found.count ?? 0) > 1 ? [ignored(trying, found.count ?? 0)] : []),
    ...doubleIn(trying, first, second, found),
    ...answerFaults(trying, first, second),
    ...(found.count === 0 && first.kind === 'done' && first.proves
      ? [
          trying.say(
            'The destination says that it was done, and nothing is there.',
            'Le destinataire dit que c’est fait, et il n’y a rien.',
          ),
        ]
      : []),
  ],
  unseen: found.count === undefined ? [uncounted(trying, found)] : [],
});

/** What the destination holds for one key, whatever its answer says; for two sent at the same time. */
export const judgeAtOnce = (
  trying: Trying,
  [first, second]: readonly [Answer, Answer],
  found: Found,
): Judgement => ({
  faults: [
    ...((found.count ?? 0) > 1 ? [ignored(trying, found.count ?? 0)] : []),
    ...doubleIn(trying, first, second, found),
  ],
  unseen: found.count === undefined ? [uncounted(trying, found)] : [],
});
