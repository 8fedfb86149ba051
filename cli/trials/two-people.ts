// Two people take up the same sheet: one gets it, and only that one's decision counts. Owns: that trial.
import {
  type Claimed,
  careful,
  claim,
  decide,
  isOpen,
  permissionsOnceQuiet,
  refusalSentence,
} from './desk.ts';
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
  uncounted,
} from './part.ts';
import type { Part } from './report/report.ts';
import { look, type Seen, watch } from './watch.ts';

/** The outcome stays unknown as long as the replies are lost and the look-ups find nobody. */
const keepUnknown = ({ session }: Trying): (() => void) => {
  session.door.usual({ do: 'cut_after' });
  for (const door of session.looks) door.usual({ do: 'cut_before' });
  return () => {
    session.door.usual({ do: 'pass' });
    for (const door of session.looks) door.usual({ do: 'pass' });
  };
};

const expectation = ({ say }: Trying): string =>
  say(
    'Of two claims made at once, one is given and the other is told who holds it. The other’s decision is refused. The holder’s is recorded. Nothing more is sent.',
    'De deux prises en charge simultanées, une seule est accordée ; l’autre personne apprend qui l’a. Sa décision est refusée. Celle du détenteur est enregistrée. Plus rien n’est envoyé.',
  );

/** What one side of the race came to. */
interface Raced {
  readonly observed: readonly string[];
  readonly faults: readonly string[];
}

/** Both decide; only the holder's word may count. */
const bothDecide = async (
  trying: Trying,
  began: Before,
  { runId, action }: { readonly runId: string; readonly action: Seen['action'] },
  { holder, other }: { readonly holder: Claimed; readonly other: Claimed },
): Promise<Raced> => {
  const { session, say } = trying;
  const { actionId } = action;
  const fence = holder.fence ?? 0;
  await permissionsOnceQuiet(session, holder.person, actionId);
  const marked = session.door.mark();
  const found = await objectsNow(trying, action, began);
  const late = await decide(session, other.person, actionId, fence, careful(found));
  const taken = await decide(session, holder.person, actionId, fence, careful(found));
  const faults = [
    ...(late.status >= 400
      ? []
      : [
          say(
            'The decision of somebody who does not hold the claim was taken.',
            'La décision d’une personne sans prise en charge a été acceptée.',
          ),
        ]),
    ...(taken.status < 300
      ? []
      : [
          say(
            `The holder’s decision was refused: ${refusalSentence(taken)}`,
            `La décision du détenteur a été refusée : ${refusalSentence(taken)}`,
          ),
        ]),
  ];
  await watch(session, runId, 'the decision reached the run', (seen) => {
    return seen.action.told !== undefined;
  });
  const sent = say(
    'Something was sent after the claim was given.',
    'Quelque chose a été envoyé après la prise en charge.',
  );
  return {
    observed: [refusalSentence(late)],
    faults: session.door.mark() === marked ? faults : [...faults, sent],
  };
};

const race = async (
  trying: Trying,
  began: Before,
  open: { readonly runId: string; readonly action: Seen['action'] },
): Promise<Raced> => {
  const { session, say } = trying;
  const claims = await Promise.all([
    claim(session, 'ana', open.action.actionId),
    claim(session, 'lea', open.action.actionId),
  ]);
  const holders = claims.filter(({ fence }) => fence !== undefined);
  const given = say(
    `Claims given: ${holders.length} of 2.`,
    `Prises en charge accordées : ${holders.length} sur 2.`,
  );
  const [holder] = holders;
  const other = claims.find(({ fence }) => fence === undefined);
  if (holder === undefined || other === undefined) return { observed: [], faults: [given] };
  const decided = await bothDecide(trying, began, open, { holder, other });
  return {
    observed: [given, refusalSentence(other.answer), ...decided.observed],
    faults: decided.faults,
  };
};

export const twoPeople = async (trying: Trying): Promise<Part> => {
  const { session, say } = trying;
  const began = await before(trying, 'two-people');
  const restore = keepUnknown(trying);
  const { runId } = await session.begin('two-people');
  const { action } = await watch(session, runId, 'the outcome is open', isOpen);
  const raced = await race(trying, began, { runId, action });
  restore();
  const seen = await look(session, action.actionId);
  const objects = await objectsNow(trying, action, began);
  const notOne = say(
    `There are ${objects.count} objects at the destination where one should be.`,
    `Il y a ${objects.count} objets chez le destinataire au lieu d’un.`,
  );
  return judged({
    id: 'two-people',
    title: say('Two people take up the same sheet', 'Deux personnes reprennent la même fiche'),
    expected: expectation(trying),
    observed: [
      ...raced.observed,
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: [
      ...raced.faults,
      ...(objects.count === undefined || objects.count === 1 ? [] : [notOne]),
    ],
    unseen:
      objects.count === undefined && session.door.counts(began.mark).forwarded > 1
        ? [uncounted(trying, objects)]
        : [],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
};
