// Turns a model's calls into calls that can be planned: checked against the tools' schemas, each with ids of its own and the gate
// it stands at; or fixed words for what cannot be one. Laws: L2, L5 (ids are minted here, once), L7, L16,
// L20.

import { unkeptWords } from '../core/base/exact-json.ts';
import { ActionId, RequestId } from '../core/base/ids.ts';
import { JsonObject } from '../core/base/json.ts';
import { inlineBytesMax, stepArgumentBytesMax } from '../core/base/limits.ts';
import type { Action } from '../core/records/action.ts';
import { grantCovers } from '../core/records/grant.ts';
import type { Run } from '../core/records/run.ts';
import { toldBadArguments, toldCut, toldWithheld } from '../core/records/told.ts';
import { isHoldOver } from '../core/recover/disproved-twin.ts';
import { AskUserArguments, RequestSkillArguments } from '../core/registry/ask-user.ts';
import { likeDigestOf } from '../core/registry/likeness.ts';
import { asksApproval } from '../core/registry/policy.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { CheckedCall, Gate, Likeness } from '../core/turn/checked-call.ts';
import { unknownTool } from '../core/turn/plan.ts';
import type { ModelAnswer } from '../ports/model.ts';
import type { ThinkWorld } from '../wiring/think.ts';
import type { Toolbox } from '../wiring/toolbox.ts';

interface Checking {
  readonly world: ThinkWorld;
  readonly run: Run;
  readonly toolbox: Toolbox;
}

/** A tool's name is shorter; what is longer is none, and is stored with the step all the same. */
const nameCharactersMax = 256;

/** Bytes that arguments take in an item. */
const bytesOf = (args: JsonObject): number => Buffer.byteLength(JSON.stringify(args));

const grantFor = async (
  { world, run }: Checking,
  tool: ToolVersion,
  args: JsonObject,
): Promise<Action['mandate'] | undefined> => {
  const grants = await world.store.grantsOf(run.workspace, run.agentId);
  const call = { runId: run.runId, tool, arguments: args };
  for (const grant of grants)
    if (await grantCovers(grant, call, world.clock.now()))
      return { kind: 'grant', requestId: grant.requestId };
  return undefined;
};

/** The gate, or what is wrong with the arguments of a built-in tool. */
const gateOf = async (
  checking: Checking,
  tool: ToolVersion,
  args: JsonObject,
): Promise<Gate | { readonly problem: string }> => {
  const { registration } = tool;
  if (registration.name === 'ask_user') {
    const parsed = AskUserArguments.safeParse(args);
    return parsed.success
      ? { on: 'question', question: parsed.data }
      : { problem: parsed.error.message };
  }
  if (registration.name === 'request_skill') {
    const { skill: name, reason } = RequestSkillArguments.parse(args);
    const skill = checking.toolbox.requestable.find(({ content }) => content.name === name);
    const names = checking.toolbox.requestable.map(({ content }) => content.name).join(', ');
    return skill
      ? { on: 'skill', skill, reason }
      : { problem: `There is no skill "${name}" to request. There are: ${names}.` };
  }
  if (!(await asksApproval(registration.contract, args)))
    return { on: 'nothing', mandate: { kind: 'standing' } };
  const mandate =
    registration.contract.effect === 'irreversible'
      ? undefined
      : await grantFor(checking, tool, args);
  return mandate ? { on: 'nothing', mandate } : { on: 'approval' };
};

/** What looks alike now, wherever in the workspace or in the conversation's last run: whoever is asked is shown both at once. */
const likenessOf = async (
  { world, run }: Checking,
  { registration: { name, contract } }: ToolVersion,
  args: JsonObject,
): Promise<Likeness | undefined> => {
  const likeDigest = likeDigestOf(run.workspace, name, contract, args);
  const [marker, ofLastRun] = await Promise.all([
    world.store.likeness(run.workspace, likeDigest),
    run.unlikeRun && world.store.runLikeness(run.unlikeRun, likeDigest),
  ]);
  const held = marker?.holders ?? [];
  const found = held.length === 0 ? [] : (await world.store.read({ actions: held })).actions;
  // Nobody is shown one whose hold is over: it is let go when this is sent.
  const nowMs = world.clock.now();
  const over = new Set(
    found.filter(({ item }) => isHoldOver(item, nowMs)).map(({ item }) => item.actionId),
  );
  const holders = [...held.filter((id) => !over.has(id)), ...(ofLastRun ? [ofLastRun] : [])];
  return holders.length === 0
    ? undefined
    : { rev: marker?.rev ?? '', holders: [...new Set(holders)] };
};

const problemsOf = (
  { world }: Checking,
  tool: ToolVersion,
  { arguments: given, unkept = [] }: ModelAnswer['calls'][number],
  args: JsonObject | undefined,
): string | undefined => {
  if (unkept.length > 0) return unkeptWords(unkept);
  if (args === undefined) return `They are not a JSON object but: ${String(given).slice(0, 200)}`;
  if (bytesOf(args) > inlineBytesMax) return 'They are larger than 64 KiB.';
  return world.argumentProblems(tool.registration.arguments, args);
};

const checkOne = async (
  checking: Checking,
  call: ModelAnswer['calls'][number],
  withheld: boolean,
): Promise<CheckedCall> => {
  const { world, toolbox } = checking;
  const name = call.name.slice(0, nameCharactersMax).toWellFormed();
  if (withheld || call.cut === true)
    return {
      kind: 'invalid',
      name,
      arguments: {},
      told: withheld ? toldWithheld(name) : toldCut(name),
    };
  const parsed = JsonObject.safeParse(call.arguments);
  const args = parsed.success ? parsed.data : {};
  const tool = toolbox.tools.find(({ registration }) => registration.name === name);
  if (!tool)
    return unknownTool(
      name,
      toolbox.tools.map(({ registration }) => registration.name),
      args,
    );
  const bad = (problem: string): CheckedCall => ({
    kind: 'invalid',
    name,
    arguments: bytesOf(args) > inlineBytesMax ? {} : args,
    told: toldBadArguments(name, problem),
  });
  const problem = problemsOf(checking, tool, call, parsed.success ? args : undefined);
  if (problem !== undefined) return bad(problem);
  const gate = await gateOf(checking, tool, args);
  if ('problem' in gate) return bad(gate.problem);
  const likeness = gate.on === 'approval' ? await likenessOf(checking, tool, args) : undefined;
  return {
    kind: 'valid',
    name,
    arguments: args,
    tool,
    gate,
    actionId: ActionId.parse(`act_${world.minter.suffix()}`),
    requestId: RequestId.parse(`req_${world.minter.suffix()}`),
    ...(likeness === undefined ? {} : { likeness }),
  };
};

export const checkCalls = async (
  checking: Checking,
  { calls, end }: Pick<ModelAnswer, 'calls' | 'end'>,
): Promise<CheckedCall[]> => {
  const checked = await Promise.all(
    calls.map((call) => checkOne(checking, call, end === 'withheld')),
  );
  let bytes = 0;
  return checked.map((call) => {
    bytes += bytesOf(call.arguments);
    if (bytes <= stepArgumentBytesMax) return call;
    const told = toldBadArguments(
      call.name,
      'The calls of one step are larger than 128 KiB together. Ask for this one in another step.',
    );
    return { kind: 'invalid', name: call.name, arguments: {}, told };
  });
};
