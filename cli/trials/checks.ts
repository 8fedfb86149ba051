// What a contract claims, held against its destination in calm weather: that a success looks as declared, that the look-up
// finds what was just made and says "absent" of what was not, that a key is honoured. Owns: those checks.
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../functions/core/json.ts';
import { isRefused, replyText } from './content.ts';
import { nobody } from './objects.ts';
import {
  type Before,
  before,
  countSentence,
  exhibitOf,
  judged,
  objectsNow,
  proxySentence,
  stateSentence,
  type Trying,
  undecidable,
} from './part.ts';
import type { Part } from './report.ts';
import { NotInTime, until } from './wait.ts';
import { atRest, type Seen } from './watch.ts';

/** An undisturbed call, for the checks that build on it. */
export interface Control {
  readonly part: Part;
  readonly seen: Seen;
  readonly began: Before;
  /** When the destination's answer had come back. */
  readonly answeredMs: number;
}

const declaresSuccess = ({ session }: Trying): boolean => {
  const { success, preset } = session.contract;
  return success.length > 0 || preset !== 'none';
};

export const control = async (trying: Trying): Promise<Control> => {
  const { session, say } = trying;
  const began = await before(trying, 'control');
  const { runId } = await session.begin('control');
  const seen = await atRest(session, runId);
  const answeredMs = performance.now();
  const objects = await objectsNow(trying, seen.action, began);
  const { effect } = seen.action;
  const [answer] = session.door.calls(began.mark);
  const status = answer?.answer?.status;
  const mismatch = say(
    `The destination answered ${status}, and the contract does not read that as a success: the action is "${effect}". Compare the success pattern with the answer below.`,
    `Le destinataire a répondu ${status}, et le contrat n’y lit pas un succès : l’action est « ${effect} ». Comparez le modèle de succès à la réponse ci-dessous.`,
  );
  const wanted = declaresSuccess(trying) ? ['confirmed'] : ['confirmed', 'accepted'];
  const byReply = seen.journal.observations.some(
    ({ source, says }) => source === 'reply' && (says === 'confirms' || says === 'accepts'),
  );
  const part = judged({
    id: 'success',
    title: say('An undisturbed call succeeds', 'Un appel non perturbé aboutit'),
    expected: say(
      'The real reply matches the declared success; the call is given to the destination once.',
      'La réponse réelle correspond au succès déclaré ; l’appel est remis une fois au destinataire.',
    ),
    observed: [
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: wanted.includes(effect) && byReply ? [] : [mismatch],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
  return { part, seen, began, answeredMs };
};

const succeeded = ({ seen }: Control): boolean =>
  seen.action.effect === 'confirmed' || seen.action.effect === 'accepted';

/** Given beyond the settle time, so that a lag can be measured and told. */
const graceMs = (settleMs: number): number => Math.max(10_000, settleMs * 3);

const lookedFor = async (trying: Trying, { seen }: Control, settleMs: number) => {
  const readings: string[] = [];
  const hit = await until('the look-up found it', settleMs + graceMs(settleMs), async () => {
    const reading = await trying.session.destination.lookUp(seen.action);
    if (reading !== undefined && readings.at(-1) !== reading.because)
      readings.push(reading.because);
    return reading?.result === 'hit' || reading?.result === 'natural_hit' ? true : undefined;
  }).catch((cause: unknown) => {
    if (cause instanceof NotInTime) return false;
    throw cause;
  });
  return { hit, readings };
};

export const lookUpFinds = async (trying: Trying, done: Control): Promise<Part> => {
  const { session, say } = trying;
  const { lookUp } = session.contract;
  const about = {
    id: 'look_up_finds',
    title: say(
      'The look-up finds what was just made',
      'La recherche trouve ce qui vient d’être fait',
    ),
    expected: say(
      `Within the settle time (${lookUp?.settleMs ?? 0} ms), by what the contract declares, and the compared arguments match.`,
      `Dans le délai déclaré (${lookUp?.settleMs ?? 0} ms), par ce que le contrat déclare, et les arguments comparés correspondent.`,
    ),
  };
  if (lookUp === undefined)
    return undecidable(
      about,
      say('The contract declares no look-up.', 'Le contrat ne déclare aucune recherche.'),
    );
  if (!succeeded(done))
    return undecidable(
      about,
      say('The undisturbed call did not succeed.', 'L’appel non perturbé n’a pas abouti.'),
    );
  const startedMs = performance.now();
  const { hit, readings } = await lookedFor(trying, done, lookUp.settleMs);
  const lagMs = Math.round(performance.now() - done.answeredMs);
  const never = say(
    `The look-up does not find what was just made: ${readings.at(-1)}`,
    `La recherche ne trouve pas ce qui vient d’être fait : ${readings.at(-1)}`,
  );
  const late = say(
    `The look-up found it after ${lagMs} ms; the contract says that ${lookUp.settleMs} ms suffice. An empty look-up in between would have passed for proof.`,
    `La recherche l’a trouvé après ${lagMs} ms ; le contrat dit que ${lookUp.settleMs} ms suffisent. Entre-temps, une recherche vide aurait passé pour une preuve.`,
  );
  // A look on the way takes its time as well; the first one that found it at once is no lag.
  const lags = readings.length > 1 && lagMs > lookUp.settleMs;
  const found = say(`Found after ${lagMs} ms.`, `Trouvé après ${lagMs} ms.`);
  return judged({
    ...about,
    observed: [...readings, ...(hit ? [found] : [])],
    faults: hit ? (lags ? [late] : []) : [never],
    startedMs,
  });
};

export const lookUpMisses = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const { lookUp, destination } = session.contract;
  const about = {
    id: 'look_up_misses',
    title: say(
      'The look-up says "absent" of what was never made',
      'La recherche dit « absent » de ce qui n’a jamais été fait',
    ),
    expected: say(
      'The answer has the declared form of "absent".',
      'La réponse a la forme déclarée pour « absent ».',
    ),
  };
  if (lookUp?.by !== 'reference')
    return undecidable(
      about,
      say(
        'The contract declares no look-up by reference.',
        'Le contrat ne déclare aucune recherche par référence.',
      ),
    );
  const startedMs = performance.now();
  const never = nobody(session.argumentsOf('control'), destination);
  const reading = await session.destination.lookUp(never);
  return judged({
    ...about,
    observed: [`${never.actionId}: ${reading?.because}`],
    faults:
      reading?.result === 'miss'
        ? []
        : [
            say(
              `The look-up of a reference that nobody ever used came to "${reading?.result}", not to "miss".`,
              `La recherche d’une référence jamais employée donne « ${reading?.result} », et non « miss ».`,
            ),
          ],
    startedMs,
  });
};

export const sameSystem = (trying: Trying): Part => {
  const { session, say } = trying;
  const { lookUp, destination } = session.contract;
  const about = {
    id: 'same_system',
    title: say(
      'The look-up covers the account and environment that the tool writes to',
      'La recherche couvre le compte et l’environnement où l’outil écrit',
    ),
    expected: `${destination.account} / ${destination.environment}`,
  };
  if (lookUp === undefined)
    return undecidable(
      about,
      say('The contract declares no look-up.', 'Le contrat ne déclare aucune recherche.'),
    );
  const { coverage } = lookUp;
  const same =
    coverage.account === destination.account && coverage.environment === destination.environment;
  return judged({
    ...about,
    observed: [`${coverage.account} / ${coverage.environment}`],
    faults: same
      ? []
      : [
          say(
            'The look-up covers another account or environment; what it finds or misses there proves nothing.',
            'La recherche couvre un autre compte ou environnement ; ce qu’elle y trouve ou non ne prouve rien.',
          ),
        ],
    startedMs: performance.now(),
  });
};

const keyFaults = (
  { session, say }: Trying,
  seen: { readonly refused: boolean; readonly count: number | undefined },
): readonly string[] => {
  const { key } = session.contract;
  const faults: string[] = [];
  if (seen.count !== undefined && seen.count > 1)
    faults.push(
      say(
        `The key is ignored: the same key sent twice made ${seen.count} objects.`,
        `La clé est ignorée : la même clé envoyée deux fois a fait ${seen.count} objets.`,
      ),
    );
  if (key.kind === 'key' && key.onRepeat === 'error' && !seen.refused)
    faults.push(
      say(
        'The contract says that a repeat is an error; the destination took it.',
        'Le contrat dit qu’une répétition est une erreur ; le destinataire l’a acceptée.',
      ),
    );
  if (key.kind === 'key' && key.onRepeat !== 'error' && seen.refused)
    faults.push(
      say(
        'The contract says that a repeat returns the first result; the destination refused it.',
        'Le contrat dit qu’une répétition rend le premier résultat ; le destinataire l’a refusée.',
      ),
    );
  return faults;
};

export const keyHonoured = async (trying: Trying, done: Control): Promise<Part> => {
  const { session, say } = trying;
  const { key } = session.contract;
  const about = {
    id: 'key_honoured',
    title: say(
      'The same key and content are sent twice',
      'La même clé et le même contenu sont envoyés deux fois',
    ),
    expected: say(
      'One object; the repeat is answered as the contract says.',
      'Un seul objet ; la répétition reçoit la réponse que dit le contrat.',
    ),
  };
  if (key.kind !== 'key')
    return undecidable(
      about,
      say('The contract declares no key.', 'Le contrat ne déclare aucune clé.'),
    );
  if (!succeeded(done))
    return undecidable(
      about,
      say('The undisturbed call did not succeed.', 'L’appel non perturbé n’a pas abouti.'),
    );
  const startedMs = performance.now();
  const { action } = done.seen;
  const args: JsonObject = action.arguments;
  const report = await session.destination.send(session.subject.tool, args, action.actionId);
  const objects = await settledCount(trying, done);
  if (objects.count === undefined && !isRefused(report))
    return undecidable(
      about,
      say(
        `The repeat was answered (${replyText(report)}), and nothing can count the objects. Give an exhibit.`,
        `La répétition a reçu une réponse (${replyText(report)}), et rien ne peut compter les objets. Donnez une pièce (--exhibit).`,
      ),
    );
  return judged({
    ...about,
    observed: [replyText(report), countSentence(trying, objects)],
    faults: keyFaults(trying, { refused: isRefused(report), count: objects.count }),
    startedMs,
  });
};

const countEveryMs = 250;

/** A second object may take the settle time to show. */
const settledCount = async (trying: Trying, { seen, began }: Control) => {
  const { lookUp } = trying.session.contract;
  const endsMs = performance.now() + Math.min(lookUp?.settleMs ?? 0, 30_000);
  let found = await objectsNow(trying, seen.action, began);
  while ((found.count ?? 0) < 2 && performance.now() < endsMs) {
    await pause(countEveryMs);
    found = await objectsNow(trying, seen.action, began);
  }
  return found;
};
