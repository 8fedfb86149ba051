// One request for each row of docs/problems.md that is about calls marked as faulty; and a step with every kind of call to mark.
import { ActionId, RequestId, type RunId } from '../../../../functions/core/base/ids.ts';
import { callsPerStepMax } from '../../../../functions/core/base/limits.ts';
import { toldUnknownTool } from '../../../../functions/core/records/told.ts';
import { storeStep } from '../../../../functions/core/turn/plan.ts';
import type { PersonName, Reply, Request, Rig } from '../rig.ts';
import { type Begun, commit, here, iso, startRun, takeStep } from '../story.ts';
import type { Case } from './problem-cases.ts';

export const said = { note: 'It should have looked the customer up first.', kind: 'too_early' };

export const markIt = (
  rig: Rig,
  runId: string,
  body: object,
  as: PersonName = 'ben',
  key?: string,
): Promise<Reply> =>
  rig.call({
    method: 'POST',
    path: `/v1/runs/${runId}/fault-marks`,
    body: { step: 1, call: 0, ...said, ...body },
    as,
    ...(key === undefined ? {} : { key }),
  });

export const changeIt = (
  rig: Rig,
  { runId, markId }: Record<string, unknown>,
  body: object,
  as: PersonName = 'ben',
): Promise<Reply> =>
  rig.call({ method: 'POST', path: `/v1/runs/${runId}/fault-marks/${markId}`, body, as });

export const takeItBack = (
  rig: Rig,
  { runId, markId }: Record<string, unknown>,
  body: object = {},
  as: PersonName = 'ben',
): Promise<Reply> => {
  const path = `/v1/runs/${runId}/fault-marks/${markId}/take-back`;
  return rig.call({ method: 'POST', path, body, as });
};

/** A step whose first call is of an unknown tool, whose second is an action, and whose last is one too many. */
export const mixedStep = async (
  rig: Rig,
  runId: RunId,
): Promise<{ readonly actionId: ActionId; readonly surplus: number }> => {
  const { conversation, run } = await here(rig, runId);
  const tool = await rig.world.registry.newestTool('acme', 'note');
  if (tool === undefined) throw new Error('There is no tool "note".');
  const told = toldUnknownTool('nothing', []);
  const unknown = { kind: 'invalid', name: 'nothing', arguments: {}, told } as const;
  const actionId = ActionId.parse(`act_${rig.world.minter.suffix()}`);
  const { change } = storeStep(
    conversation,
    run,
    {
      step: run.item.step + 1,
      attempt: 'm1',
      text: '',
      calls: [
        unknown,
        {
          kind: 'valid',
          name: 'note',
          arguments: { payment: 'pay_1', cents: 1 },
          tool,
          gate: { on: 'nothing', mandate: { kind: 'standing' } },
          actionId,
          requestId: RequestId.parse(`req_${rig.world.minter.suffix()}`),
        },
        ...Array.from({ length: callsPerStepMax - 1 }, () => unknown),
      ],
      took: [],
      facts: undefined,
      factsTold: [],
      results: [],
      usage: {
        inputTokens: 1,
        outputTokens: 1,
        cachedInputTokens: 0,
        callId: actionId,
        model: 'scripted',
      },
    },
    iso(rig),
  );
  await commit(rig, change);
  return { actionId, surplus: callsPerStepMax };
};

const marked = async (rig: Rig, runId: RunId) => {
  await takeStep(rig, runId, { tool: 'note', arguments: { payment: 'pay_1', cents: 1 } });
  return (await markIt(rig, runId, {})).body;
};

export const faultCases: readonly Case[] = [
  {
    input: 'a mark on a call that the run does not have',
    run: async (rig, { conversationId }) =>
      markIt(rig, await startRun(rig, conversationId), { step: 7 }),
  },
  {
    input: 'a mark with a note of more than 2,000 characters',
    run: async (rig, { conversationId }) =>
      markIt(rig, await startRun(rig, conversationId), { note: 'x'.repeat(2_001) }),
  },
  {
    input: 'changing somebody else’s mark',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const mark = await marked(rig, runId);
      const other = await markIt(rig, runId, {}, 'ana');
      return changeIt(rig, { ...other.body, runId: mark.runId }, said, 'ben');
    },
  },
  {
    input: 'changing a mark that was taken back',
    run: async (rig, { conversationId }) => {
      const mark = await marked(rig, await startRun(rig, conversationId));
      await takeItBack(rig, mark);
      return changeIt(rig, mark, said);
    },
  },
];

/** One valid POST of each operation on marks. */
export const faultPosts = (
  at: () => { readonly rig: Rig; readonly begun: Begun },
): { readonly [operationId: string]: () => Promise<Request> } => {
  const marks = async () => {
    const { rig, begun } = at();
    const runId = await startRun(rig, begun.conversationId);
    await takeStep(rig, runId, { tool: 'note', arguments: { payment: 'pay_1', cents: 1 } });
    return { runId, path: `/v1/runs/${runId}/fault-marks` };
  };
  const markOf = async (): Promise<string> => {
    const { runId, path } = await marks();
    return `${path}/${String((await markIt(at().rig, runId, {}, 'ana')).body.markId)}`;
  };
  return {
    markFault: async () => ({ path: (await marks()).path, body: { step: 1, call: 0, ...said } }),
    changeFaultMark: async () => ({ path: await markOf(), body: said }),
    takeBackFaultMark: async () => ({ path: `${await markOf()}/take-back`, body: {} }),
  };
};
