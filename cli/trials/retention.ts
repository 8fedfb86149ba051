// The destination's memory of the key is over before the outcome is known. Owns: that trial. The twin's clock is put
// forward; the destination keeps real time, so what is tried is that we stop trusting the key, not that it forgets.
import { careful, claim, decide, isOpen, permissionsOnceQuiet } from './desk.ts';
import {
  type Before,
  before,
  countSentence,
  doesNotApply,
  exhibitOf,
  judged,
  objectsNow,
  proxySentence,
  stateSentence,
  type Trying,
} from './part.ts';
import type { Part } from './report/report.ts';
import { until } from './wait.ts';
import { atRest, type Seen, watch } from './watch.ts';

const about = ({ say }: Trying) => ({
  id: 'retention',
  title: say(
    'The key’s retention is over before the outcome is known',
    'La durée de conservation de la clé s’achève avant que l’issue soit connue',
  ),
  expected: say(
    'Nothing is sent again under the key: not by the product, and a person’s repeat is refused with the date. The look-up, if there is one, still tells.',
    'Rien n’est renvoyé sous la clé : ni par le produit, ni par une personne, à qui la répétition est refusée avec la date. La recherche, s’il y en a une, renseigne toujours.',
  ),
});

/** A person tries to repeat; the words of the refusal, or what is wrong about it. */
const triesToRepeat = async (trying: Trying, { action }: Seen, began: Before) => {
  const { session, say } = trying;
  const { actionId } = action;
  const { fence } = await claim(session, 'ana', actionId);
  if (fence === undefined)
    return { observed: [], faults: [say('Nobody could claim it.', 'Personne n’a pu la prendre.')] };
  const allowed = await permissionsOnceQuiet(session, 'ana', actionId);
  const repeat = allowed.get('repeat');
  const observed = [
    say(
      `A person may repeat it: ${repeat?.allowed === true ? 'yes' : 'no'}. ${repeat?.reason ?? ''}`,
      `Une personne peut répéter : ${repeat?.allowed === true ? 'oui' : 'non'}. ${repeat?.reason ?? ''}`,
    ),
  ];
  const faults =
    repeat?.because === 'key_retention_passed'
      ? []
      : [
          say(
            `A repeat was not refused for the key’s age (${repeat?.because ?? 'allowed'}).`,
            `La répétition n’a pas été refusée pour l’âge de la clé (${repeat?.because ?? 'permise'}).`,
          ),
        ];
  for (const door of session.looks) door.usual({ do: 'pass' });
  const found = await objectsNow(trying, action, began);
  await decide(session, 'ana', actionId, fence, careful(found));
  return { observed, faults };
};

const triesIt = async (trying: Trying, retentionMs: number): Promise<Part> => {
  const { session, say } = trying;
  const began = await before(trying, 'retention');
  session.door.next({ do: 'hold_after' });
  for (const door of session.looks) door.usual({ do: 'cut_before' });
  const { runId } = await session.begin('retention');
  await until('the answer is held at the proxy', session.limitMs, async () => {
    await watch(session, runId, 'the action can be read', () => true);
    return session.door.calls(began.mark).at(-1)?.answer === undefined ? undefined : true;
  });
  await session.twin.jump(retentionMs);
  const open = await watch(session, runId, 'the outcome is open', isOpen);
  session.door.release();
  const tried = await triesToRepeat(trying, open, began);
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const { forwarded } = session.door.counts(began.mark);
  const again = say(
    `The destination was given the call ${forwarded} times.`,
    `Le destinataire a reçu l’appel ${forwarded} fois.`,
  );
  return judged({
    ...about(trying),
    observed: [
      say(
        `The product’s clock was put forward by ${Math.round(retentionMs / 3_600_000)} h; the destination kept real time.`,
        `L’horloge du produit a été avancée de ${Math.round(retentionMs / 3_600_000)} h ; le destinataire a gardé le temps réel.`,
      ),
      ...tried.observed,
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: [...tried.faults, ...(forwarded === 1 ? [] : [again])],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
};

export const retentionExceeded = async (trying: Trying): Promise<Part> => {
  const { key } = trying.session.contract;
  const { say } = trying;
  if (key.kind !== 'key')
    return doesNotApply(
      about(trying),
      say(
        'The contract declares no key, so that nothing could be trusted for too long.',
        'Le contrat ne déclare aucune clé ; rien ne pourrait être cru trop longtemps.',
      ),
    );
  if (key.onRepeat === 'error' || key.onRepeat === 'overwrites')
    return doesNotApply(
      about(trying),
      say(
        'A repeat under the key is an error, or would overwrite, so that the key is never used to repeat.',
        'Une répétition sous la clé est une erreur, ou écraserait ; la clé ne sert donc jamais à répéter.',
      ),
    );
  return triesIt(trying, key.retentionMs);
};
