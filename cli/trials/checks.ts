// What a contract claims, held against its destination in calm weather: that a success looks as declared, and that a key is
// honoured. Owns: those checks; the look-up's are beside it.
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../functions/core/base/json.ts';
import { repeatIsRefused } from '../../functions/core/perform/finding.ts';
import { replyText } from './content.ts';
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

export const control = async (trying: Trying): Promise<Control> => {
  const { session, say } = trying;
  const began = await before(trying, 'control');
  const { runId } = await session.begin('control');
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const { effect } = seen.action;
  const [answer] = session.door.calls(began.mark);
  const status = answer?.answer?.status;
  const mismatch = say(
    `The destination answered ${status}, and the contract does not read that as a success: the action is "${effect}". Compare the success pattern with the answer below.`,
    `Le destinataire a répondu ${status}, et le contrat n’y lit pas un succès : l’action est « ${effect} ». Comparez le modèle de succès à la réponse ci-dessous.`,
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
      'La réponse réelle correspond au succès déclaré ; l’appel est remis une fois au destinataire.',
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
  return { part, seen, began };
};

const succeeded = ({ seen }: Control): boolean =>
  seen.action.effect === 'confirmed' || seen.action.effect === 'accepted';

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
        `La clé est ignorée : la même clé envoyée deux fois a fait ${seen.count} objets.`,
      ),
    );
  if (key.kind === 'key' && key.onRepeat === 'error' && !seen.refused)
    faults.push(
      say(
        'The contract says that a repeat is an error; the destination took it.',
        'Le contrat dit qu’une répétition est une erreur ; le destinataire l’a acceptée.',
      ),
    );
  if (key.kind === 'key' && key.onRepeat !== 'error' && seen.refused)
    faults.push(
      say(
        'The contract says that a repeat returns the first result; the destination refused it.',
        'Le contrat dit qu’une répétition rend le premier résultat ; le destinataire l’a refusée.',
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
      'Un seul objet ; la répétition reçoit la réponse que dit le contrat.',
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
  const tried = { ...session.subject.tool, contract: session.contract };
  const refused = report.kind === 'reply' && repeatIsRefused(tried, report.reply);
  if (objects.count === undefined && !refused)
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
    faults: keyFaults(trying, { refused, count: objects.count }),
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
