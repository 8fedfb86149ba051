// Gathers what a recovery sheet is made of. Owns: that reading, and the addresses of the page that the sheet links to.
// Tested in test/functions/api/desk/sheet.test.ts.

import type { ActionId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { Message } from '../../core/records/conversation.ts';
import { type SheetFacts, sheetFacts } from '../../core/sheet/sheet.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import type { Caller } from '../identity/identity.ts';
import { deskStandFor } from './stand.ts';

/** Addresses of the page, on the origin that the caller used; paths alone when nothing says which that is. */
export const linksAt = (origin: string) => ({
  action: (actionId: string) => `${origin}/#/action/${actionId}`,
  run: (runId: string) => `${origin}/#/run/${runId}`,
  conversation: (conversationId: string) => `${origin}/#/c/${conversationId}`,
});

const hostName = /^[a-z0-9.-]+(:\d{1,5})?$/i;

/** The origin by the request's own headers; empty when they name no sound one. */
export const originOf = (header: (name: string) => string | undefined): string => {
  const host = header('x-forwarded-host') ?? header('host');
  if (host === undefined || !hostName.test(host)) return '';
  const given = header('x-forwarded-proto');
  const local = /^(localhost|127\.|\[::1\])/.test(host);
  const protocol = given === 'http' || (given === undefined && local) ? 'http' : 'https';
  return `${protocol}://${host}`;
};

/** Steps that are read together, from the action's own backwards: the message that asked for it was taken by one of them. */
const stepsAtOnce = 10;

/** The newest message that the run had taken when it proposed the action; undefined when it is not there any more. */
const messageOf = async (
  { store }: ApiWorld,
  { runId, conversationId, step: last }: Action,
): Promise<Message | undefined> => {
  for (let to = last; to > 0; to -= stepsAtOnce) {
    const numbers = Array.from({ length: Math.min(stepsAtOnce, to) }, (_, index) => to - index);
    const { steps } = await store.read({ steps: numbers.map((step) => ({ runId, step })) });
    const took = steps.toSorted((a, b) => b.step - a.step).find((step) => step.took.length > 0);
    const messageId = took?.took.at(-1);
    if (messageId === undefined) continue;
    return (await store.read({ messages: [{ conversationId, messageId }] })).messages[0]?.item;
  }
  return undefined;
};

export const sheetFactsFor = async (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
  origin: string,
): Promise<SheetFacts> => {
  const stand = await deskStandFor(world, caller, actionId);
  const { item } = stand.action;
  const [newest, agent, message] = await Promise.all([
    world.registry.newestTool(item.workspace, item.tool.name),
    world.registry.agent(item.workspace, stand.run.item.agentId, stand.run.item.revision),
    messageOf(world, item),
  ]);
  const recovery = stand.recovery?.item;
  return sheetFacts({
    action: stand.desk.action,
    conversation: stand.conversation.item,
    message,
    run: stand.run.item,
    recovery: recovery?.on === 'recovery' ? recovery : undefined,
    pinned: stand.desk.pinned,
    currentVersion: newest?.version ?? item.tool.version,
    agentName: agent?.configuration.name ?? item.agentId,
    journal: stand.journal,
    leave: { ...stand.leave, mandateRevokedAt: stand.desk.mandateRevokedAt },
    links: linksAt(origin),
    generatedBy: caller.author,
    nowMs: stand.nowMs,
  });
};
