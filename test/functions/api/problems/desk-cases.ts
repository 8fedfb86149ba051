// One request for each row of docs/problems.md that is about claims and decisions.

import type { PersonName, Reply, Rig } from '../rig.ts';
import { type Begun, engageIt, loseReply, sendCall, startRun, takeStep } from '../story.ts';
import type { Case } from './problem-cases.ts';

export const evidence = {
  what: 'The note is there.',
  where: 'Billing console, notes',
  when: '2026-11-30T09:00:00Z',
  coverage: 'All notes of the account.',
};
/** A declared look-up of notes: by what they say, so it proves no absence. */
export const noteLookUp = {
  tool: 'find_note',
  arguments: {},
  by: 'natural',
  hits: 'items',
  found: { status: [200] },
  absent: { status: [404] },
  compare: { cents: 'cents' },
  coverage: {
    account: 'acme',
    environment: 'test',
    archived: true,
    readRights: 'all',
    period: 'always',
    complete: false,
  },
  settleMs: 0,
};

const minuteMs = 60_000;

export const claimIt = (rig: Rig, actionId: string, as: PersonName = 'rob', forMs = minuteMs) =>
  rig.call({ method: 'POST', path: `/v1/actions/${actionId}/claim`, body: { forMs }, as });

export const headOf = async (rig: Rig, actionId: string): Promise<number> => {
  const { body } = await rig.call({ path: `/v1/actions/${actionId}` });
  return (body.action as { head: number }).head;
};

interface Deciding {
  readonly seenHead?: number;
  readonly claimFence?: number;
  readonly as?: PersonName;
}
export const decide = async (rig: Rig, actionId: string, body: object, more: Deciding = {}) => {
  const { seenHead = await headOf(rig, actionId), claimFence = 1, as = 'rob' } = more;
  return rig.call({
    method: 'POST',
    path: `/v1/actions/${actionId}/decisions`,
    body: { ...body, seenHead, claimFence },
    as,
  });
};

/** An action that lost its reply, and who claims it. */
const lost = async (rig: Rig, { conversationId }: Begun, claimed = true): Promise<string> => {
  const actionId = await loseReply(rig, await startRun(rig, conversationId));
  if (claimed) await claimIt(rig, actionId);
  return actionId;
};

const attach = { kind: 'attach', evidence };
const abandon = { kind: 'abandon', reason: 'No need.' };

const onLost =
  (work: (rig: Rig, actionId: string) => Promise<Reply>, claimed = true) =>
  async (rig: Rig, begun: Begun): Promise<Reply> =>
    work(rig, await lost(rig, begun, claimed));

export const deskCases: readonly Case[] = [
  {
    input: 'evidence that says nothing of where',
    run: onLost((rig, actionId) => {
      const { where: _where, ...rest } = evidence;
      return decide(rig, actionId, { kind: 'attach', evidence: rest });
    }),
  },
  {
    input: 'a decision on an older journal',
    run: onLost(async (rig, actionId) => {
      const seenHead = (await headOf(rig, actionId)) - 1;
      return decide(rig, actionId, attach, { seenHead });
    }),
  },
  {
    input: 'a decision under an older claim',
    run: onLost(async (rig, actionId) => {
      await rig.call({ method: 'DELETE', path: `/v1/actions/${actionId}/claim`, as: 'rob' });
      await claimIt(rig, actionId);
      return decide(rig, actionId, attach, { claimFence: 1 });
    }),
  },
  {
    input: 'a decision without the claim',
    run: onLost((rig, actionId) => decide(rig, actionId, attach), false),
  },
  {
    input: 'a decision while somebody else holds the claim',
    run: onLost((rig, actionId) => decide(rig, actionId, attach, { as: 'ana' })),
  },
  {
    input: '"not performed" while an attempt may run',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const call = { tool: 'note', arguments: { payment: 'pay_2', cents: 1 } };
      const { actionId } = await takeStep(rig, runId, call);
      await engageIt(rig, runId, actionId);
      await claimIt(rig, actionId);
      return decide(rig, actionId, { kind: 'not_performed', evidence });
    },
  },
  {
    input: 'a decision on a settled action',
    run: async (rig, { conversationId }) => {
      const actionId = await sendCall(rig, await startRun(rig, conversationId), 'confirmed');
      await claimIt(rig, actionId);
      rig.turnClock(10_000);
      return decide(rig, actionId, abandon);
    },
  },
  {
    input: 'waiting for a time that is past',
    run: onLost((rig, actionId) => {
      rig.turnClock(10_000);
      const until = '2026-01-01T00:00:00Z';
      return decide(rig, actionId, { kind: 'wait', until, reason: 'Later.' });
    }),
  },
  {
    input: 'a late repeat that is not affirmed',
    run: async (rig, { conversationId }) => {
      const actionId = await loseReply(rig, await startRun(rig, conversationId), 'keyed_note');
      rig.turnClock(60 * minuteMs);
      await claimIt(rig, actionId);
      return decide(rig, actionId, { kind: 'repeat' });
    },
  },
  {
    input: 'taking a claim that somebody else holds',
    run: onLost((rig, actionId) => claimIt(rig, actionId, 'ana')),
  },
  {
    input: 'releasing a claim that is not yours',
    run: onLost((rig, actionId) =>
      rig.call({ method: 'DELETE', path: `/v1/actions/${actionId}/claim`, as: 'ana' }),
    ),
  },
];
