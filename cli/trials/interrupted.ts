// The trials that interrupt one call on its way: connection refused, request dropped, reply lost, product killed while the
// destination still works. Owns: how each is arranged; what it must lead to is expectation.ts's to say.
import { setTimeout as pause } from 'node:timers/promises';
import { Json } from '../../functions/core/base/json.ts';
import { answerOf } from './answer.ts';
import {
  expectationSentence,
  expectedAfter,
  faultsAgainst,
  type Interruption,
  wayOf,
} from './expectation.ts';
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
import type { SceneName, Session } from './session.ts';
import { until } from './wait.ts';
import { actionOf, atRest, look, type Seen, watch } from './watch.ts';

interface Arranged {
  readonly scene: SceneName;
  readonly title: string;
  readonly interruption: Interruption;
  /** Begins the run and disturbs it; what it has to tell beside the usual. */
  disturb(trying: Trying): Promise<{ readonly runId: string; readonly told: readonly string[] }>;
}

/** Two answers to one action that name different objects, also where one of them was lost on the way. */
const doubleAnswers = (
  { session, say }: Trying,
  { action }: Seen,
  { mark }: Before,
): readonly string[] => {
  const { tool } = session.subject;
  if (tool.transport.kind !== 'http') return [];
  const answers = session.door
    .calls(mark)
    .flatMap(({ answer }) =>
      answer === undefined ? [] : [answerOf(tool, { kind: 'reply', reply: replyFrom(answer) })],
    );
  const named = new Set(
    answers.flatMap((answer) =>
      answer.kind === 'done' && answer.reference !== undefined ? [answer.reference] : [],
    ),
  );
  if (named.size < 2) return [];
  return [
    say(
      `The answers to ${action.actionId} name different objects: ${[...named].join(', ')}. It was done twice.`,
      `Les réponses à ${action.actionId} nomment des objets différents : ${[...named].join(', ')}. C’est fait deux fois.`,
    ),
  ];
};

const replyFrom = ({ status, body }: { readonly status: number; readonly body: string }) => {
  const whole = { status, headers: {}, bytes: body.length };
  try {
    return { ...whole, body: Json.parse(JSON.parse(body)) };
  } catch {
    return { ...whole, body: body === '' ? undefined : body };
  }
};

const interrupted = async (trying: Trying, arranged: Arranged): Promise<Part> => {
  const { session, say } = trying;
  const { scene, title, interruption } = arranged;
  const way = wayOf(session.contract);
  const expected = expectedAfter(interruption, way);
  const began = await before(trying, scene);
  const { runId, told } = await arranged.disturb(trying);
  const seen = await atRest(session, runId);
  const objects = await objectsNow(trying, seen.action, began);
  const counts = session.door.counts(began.mark);
  return judged({
    id: scene,
    title,
    expected: expectationSentence(expected, way, say),
    observed: [
      ...told,
      stateSentence(trying, seen),
      proxySentence(trying, began),
      countSentence(trying, objects),
    ],
    faults: [
      ...faultsAgainst(expected, { seen, counts, objects }, say),
      ...doubleAnswers(trying, seen, began),
    ],
    // What was given to the destination once cannot be there twice; what was given again, only a count tells.
    unseen: objects.count === undefined && counts.forwarded > 1 ? [uncounted(trying, objects)] : [],
    exhibit: exhibitOf(trying, seen, objects, began),
    startedMs: began.startedMs,
  });
};

/** Waits until the first attempt has ended. */
export const firstAttemptEnded = (session: Session, runId: string): Promise<Seen> =>
  watch(session, runId, 'the first attempt ended', ({ journal }) => journal.ends.length > 0);

export const refused = (trying: Trying): Promise<Part> =>
  interrupted(trying, {
    scene: 'refused',
    title: trying.say(
      'The connection is refused: not one byte leaves',
      'La connexion est refusée : pas un octet ne part',
    ),
    interruption: 'not_transmitted',
    disturb: async ({ session }) => {
      await session.door.shut();
      try {
        const { runId } = await session.begin('refused');
        await firstAttemptEnded(session, runId);
        return { runId, told: [] };
      } finally {
        await session.door.open();
      }
    },
  });

export const dropped = (trying: Trying): Promise<Part> =>
  interrupted(trying, {
    scene: 'dropped',
    title: trying.say(
      'The request leaves and is dropped before a byte reaches the destination',
      'La requête part et se perd avant qu’un octet n’atteigne le destinataire',
    ),
    interruption: 'never_arrived',
    disturb: async ({ session }) => {
      session.door.next({ do: 'cut_before' });
      return { runId: (await session.begin('dropped')).runId, told: [] };
    },
  });

export const lost = (trying: Trying): Promise<Part> =>
  interrupted(trying, {
    scene: 'lost',
    title: trying.say(
      'The destination writes and answers; the reply is lost',
      'Le destinataire écrit et répond ; la réponse se perd',
    ),
    interruption: 'written',
    disturb: async ({ session }) => {
      session.door.next({ do: 'cut_after' });
      return { runId: (await session.begin('lost')).runId, told: [] };
    },
  });

/** Before the deadline, so that what the contract says of settling still holds. */
const safetyMs = 400;

/** The destination gets the call when the product is back, or at the deadline if that comes first. */
const killAndRestart = async (trying: Trying): Promise<{ runId: string; told: string[] }> => {
  const { session, say } = trying;
  session.door.next({ do: 'hold_before' });
  const { runId } = await session.begin('restart');
  const { actionId } = await actionOf(session, runId);
  await until('the call is held at the proxy', session.limitMs, async () => {
    await watchOnce(session, runId);
    return session.door.holding() > 0 ? true : undefined;
  });
  const { journal } = await look(session, actionId);
  const deadlineAtMs = journal.attempts.at(-1)?.deadlineAtMs ?? Date.now();
  await session.twin.kill();
  const back = session.twin.start().then(() => 'back' as const);
  const leftMs = Math.max(0, deadlineAtMs - safetyMs - Date.now());
  const first = await Promise.race([back, pause(leftMs, 'deadline' as const)]);
  session.door.release();
  await back;
  return {
    runId,
    told: [
      say(
        'The product was killed with -9 while the call was under way, and started again on the same data.',
        'Le produit a été tué par -9 pendant l’appel, puis relancé sur les mêmes données.',
      ),
      first === 'back'
        ? say(
            'It was back before the destination had received the call.',
            'Il était de retour avant que le destinataire ait reçu l’appel.',
          )
        : say(
            'The destination received the call shortly before the attempt’s deadline, while the product was still starting.',
            'Le destinataire a reçu l’appel peu avant l’échéance, alors que le produit redémarrait encore.',
          ),
    ],
  };
};

/** One look, which approves what asks for approval. */
const watchOnce = async (session: Session, runId: string): Promise<void> => {
  await watch(session, runId, 'the action can be read', () => true);
};

export const restarted = (trying: Trying): Promise<Part> =>
  interrupted(trying, {
    scene: 'restart',
    title: trying.say(
      'The product is killed and restarted while the first attempt is still running',
      'Le produit est tué et relancé pendant que la première tentative court encore',
    ),
    interruption: 'written',
    disturb: killAndRestart,
  });
