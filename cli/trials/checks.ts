// What a contract claims, held against its destination in calm weather: that a success looks as declared and made one object,
// and that a key is honoured, one call after the other and two at once. Owns: those checks; the look-up's are beside it.
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Before,
  before,
  countSentence,
  doesNotApply,
  exhibitOf,
  judged,
  notRun,
  objectsNow,
  proxySentence,
  stateSentence,
  type Trying,
  uncounted,
} from './part.ts';
import {
  countOnce,
  judgeAtOnce,
  judgeRepeat,
  probeOf,
  sendAgain,
  sendFirst,
  sendOnce,
  settleMsOf,
} from './repeat.ts';
import type { Part } from './report/report.ts';
import { atRest, type Seen } from './watch.ts';

/** An undisturbed call, for the checks that build on it. */
export interface Control {
  readonly part: Part;
  readonly seen: Seen;
  readonly began: Before;
}

const declaresSuccess = ({ session }: Trying): boolean => {
  const { success, preset } = session.contract;
  return success.length > 0 || preset !== 'none';
};

const countEveryMs = 250;

/** What is there once it must be there; one that is there is not waited for longer. */
const countedOnceThere = async (trying: Trying, seen: Seen, began: Before) => {
  const endsMs = performance.now() + settleMsOf(trying);
  let found = await objectsNow(trying, seen.action, began);
  while ((found.count ?? 0) < 1 && performance.now() < endsMs) {
    await pause(countEveryMs);
    found = await objectsNow(trying, seen.action, began);
  }
  return found;
};

const countFaults = (
  { say }: Trying,
  effect: string,
  count: number | undefined,
): readonly string[] => {
  const isDone = effect === 'confirmed' || effect === 'accepted';
  if (!isDone || count === undefined || count === 1) return [];
  return [
    count === 0
      ? say(
          `The action is "${effect}", and nothing is at the destination: what the contract takes for done is not.`,
          `L’action est « ${effect} », et il n’y a rien chez le destinataire : ce que le contrat tient pour fait ne l’est pas.`,
        )
      : say(
          `An undisturbed call made ${count} objects where one should be.`,
          `Un appel non perturbé a fait ${count} objets au lieu d’un.`,
        ),
  ];
};

export const control = async (trying: Trying): Promise<Control> => {
  const { session, say } = trying;
  const began = await before(trying, 'control');
  const { runId } = await session.begin('control');
  const seen = await atRest(session, runId);
  const objects = await countedOnceThere(trying, seen, began);
  const { effect } = seen.action;
  const answer = session.door.calls(began.mark).at(-1);
  const mismatch = say(
    `The destination answered ${answer?.answer?.status}, and the contract does not read that as a success: the action is "${effect}". Compare the success pattern with the answer below.`,
    `Le destinataire a répondu ${answer?.answer?.status}, et le contrat n’y lit pas un succès : l’action est « ${effect} ». Comparez le modèle de succès à la réponse ci-dessous.`,
  );
  const wanted = declaresSuccess(trying) ? ['confirmed'] : ['confirmed', 'accepted'];
  const byReply = seen.journal.observations.some(
    ({ source, says }) =>
      source === 'reply' && (says === 'confirms' || says === 'accepts' || says === 'in_progress'),
  );
  const part = judged({
    id: 'success',
    title: say('An undisturbed call succeeds', 'Un appel non perturbé aboutit'),
    expected: say(
      'The real reply matches the declared success; the call is given to the destination once, and one object is there.',
      'La réponse réelle correspond au succès déclaré ; l’appel est remis une fois au destinataire, et un objet y est.',
    ),
    observed: [
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: [
      ...(wanted.includes(effect) && byReply ? [] : [mismatch]),
      ...countFaults(trying, effect, objects.count),
    ],
    // A contract that says of no reply that it proves the effect promises nothing that a count could refute.
    unseen:
      objects.count === undefined && declaresSuccess(trying) ? [uncounted(trying, objects)] : [],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
  return { part, seen, began };
};

const noKey = ({ say }: Trying): string =>
  say('The contract declares no key.', 'Le contrat ne déclare aucune clé.');

export const keyHonoured = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const about = {
    id: 'key_honoured',
    title: say(
      'The same key and content are sent twice',
      'La même clé et le même contenu sont envoyés deux fois',
    ),
    expected: say(
      'One object; the repeat is answered as the contract says, and both answers name the same object.',
      'Un seul objet ; la répétition reçoit la réponse que dit le contrat, et les deux nomment le même objet.',
    ),
  };
  if (session.contract.key.kind !== 'key') return doesNotApply(about, noKey(trying));
  const startedMs = performance.now();
  const probe = await probeOf(trying, 'twice');
  const first = await sendFirst(trying, probe);
  const second = await sendAgain(trying, probe.action);
  const found = await countOnce(trying, probe, 1);
  return judged({
    ...about,
    observed: [first.text, second.text, countSentence(trying, found)],
    ...judgeRepeat(trying, first, second, found),
    startedMs,
  });
};

/** A destination that looks first and writes then honours its key until two calls come at once. */
export const keyAtOnce = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const about = {
    id: 'key_at_once',
    title: say(
      'The same key and content are sent twice at the same time',
      'La même clé et le même contenu sont envoyés deux fois au même moment',
    ),
    expected: say(
      'One object, whatever is answered.',
      'Un seul objet, quelle que soit la réponse.',
    ),
  };
  if (session.contract.key.kind !== 'key') return doesNotApply(about, noKey(trying));
  const startedMs = performance.now();
  const probe = await probeOf(trying, 'at-once');
  const answers = await Promise.all([
    sendOnce(trying, probe.action),
    sendOnce(trying, probe.action),
  ]);
  const found = await countOnce(trying, probe, 1);
  const [first, second] = answers;
  const observed = [first.text, second.text, countSentence(trying, found)];
  if (!answers.some(({ kind }) => kind === 'done' || kind === 'running'))
    return { ...notRun(about, say('Neither was taken.', 'Aucun n’a été accepté.')), observed };
  return judged({ ...about, observed, ...judgeAtOnce(trying, answers, found), startedMs });
};
