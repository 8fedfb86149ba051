// The content changes between two attempts. Owns: the product's side of that trial: it must not send what was not approved.
// The destination's side, other content under a key it knows, is beside it.
import { canonicalJson, type Json, type JsonObject } from '../../functions/core/base/json.ts';
import { firstAttemptEnded } from './interrupted.ts';
import {
  before,
  countSentence,
  exhibitOf,
  judged,
  notRun,
  objectsNow,
  proxySentence,
  stateSentence,
  type Trying,
} from './part.ts';
import type { Part } from './report/report.ts';
import { withUnique } from './subject.ts';
import { until } from './wait.ts';
import { actionOf, atRest } from './watch.ts';

/** The arguments that differ between the sample and its changed form. */
const changeFor = ({ session }: Trying, unique: string): JsonObject => {
  const sample = session.subject.arguments;
  const changed = Object.entries(session.subject.changed).filter(
    ([name, value]: [string, Json]) =>
      sample[name] === undefined || canonicalJson(sample[name]) !== canonicalJson(value),
  );
  return withUnique(Object.fromEntries(changed), unique);
};

const productTitle = ({ say }: Trying): string =>
  say(
    'The stored content is changed between two attempts',
    'Le contenu enregistré est modifié entre deux tentatives',
  );
const productExpected = ({ say }: Trying): string =>
  say(
    'The digest no longer fits: no further attempt is made, nothing reaches the destination, the agent is told.',
    'L’empreinte ne correspond plus : aucune autre tentative, rien n’atteint le destinataire, l’agent en est informé.',
  );

/** Between two attempts: while none is open, and before the last was made. */
const changeStored = (
  { session }: Trying,
  actionId: string,
  change: JsonObject,
): Promise<boolean> =>
  until('the stored content could be changed between two attempts', session.limitMs, async () => {
    const how = await session.twin.tamper(actionId, change);
    if (how === 'over') throw new Error('All attempts were made before anything could be changed');
    return how === '' ? true : undefined;
  });

export const contentChanged = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const change = changeFor(trying, 'changed');
  const about = { id: 'content', title: productTitle(trying), expected: productExpected(trying) };
  if (Object.keys(change).length === 0) return notRun(about, noChange(trying));
  const began = await before(trying, 'content');
  await session.door.shut();
  const { runId } = await session.begin('content');
  const { actionId } = await actionOf(session, runId);
  await firstAttemptEnded(session, runId);
  await changeStored(trying, actionId, change);
  await session.door.open();
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const counts = session.door.counts(began.mark);
  const faults = [
    ...(counts.forwarded === 0
      ? []
      : [say('The changed content was sent.', 'Le contenu modifié a été envoyé.')]),
    ...(objects.count === undefined || objects.count === 0
      ? []
      : [
          say(
            `There are ${objects.count} objects at the destination.`,
            `Il y a ${objects.count} objets chez le destinataire.`,
          ),
        ]),
  ];
  return judged({
    ...about,
    observed: [
      say(
        `Changed in the store, behind the product’s back: ${Object.keys(change).join(', ')}.`,
        `Modifié dans la base, à l’insu du produit : ${Object.keys(change).join(', ')}.`,
      ),
      stateSentence(trying, seen),
      seen.action.told?.text ?? say('The agent was told nothing.', 'L’agent n’a rien appris.'),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults,
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
};

export const noChange = ({ say }: Trying): string =>
  say(
    'No argument could be changed. Give --changed-arguments FILE.',
    'Aucun argument n’a pu être modifié. Donnez --changed-arguments FICHIER.',
  );
