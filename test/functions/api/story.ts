// What the run machine would have done meanwhile, put into the store with the core's own changes.

import {
  ActionId,
  AgentId,
  ConversationId,
  ObservationId,
  RequestId,
  RunId,
} from '../../../functions/core/base/ids.ts';
import type { JsonObject } from '../../../functions/core/base/json.ts';
import { engage } from '../../../functions/core/perform/engage.ts';
import type { Action } from '../../../functions/core/records/action.ts';
import type { Change, Versioned, Write } from '../../../functions/core/records/change.ts';
import type { Conversation } from '../../../functions/core/records/conversation.ts';
import type { Run } from '../../../functions/core/records/run.ts';
import { AgentConfiguration } from '../../../functions/core/registry/agent.ts';
import {
  ToolRegistration,
  type ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';
import { storeStep } from '../../../functions/core/turn/plan.ts';
import { foldedOf } from '../../core/samples.ts';
import type { Rig } from './rig.ts';

export const refundTool: ToolRegistrationInput = {
  name: 'refund',
  description: 'Refunds a payment.',
  arguments: {
    type: 'object',
    properties: { payment: { type: 'string' }, cents: { type: 'integer' } },
    required: ['payment', 'cents'],
    additionalProperties: false,
  },
  transport: {
    kind: 'http',
    method: 'POST',
    url: 'https://billing.test/refunds',
    body: { as: 'arguments' },
  },
  contract: {
    effect: 'irreversible',
    destination: { provider: 'billing', account: 'acme', environment: 'test', apiVersion: '1' },
    policy: { approval: { when: 'always' } },
  },
};
export const noteTool: ToolRegistrationInput = {
  ...refundTool,
  name: 'note',
  contract: { ...refundTool.contract, effect: 'write', policy: { approval: { when: 'never' } } },
};

export const keyedNoteTool: ToolRegistrationInput = {
  ...noteTool,
  name: 'keyed_note',
  contract: {
    ...noteTool.contract,
    key: {
      kind: 'key',
      place: { in: 'header', name: 'idempotency-key' },
      scope: 'account',
      retentionMs: 86_400_000,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
    },
  },
};

export const agentConfiguration = {
  name: 'Helper',
  prompt: 'You help.',
  model: { provider: 'scripted', script: 'demo' },
  tools: [{ name: 'refund' }, { name: 'note' }],
  price: { currency: 'EUR', inputPerMillion: '3', outputPerMillion: '15' },
  stepLimit: 5,
};
AgentConfiguration.parse(agentConfiguration);

const bodyField = (body: Record<string, unknown>, name: string): string => String(body[name]);

export interface Begun {
  readonly agentId: AgentId;
  readonly conversationId: ConversationId;
}

/** Tools, an agent and an empty conversation, all by the API. */
export const begin = async (rig: Rig): Promise<Begun> => {
  for (const body of [refundTool, noteTool, keyedNoteTool])
    await rig.call({ method: 'POST', path: '/v1/tools', body });
  const made = await rig.call({ method: 'POST', path: '/v1/agents', body: agentConfiguration });
  const agentId = AgentId.parse(bodyField(made.body, 'agentId'));
  return { agentId, conversationId: await converse(rig, agentId) };
};

export const converse = async (rig: Rig, agentId: AgentId): Promise<ConversationId> => {
  const body = { agentId, title: 'Test' };
  const begun = await rig.call({ method: 'POST', path: '/v1/conversations', body });
  return ConversationId.parse(bodyField(begun.body, 'conversationId'));
};

export const say = (rig: Rig, conversationId: ConversationId, text = 'Hello', key?: string) =>
  rig.call({
    method: 'POST',
    path: `/v1/conversations/${conversationId}/messages`,
    body: { text },
    as: 'ben',
    ...(key === undefined ? {} : { key }),
  });

export const startRun = async (rig: Rig, conversationId: ConversationId): Promise<RunId> =>
  RunId.parse(bodyField((await say(rig, conversationId)).body, 'runId'));

interface Here {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
}

export const here = async (rig: Rig, runId: RunId): Promise<Here> => {
  const { run } = await rig.world.store.read({ run: runId });
  if (run === undefined) throw new Error(`No run ${runId}.`);
  const { conversation } = await rig.world.store.read({ conversation: run.item.conversationId });
  if (conversation === undefined) throw new Error(`No conversation of ${runId}.`);
  return { conversation, run };
};

export const commit = async (rig: Rig, change: Change): Promise<void> => {
  const committed = await rig.world.store.commit(change);
  if (committed.kind !== 'done') throw new Error(`Not committed: ${JSON.stringify(committed)}.`);
};

export const iso = (rig: Rig): string => new Date(rig.now()).toISOString();

/** The next step of a run: the agent says something and calls one tool, or none. */
export const takeStep = async (
  rig: Rig,
  runId: RunId,
  call?: { readonly tool: string; readonly arguments: JsonObject },
): Promise<{ readonly actionId: ActionId; readonly requestId: RequestId }> => {
  const { conversation, run } = await here(rig, runId);
  const actionId = ActionId.parse(`act_${rig.world.minter.suffix()}`);
  const requestId = RequestId.parse(`req_${rig.world.minter.suffix()}`);
  const tool = call && (await rig.world.registry.newestTool('acme', call.tool));
  const waiting = conversation.item.pending.map((messageId) => ({
    conversationId: conversation.item.conversationId,
    messageId,
  }));
  const { messages } = await rig.world.store.read({ messages: waiting });
  const { change } = storeStep(
    conversation,
    run,
    {
      step: run.item.step + 1,
      attempt: `m${run.item.step + 1}`,
      text: `Step ${run.item.step + 1}.`,
      calls:
        call && tool
          ? [
              {
                kind: 'valid',
                name: call.tool,
                arguments: call.arguments,
                tool,
                gate:
                  tool.registration.contract.effect === 'irreversible'
                    ? { on: 'approval' }
                    : { on: 'nothing', mandate: { kind: 'standing' } },
                actionId,
                requestId,
              },
            ]
          : [],
      took: messages,
      facts: undefined,
      factsTold: [],
      results: [],
      usage: {
        inputTokens: 1_000,
        outputTokens: 100,
        cachedInputTokens: 0,
        callId: actionId,
        model: 'scripted',
      },
    },
    iso(rig),
  );
  await commit(rig, change);
  return { actionId, requestId };
};

/** An irreversible call that waits for its approval. */
export const askApproval = (rig: Rig, runId: RunId) =>
  takeStep(rig, runId, { tool: 'refund', arguments: { payment: 'pay_1', cents: 8200 } });

/** A call that was sent, and what is known of it: no answer came, or the one that confirms it. */
export const sendCall = async (
  rig: Rig,
  runId: RunId,
  known: 'undetermined' | 'confirmed',
  tool = 'note',
): Promise<ActionId> => {
  const payment = `pay_${rig.world.minter.suffix()}`;
  const { actionId } = await takeStep(rig, runId, { tool, arguments: { payment, cents: 1 } });
  await engageIt(rig, runId, actionId);
  const { conversation } = await here(rig, runId);
  const action = await storedAction(rig, actionId);
  const { engaged: _engaged, ...item } = action.item;
  const requestId = RequestId.parse(`req_${rig.world.minter.suffix()}`);
  const lost = known === 'undetermined';
  const writes: Write[] = [
    {
      do: 'put',
      kind: 'end',
      item: {
        schema: 1,
        actionId,
        attempt: 1,
        entry: item.head + 1,
        at: iso(rig),
        how: lost ? 'unknown' : 'replied',
        milestone: 'transmitted',
        milestoneIs: 'observed',
        because: 'No reply: it broke off (ECONNRESET).',
      },
    },
    {
      do: 'put',
      kind: 'observation',
      item: {
        schema: 1,
        observationId: ObservationId.parse(`obs_${rig.world.minter.suffix()}`),
        actionId,
        entry: item.head + 2,
        at: iso(rig),
        source: lost ? 'transport' : 'reply',
        by: 'perform',
        says: lost ? 'nothing' : 'confirms',
        about: 1,
        because: lost ? 'No reply: it broke off (ECONNRESET).' : 'The destination answered 201.',
        account: item.destination.account,
        environment: item.destination.environment,
      },
    },
    {
      do: 'replace',
      kind: 'action',
      rev: action.rev,
      item: {
        ...item,
        head: item.head + 2,
        effect: known,
        ...(lost ? { requestId } : { told: { status: 'success', text: 'Done.' } }),
      },
    },
  ];
  const recovery: Write = {
    do: 'put',
    kind: 'request',
    item: {
      schema: 1,
      workspace: item.workspace,
      requestId,
      conversationId: item.conversationId,
      runId,
      actionId,
      openedAt: iso(rig),
      on: 'recovery',
      because: 'The connection was lost.',
      needsPerson: true,
    },
  };
  await commit(rig, { conversation, events: [], writes: lost ? [...writes, recovery] : writes });
  return actionId;
};

export const storedAction = async (rig: Rig, actionId: ActionId): Promise<Versioned<Action>> => {
  const [action] = (await rig.world.store.read({ actions: [actionId] })).actions;
  if (action === undefined) throw new Error(`No action ${actionId}.`);
  return action;
};

export const loseReply = (rig: Rig, runId: RunId, tool?: string): Promise<ActionId> =>
  sendCall(rig, runId, 'undetermined', tool);

export const engageIt = async (rig: Rig, runId: RunId, actionId: ActionId): Promise<void> => {
  const { conversation, run } = await here(rig, runId);
  const action = await storedAction(rig, actionId);
  const engaged = engage({
    conversation,
    action: { ...action, item: foldedOf(action.item) },
    run: run.item,
    approval: undefined,
    fence: 0,
    owner: 'test',
    deadlineAtMs: rig.now() + 1_000,
    nowMs: rig.now(),
    nowIso: iso(rig),
  });
  if (engaged.kind !== 'change') throw new Error('The digest changed.');
  await commit(rig, engaged.change);
};

/** Ends a run, as Finish does. */
export const endRun = async (
  rig: Rig,
  runId: RunId,
  reason: 'done' | 'step_limit' | 'failed' = 'done',
): Promise<void> => {
  const { conversation, run } = await here(rig, runId);
  const { activeRun: _active, ...rest } = conversation.item;
  await commit(rig, {
    conversation,
    conversationNext: { ...rest, lastRun: { runId, reason } },
    events: [{ type: 'run.finished', runId, reason, detail: 'Over.', steps: run.item.step }],
    writes: [
      {
        do: 'replace',
        kind: 'run',
        rev: run.rev,
        item: { ...run.item, state: { status: 'finished', reason, detail: 'Over.', at: iso(rig) } },
      },
    ],
  });
};

export const registration = (input: ToolRegistrationInput): ToolRegistration =>
  ToolRegistration.parse(input);
