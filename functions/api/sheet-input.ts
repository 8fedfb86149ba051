// Gathers what a recovery sheet is made of. Owns: that reading, and the addresses of the page that the sheet links to.

import type { ActionId } from '../core/ids.ts';
import { type SheetFacts, sheetFacts } from '../core/sheet.ts';
import type { ApiWorld } from '../wiring/api.ts';
import { deskStandFor } from './desk-stand.ts';
import type { Caller } from './identity.ts';

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

export const sheetFactsFor = async (
  world: ApiWorld,
  caller: Caller,
  actionId: ActionId,
  origin: string,
): Promise<SheetFacts> => {
  const stand = await deskStandFor(world, caller, actionId);
  const { item } = stand.action;
  const [newest, agent] = await Promise.all([
    world.registry.newestTool(item.workspace, item.tool.name),
    world.registry.agent(item.workspace, stand.run.item.agentId, stand.run.item.revision),
  ]);
  const recovery = stand.recovery?.item;
  return sheetFacts({
    action: item,
    conversation: stand.conversation.item,
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
