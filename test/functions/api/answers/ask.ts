// Steps in which the agent asks people something, put into the store as Think would: questions, approvals, skills, several at once.

import type { SkillVersion } from '../../../../functions/core/answers/skill.ts';
import type { Form } from '../../../../functions/core/base/form.ts';
import { ActionId, RequestId, type RunId } from '../../../../functions/core/base/ids.ts';
import type { JsonObject } from '../../../../functions/core/base/json.ts';
import { askUser, requestSkill } from '../../../../functions/core/registry/ask-user.ts';
import type { CheckedCall } from '../../../../functions/core/turn/checked-call.ts';
import { storeStep } from '../../../../functions/core/turn/plan.ts';
import type { Rig } from '../rig.ts';
import { commit, here, iso } from '../story.ts';

export interface Asked {
  readonly actionId: ActionId;
  readonly requestId: RequestId;
}

export const colourForm: Form = {
  type: 'object',
  properties: {
    colour: { type: 'string', enum: ['red', 'blue'] },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    urgent: { type: 'boolean', default: false },
  },
  required: ['colour'],
};

export type Wish =
  | {
      readonly question: Form;
      readonly onExpiry?: 'default' | 'continue' | 'stop';
      readonly ms?: number;
    }
  | { readonly approve: string; readonly arguments: JsonObject }
  | { readonly skill: SkillVersion };

const callOf = async (rig: Rig, wish: Wish): Promise<CheckedCall> => {
  const ids = {
    actionId: ActionId.parse(`act_${rig.world.minter.suffix()}`),
    requestId: RequestId.parse(`req_${rig.world.minter.suffix()}`),
  };
  if ('question' in wish) {
    const question = {
      message: 'Which one?',
      form: wish.question,
      onExpiry: wish.onExpiry ?? ('continue' as const),
      ...(wish.ms === undefined ? {} : { expiresInMs: wish.ms }),
    };
    return {
      kind: 'valid',
      name: 'ask_user',
      arguments: { message: 'Which one?' },
      tool: askUser,
      gate: { on: 'question', question },
      ...ids,
    };
  }
  if ('skill' in wish)
    return {
      kind: 'valid',
      name: 'request_skill',
      arguments: { skill: wish.skill.content.name, reason: 'To do it well.' },
      tool: requestSkill,
      gate: { on: 'skill', skill: wish.skill, reason: 'To do it well.' },
      ...ids,
    };
  const tool = await rig.world.registry.newestTool('acme', wish.approve);
  if (tool === undefined) throw new Error(`No tool ${wish.approve}.`);
  return {
    kind: 'valid',
    name: wish.approve,
    arguments: wish.arguments,
    tool,
    gate: { on: 'approval' },
    ...ids,
  };
};

/** One step that asks all of it; the ids in the order of the wishes. */
export const askAll = async (rig: Rig, runId: RunId, wishes: readonly Wish[]): Promise<Asked[]> => {
  const calls = await Promise.all(wishes.map((wish) => callOf(rig, wish)));
  const { conversation, run } = await here(rig, runId);
  const { change } = storeStep(
    conversation,
    run,
    {
      step: run.item.step + 1,
      attempt: `m${run.item.step + 1}`,
      text: 'I ask.',
      calls,
      took: [],
      facts: undefined,
      factsTold: [],
      results: [],
      usage: {
        inputTokens: 1,
        outputTokens: 1,
        cachedInputTokens: 0,
        callId: `call_${rig.world.minter.suffix()}`,
        model: 'scripted',
      },
    },
    iso(rig),
  );
  await commit(rig, change);
  return calls.flatMap((call) =>
    call.kind === 'valid' ? [{ actionId: call.actionId, requestId: call.requestId }] : [],
  );
};

/** One step that asks one thing. */
export const askOne = async (rig: Rig, runId: RunId, wish: Wish): Promise<Asked> => {
  const [asked] = await askAll(rig, runId, [wish]);
  if (asked === undefined) throw new Error('Nothing was asked.');
  return asked;
};

export const answerTo = (
  rig: Rig,
  requestId: string,
  body: object,
  as: 'ana' | 'ben' | 'rob' | 'vera' | 'robot' | 'stranger' = 'ana',
) => rig.call({ method: 'POST', path: `/v1/requests/${requestId}/answer`, body, as });
