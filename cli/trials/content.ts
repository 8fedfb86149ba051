// The content changes between two attempts. Owns: that trial's two sides: the product must not send what was not approved,
// and the destination must not take other content under a key it knows.

import { ActionId } from '../../functions/core/base/ids.ts';
import { canonicalJson, type Json, type JsonObject } from '../../functions/core/base/json.ts';
import type { ToolReport } from '../../functions/ports/tool.ts';
import { firstAttemptEnded } from './interrupted.ts';
import {
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
  if (Object.keys(change).length === 0) return undecidable(about, noChange(trying));
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

const noChange = ({ say }: Trying): string =>
  say(
    'No argument could be changed. Give --changed-arguments FILE.',
    'Aucun argument n’a pu être modifié. Donnez --changed-arguments FICHIER.',
  );

/** A refusal that the destination itself gave, in HTTP or in MCP. */
export const isRefused = (report: ToolReport): boolean => {
  if (report.kind !== 'reply') return false;
  const { status, body } = report.reply;
  const says = typeof body === 'object' && body !== null && 'isError' in body && body.isError;
  return status >= 400 || says === true;
};

export const replyText = (report: ToolReport): string =>
  report.kind === 'reply'
    ? `${report.reply.status} ${JSON.stringify(report.reply.body ?? null).slice(0, 400)}`
    : `${report.kind}${'because' in report ? `: ${report.because}` : ''}`;

/** Other content under the key of an action that the destination has carried out. */
export const otherContentSameKey = async (
  trying: Trying,
  done: { readonly actionId: string; readonly arguments: JsonObject } | undefined,
): Promise<Part> => {
  const { session, say } = trying;
  const { key } = session.contract;
  const about = {
    id: 'content-same-key',
    title: say(
      'Other content is sent under a key that the destination knows',
      'Un autre contenu est envoyé sous une clé que le destinataire connaît',
    ),
    expected: say(
      'The destination makes no second object of it, and refuses it if the contract says that it compares parameters.',
      'Le destinataire n’en fait pas un second objet, et refuse si le contrat dit qu’il compare les paramètres.',
    ),
  };
  const change = changeFor(trying, 'changed');
  if (key.kind !== 'key')
    return undecidable(
      about,
      say('The contract declares no key.', 'Le contrat ne déclare aucune clé.'),
    );
  if (Object.keys(change).length === 0) return undecidable(about, noChange(trying));
  if (done === undefined)
    return undecidable(
      about,
      say('The undisturbed call did not succeed.', 'L’appel non perturbé n’a pas abouti.'),
    );
  const startedMs = performance.now();
  const report = await session.destination.send(
    session.subject.tool,
    { ...done.arguments, ...change },
    done.actionId,
  );
  const { destination } = session.contract;
  const found = await session.destination.find({
    actionId: ActionId.parse(done.actionId),
    arguments: done.arguments,
    destination,
  });
  const refused = isRefused(report);
  return judged({
    ...about,
    observed: [replyText(report), countSentence(trying, found)],
    faults: [
      ...(key.comparesParameters && !refused
        ? [
            say(
              'The contract says that the destination compares parameters; it took other ones under the same key.',
              'Le contrat dit que le destinataire compare les paramètres ; il en a accepté d’autres sous la même clé.',
            ),
          ]
        : []),
      ...(found.count !== undefined && found.count > 1
        ? [
            say(
              `There are ${found.count} objects under one key.`,
              `Il y a ${found.count} objets sous une seule clé.`,
            ),
          ]
        : []),
    ],
    startedMs,
  });
};
