// What people do in the trials at the recovery desk, through the product's API. Owns: claims and decisions as the trials need
// them, and the evidence that a person states, taken from what was found at the destination.
import { z } from 'zod';
import { ClaimView } from '../../functions/api/schemas/schemas.ts';
import type { Answer } from '../kit/client.ts';
import { problemIn } from '../kit/client.ts';
import type { Found } from './objects.ts';
import type { PersonName, Session } from './session.ts';
import { until } from './wait.ts';
import { look, type Seen } from './watch.ts';

const claimPath = (actionId: string): string => `/v1/actions/${actionId}/claim`;

export interface Claimed {
  readonly person: PersonName;
  readonly answer: Answer;
  /** Undefined: refused. */
  readonly fence: number | undefined;
}

export const claim = async (
  session: Session,
  person: PersonName,
  actionId: string,
): Promise<Claimed> => {
  const api = await session.as(person);
  const answer = await api.raw('POST', claimPath(actionId), {});
  const fence = answer.status < 300 ? ClaimView.parse(JSON.parse(answer.text)).fence : undefined;
  return { person, answer, fence };
};

/** What the API said when it refused: its type and its words. */
export const refusalSentence = (answer: Answer): string => {
  const { type, title, detail } = problemIn(answer);
  return `${answer.status} ${type}: ${title}${detail === undefined ? '' : `. ${detail}`}`;
};

type Decision = { readonly kind: string; readonly [more: string]: unknown };

/** Decides on what the action is now. */
export const decide = async (
  session: Session,
  person: PersonName,
  actionId: string,
  fence: number,
  decision: Decision,
): Promise<Answer> => {
  const { action } = await look(session, actionId);
  const api = await session.as(person);
  const body = { ...decision, seenHead: action.head, claimFence: fence };
  return api.raw('POST', `/v1/actions/${actionId}/decisions`, body);
};

/** What a careful person decides who has looked at the destination. */
export const careful = (found: Found): Decision => {
  if (found.count === undefined)
    return { kind: 'abandon', reason: 'Nothing can show what is at the destination.' };
  return {
    kind: found.count > 0 ? 'attach' : 'not_performed',
    evidence: {
      what: found.count > 0 ? 'The object is there.' : 'The object is not there.',
      where: `Asked with the tool ${found.tool}`,
      when: new Date().toISOString(),
      coverage: `Everything that ${found.tool} shows.`,
    },
  };
};

const permission = z.looseObject({
  kind: z.string(),
  allowed: z.boolean(),
  because: z.string().optional(),
  reason: z.string().optional(),
});

/** What that person may decide now, once no attempt may be under way any more. */
export const permissionsOnceQuiet = (
  session: Session,
  person: PersonName,
  actionId: string,
): Promise<ReadonlyMap<string, z.infer<typeof permission>>> =>
  until('no attempt may be under way', session.limitMs, async () => {
    const api = await session.as(person);
    const { decisions } = await api.get(
      z.looseObject({ decisions: z.array(permission) }),
      `/v1/actions/${actionId}`,
    );
    const running = decisions.some(({ because }) => because === 'attempt_running');
    return running ? undefined : new Map(decisions.map((one) => [one.kind, one]));
  });

/** Once something was sent and its outcome is not known. */
export const isOpen = ({ action }: Seen): boolean =>
  action.attempts > 0 && (action.effect === 'undetermined' || action.effect === 'in_progress');
