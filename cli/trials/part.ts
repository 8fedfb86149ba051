// One part of a trial: the call, its exhibit, and the judgement of what was observed against what had to be. Owns: that form,
// and counting objects from before the call, so that what was there already is not held against it.
import { at, canonicalJson, type Json } from '../../functions/core/base/json.ts';
import type { LookedUp } from '../../functions/core/recover/look-up.ts';
import type { Say } from '../kit/speech.ts';
import { type Found, nobody } from './objects.ts';
import type { Part, PartExhibit } from './report/report.ts';
import type { SceneName, Session } from './session.ts';
import { journalOf, type Seen } from './watch.ts';

/** What every trial is given. */
export interface Trying {
  readonly session: Session;
  readonly say: Say;
  /** References of the calls that the trials sent themselves, past the product: they are left at the destination. */
  readonly sent: Set<string>;
}

/** Taken before a call: the proxy's count, what is at the destination already, and the time. */
export interface Before {
  readonly mark: number;
  readonly there: Found;
  readonly startedMs: number;
}

export const before = async ({ session }: Trying, scene: SceneName): Promise<Before> => {
  const args = session.argumentsOf(scene);
  const { destination } = session.subject.tool.contract;
  return {
    mark: session.door.mark(),
    there: await session.destination.find(nobody(args, destination)),
    startedMs: performance.now(),
  };
};

const shownMax = 3;

/** What is at the destination now for this action, without what was there before. */
export const objectsNow = async (
  { session }: Trying,
  action: LookedUp,
  { there }: Before,
): Promise<Found> => {
  return since(await session.destination.find(action), there);
};

/** What is there now and was not before. What was there and is there unchanged shows nothing of a call. */
export const since = (found: Found, there: Found): Found => {
  const { identity } = found;
  const nameOf = (one: Json): string =>
    canonicalJson((identity === undefined ? undefined : at(one, identity)) ?? one);
  const known = new Set(there.objects.map(nameOf));
  const objects = found.objects.filter((one: Json) => !known.has(nameOf(one)));
  if (found.count === undefined) return found;
  if (objects.length === 0 && found.objects.length > 0)
    return {
      ...found,
      count: undefined,
      objects,
      because:
        'What is there was there before, and looks the same. Put {{unique}} into the sample arguments.',
    };
  return { ...found, count: objects.length, objects };
};

export const exhibitOf = (
  { session }: Trying,
  seen: Seen,
  objects: Found,
  { mark }: Before,
): PartExhibit => {
  const { action } = seen;
  const answers = session.door
    .calls(mark)
    .flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  return {
    actionId: action.actionId,
    reference: action.actionId,
    effect: action.effect,
    disposition: action.disposition.kind,
    attempts: action.attempts,
    ...(action.told === undefined ? {} : { told: action.told.text }),
    objects: {
      by: objects.by,
      ...(objects.tool === undefined ? {} : { tool: objects.tool }),
      asked: objects.asked,
      ...(objects.count === undefined ? {} : { count: objects.count }),
      found: objects.objects.slice(0, shownMax),
      ...(objects.because === undefined ? {} : { because: objects.because }),
    },
    proxy: session.door.counts(mark),
    answers: answers.map(({ status, body }) => ({ status, body: body.slice(0, 2_000) })),
    journal: [...journalOf(seen)],
  };
};

/** A sentence that says what was counted. */
export const countSentence = ({ say }: Trying, objects: Found): string => {
  if (objects.count === undefined)
    return say(
      `How many objects are at the destination cannot be counted: ${objects.because}`,
      `Le nombre d’objets chez le destinataire ne peut être compté : ${objects.because}`,
    );
  return say(
    `Objects at the destination: ${objects.count} (${objects.by === 'exhibit' ? 'exhibit' : 'look-up'} "${objects.tool}").`,
    `Objets chez le destinataire : ${objects.count} (${objects.by === 'exhibit' ? 'pièce' : 'recherche'} « ${objects.tool} »).`,
  );
};

export const proxySentence = ({ session, say }: Trying, { mark }: Before): string => {
  const { received, forwarded, answered, delivered } = session.door.counts(mark);
  return say(
    `At the proxy: ${received} received, ${forwarded} given to the destination, ${answered} answered, ${delivered} answers passed on.`,
    `Au proxy : ${received} reçus, ${forwarded} remis au destinataire, ${answered} répondus, ${delivered} réponses transmises.`,
  );
};

export const stateSentence = ({ say }: Trying, { action }: Seen): string => {
  const reference = action.reference === undefined ? '' : `, ${action.reference}`;
  return say(
    `The action is "${action.effect}" after ${action.attempts} attempt(s)${reference}.`,
    `L’action est « ${action.effect} » après ${action.attempts} tentative(s)${reference}.`,
  );
};

export interface Judged {
  readonly id: string;
  readonly title: string;
  readonly expected: string;
  readonly observed: readonly string[];
  /** Why it fails; empty: nothing failed. */
  readonly faults: readonly string[];
  /** What nothing could see; then it is not run, unless it failed. Default: all of it was seen. */
  readonly unseen?: readonly string[];
  readonly exhibit?: PartExhibit;
  readonly startedMs: number;
}

export const judged = (part: Judged): Part => ({
  id: part.id,
  title: part.title,
  expected: part.expected,
  observed: [...part.observed],
  verdict: part.faults.length > 0 ? 'fail' : (part.unseen ?? []).length > 0 ? 'not_run' : 'pass',
  because: [...(part.faults.length > 0 ? part.faults : (part.unseen ?? []))],
  ...(part.exhibit === undefined ? {} : { exhibit: part.exhibit }),
  tookMs: Math.round(performance.now() - part.startedMs),
});

type About = Pick<Judged, 'id' | 'title' | 'expected'>;
const without = (verdict: 'not_run' | 'does_not_apply', about: About, because: string): Part => ({
  id: about.id,
  title: about.title,
  expected: about.expected,
  observed: [],
  verdict,
  because: [because],
  tookMs: 0,
});

/** It could not be tried. */
export const notRun = (about: About, because: string): Part => without('not_run', about, because);

/** The contract promises nothing of the kind. */
export const doesNotApply = (about: About, because: string): Part =>
  without('does_not_apply', about, because);

/** The destination or this machine did not answer in a way that tells anything; another try may. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}

/** That nothing can count, and what would: for a trial whose outcome only a count shows. */
export const uncounted = ({ say }: Trying, { because }: Found): string =>
  say(
    `Nothing could count what is at the destination: ${because} Give an exhibit: a read tool that lists it ("exhibit" in the file, or npx reprise trials init).`,
    `Rien n’a pu compter ce qui est chez le destinataire : ${because} Donnez une pièce : un outil de lecture qui l’énumère (« exhibit » dans le fichier, ou npx reprise trials init).`,
  );
