// How long the destination holds a key. Owns: that trial. One call is made at the beginning and repeated once the time has
// passed that an automatic repeat may take, in real time, beside the other trials; where the sandbox lets its clock be put
// forward, until the end of the declared retention. Laws: L9 (a repeat goes no further than was tried).
import { setTimeout as pause } from 'node:timers/promises';
import { lookUpArguments } from '../../functions/core/recover/look-up.ts';
import type { Answer } from './answer.ts';
import { replyText } from './answer.ts';
import { CouldNotRun, countSentence, doesNotApply, judged, type Trying } from './part.ts';
import { countOnce, judgeRepeat, type Probe, probeOf, sendAgain, sendFirst } from './repeat.ts';
import type { Part } from './report/report.ts';

export const quickMs = 60_000;

/** A key that waits for its time. */
export interface Holding {
  readonly probe: Probe;
  readonly first: Answer;
  readonly sinceMs: number;
}

export interface Held {
  readonly part: Part;
  /** How long the key was seen to be held. */
  readonly heldMs: number | undefined;
}

/** Until when the product may use the key at all. */
export const usableMsOf = ({ session }: Trying): number => {
  const { key } = session.subject.tool.contract;
  return key.kind === 'key' ? key.retentionMs - key.marginMs : 0;
};

/** How long the key is held in real time: as long as an automatic repeat may take, at most. */
export const holdMsOf = (trying: Trying, atMostMs: number | undefined): number =>
  Math.max(
    0,
    Math.min(
      atMostMs ?? trying.session.contract.repeatWindowMs,
      trying.session.contract.repeatWindowMs,
      usableMsOf(trying),
    ),
  );

const aboutIt = ({ say }: Trying, holdMs: number) => ({
  id: 'held',
  title: say(
    'The key is still honoured when the time for automatic repeats is over',
    'La clé est encore honorée quand le temps des répétitions automatiques est passé',
  ),
  expected: say(
    `One object, and the answer that the contract promises, to a repeat ${Math.round(holdMs / 1_000)} s after the call.`,
    `Un seul objet, et la réponse que promet le contrat, à une répétition ${Math.round(holdMs / 1_000)} s après l’appel.`,
  ),
});

/** Undefined: there is no key to hold. Rejects when the destination does not take the call. */
export const beginHolding = async (trying: Trying): Promise<Holding | undefined> => {
  if (trying.session.contract.key.kind !== 'key') return undefined;
  const probe = await probeOf(trying, 'held');
  const first = await sendFirst(trying, probe);
  return { probe, first, sinceMs: performance.now() };
};

/** Puts the sandbox's clock forward, where the file says how; how far. */
const passTime = async (trying: Trying, { probe }: Holding, byMs: number): Promise<number> => {
  const { passTime: how, reads } = trying.session.subject;
  if (how === undefined || byMs <= 0) return 0;
  const registration = reads.find(({ name }) => name === how.tool);
  if (registration === undefined) throw new CouldNotRun(`There is no tool "${how.tool}".`);
  const filled = Object.entries(lookUpArguments(how.arguments, probe.action)).map(
    ([name, value]) => [name, value === '$ms' ? byMs : value === '$seconds' ? byMs / 1_000 : value],
  );
  const { send } = trying.session.destination;
  const report = await send(registration, Object.fromEntries(filled), probe.action.actionId);
  if (report.kind === 'reply' && report.reply.status < 300) return byMs;
  throw new CouldNotRun(
    trying.say(
      `The destination's clock could not be put forward: ${replyText(report)}`,
      `L’horloge du destinataire n’a pu être avancée : ${replyText(report)}`,
    ),
  );
};

/** Waits for the rest of the time, then repeats. */
export const endHolding = async (
  trying: Trying,
  holding: Holding | undefined,
  holdMs: number,
): Promise<Held> => {
  const { say } = trying;
  const about = aboutIt(trying, holdMs);
  if (holding === undefined) {
    const none = say('The contract declares no key.', 'Le contrat ne déclare aucune clé.');
    return { part: doesNotApply(about, none), heldMs: undefined };
  }
  const startedMs = performance.now();
  const { probe, first, sinceMs } = holding;
  await pause(Math.max(0, sinceMs + holdMs - performance.now()));
  const realMs = performance.now() - sinceMs;
  const ahead = await passTime(trying, holding, Math.floor(usableMsOf(trying) - realMs));
  const heldMs = Math.floor(realMs + ahead);
  const second = await sendAgain(trying, probe.action);
  const found = await countOnce(trying, probe, 1);
  const after = say(
    `Repeated after ${Math.round(realMs / 1_000)} s of real time${ahead === 0 ? '' : `, and ${Math.round(ahead / 1_000)} s by which the destination's clock was put forward`}.`,
    `Répété après ${Math.round(realMs / 1_000)} s de temps réel${ahead === 0 ? '' : `, et ${Math.round(ahead / 1_000)} s dont l’horloge du destinataire a été avancée`}.`,
  );
  const part = judged({
    ...about,
    observed: [first.text, after, second.text, countSentence(trying, found)],
    ...judgeRepeat(trying, first, second, found),
    startedMs,
  });
  return { part, heldMs: part.verdict === 'pass' ? heldMs : undefined };
};
