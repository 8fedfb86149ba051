// One page of the recovery desk: what is listed, narrowed by what the caller asked for. Owns: filling a page, and the filters.
// Tested in test/functions/api/desk/desk.test.ts.

import type { z } from 'zod';
import type { Author } from '../../core/base/author.ts';
import { skewMs } from '../../core/base/limits.ts';
import type { Action } from '../../core/records/action.ts';
import { type Claim, isHeld } from '../../core/records/claim.ts';
import type { FoldedAction } from '../../core/records/folded.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import { deskAtOf } from '../../core/recover/desk-list.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { foldedOf } from '../../wiring/folded.ts';
import { walk } from '../http/walk.ts';
import type { Caller } from '../identity/identity.ts';
import type { DeskCountQuery, DeskEntry, DeskQuery, DeskSummary } from '../schemas/desk.ts';

type Narrowing = z.infer<typeof DeskCountQuery>;
type Wanted = z.infer<typeof DeskQuery>;

/** Queries of the index that one page may take before it gives out a cursor. */
const readsMax = 8;
const pageOfIndex = 100;

const iso = (ms: number): string => new Date(ms).toISOString();
const sinceOf = ({ firstEngagedAt, plannedAt }: Action): string => firstEngagedAt ?? plannedAt;

const destinationFits = ({ destination }: Action, wanted: string): boolean =>
  wanted === destination.provider || wanted === `${destination.provider}/${destination.account}`;

const fits = (action: FoldedAction, wanted: Narrowing, nowMs: number): boolean =>
  (wanted.state === undefined || action.effect === wanted.state) &&
  (wanted.disposition === undefined || action.disposition.kind === wanted.disposition) &&
  (wanted.agentId === undefined || action.agentId === wanted.agentId) &&
  (wanted.tool === undefined || action.tool.name === wanted.tool) &&
  (wanted.destination === undefined || destinationFits(action, wanted.destination)) &&
  (wanted.olderThanMs === undefined || nowMs - Date.parse(sinceOf(action)) >= wanted.olderThanMs);

const holderOf = (claim: Claim | undefined, nowMs: number): Author | undefined =>
  claim !== undefined && isHeld(claim, nowMs) ? claim.holder : undefined;

const ownerFits = (
  holder: Author | undefined,
  owner: string | undefined,
  { author }: Caller,
): boolean => {
  if (owner === undefined) return true;
  if (owner === 'none') return holder === undefined;
  return holder?.subject === (owner === 'me' ? author.subject : owner);
};

const aboutMax = 120;
/** The arguments on one line; only as much of them as is shown. */
const aboutOf = ({ arguments: of }: Action): string => {
  const text = Object.entries(of)
    .slice(0, 8)
    .map(
      ([name, value]) =>
        `${name}: ${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, aboutMax)}`,
    )
    .join(', ');
  const letters = [...text.slice(0, 2 * aboutMax)];
  return letters.length > aboutMax ? `${letters.slice(0, aboutMax - 1).join('')}…` : text;
};

const entryOf = (
  action: FoldedAction,
  claim: Claim | undefined,
  request: PersonRequest | undefined,
  nowMs: number,
): DeskEntry => {
  const recovery =
    request?.on === 'recovery' && request.decision === undefined ? request : undefined;
  const holder = holderOf(claim, nowMs);
  return {
    actionId: action.actionId,
    conversationId: action.conversationId,
    runId: action.runId,
    tool: action.tool,
    about: aboutOf(action),
    destination: action.destination,
    effect: action.effect,
    disposition: action.disposition.kind,
    contradicted: action.contradicted,
    ...(action.duplicateOf === undefined ? {} : { duplicateOf: action.duplicateOf }),
    attempts: action.attempts,
    since: sinceOf(action),
    ageMs: Math.max(0, nowMs - Date.parse(sinceOf(action))),
    ...(action.engaged === undefined
      ? {}
      : { runningUntil: iso(action.engaged.deadlineAtMs + skewMs) }),
    ...(action.nextCheckAtMs === undefined || action.nextCheckAtMs <= nowMs
      ? {}
      : { nextCheckAt: iso(action.nextCheckAtMs) }),
    needsPerson: recovery?.needsPerson === true,
    ...(recovery === undefined ? {} : { because: recovery.because }),
    ...(holder === undefined || claim === undefined
      ? {}
      : { holder, heldUntil: iso(claim.untilMs) }),
    ...(recovery?.recoverer === undefined ? {} : { recoverer: recovery.recoverer }),
    head: action.head,
  };
};

const entriesOf = async (
  world: ApiWorld,
  actions: readonly FoldedAction[],
  nowMs: number,
): Promise<DeskEntry[]> => {
  const requestIds = actions.flatMap(({ requestId }) =>
    requestId === undefined ? [] : [requestId],
  );
  const [claims, { requests }] = await Promise.all([
    world.desk.claimsOf(actions.map(({ actionId }) => actionId)),
    world.store.read({ requests: requestIds }),
  ]);
  return actions.map((action) =>
    entryOf(
      action,
      claims.find(({ actionId }) => actionId === action.actionId),
      requests.find(({ item }) => item.requestId === action.requestId)?.item,
      nowMs,
    ),
  );
};

/** Attempts past their time that nobody closed yet stand first: an outage leaves them before the sweep comes. */
const strandedIn = async (
  { desk, clock }: ApiWorld,
  { workspace }: Caller,
  { part }: Narrowing,
): Promise<readonly Action[]> => (part === 'open' ? desk.stranded(workspace, clock.now()) : []);

export interface DeskPage {
  readonly items: readonly DeskEntry[];
  readonly next: string | undefined;
}

/** `cursor` is the place of the last action that was looked at. A page may hold fewer than asked for and have a next one. */
export const deskPage = async (
  world: ApiWorld,
  caller: Caller,
  wanted: Wanted,
  cursor: string | undefined,
): Promise<DeskPage> => {
  const nowMs = world.clock.now();
  const items: DeskEntry[] = [];
  const take = async (actions: readonly Action[]): Promise<string | undefined> => {
    const known = await foldedOf(world.store, actions);
    const fitting = known.filter((action) => fits(action, wanted, nowMs));
    for (const entry of await entriesOf(world, fitting, nowMs)) {
      if (!ownerFits(entry.holder, wanted.owner, caller)) continue;
      if (items.some(({ actionId }) => actionId === entry.actionId)) continue;
      items.push(entry);
      const last = actions.find(({ actionId }) => actionId === entry.actionId);
      if (items.length >= wanted.limit && last) return deskAtOf(last);
    }
    return undefined;
  };
  if (cursor === undefined) await take(await strandedIn(world, caller, wanted));
  let from = cursor;
  for (let reads = 0; reads < readsMax && items.length < wanted.limit; reads += 1) {
    const page = await world.desk.actions(caller.workspace, wanted.part, pageOfIndex, from);
    const full = await take(page.items);
    if (full !== undefined) return { items, next: full };
    if (page.next === undefined) return { items, next: undefined };
    from = page.next;
  }
  return { items, next: from };
};

/** Actions looked at for a count: so many pages of the list; more are told as more. */
const countedPagesMax = 4;
const pageOfCount = 500;

/** A list that ends with a page has a cursor all the same. */
const isMore = async (
  { desk }: ApiWorld,
  { workspace }: Caller,
  { part }: Narrowing,
  cursor: string,
): Promise<boolean> => {
  const { items, next } = await desk.actions(workspace, part, 1, cursor);
  return items.length > 0 || next !== undefined;
};

/** How many actions the list has, narrowed alike: the oldest of them, when there are more than one answer counts. */
export const deskCount = async (
  world: ApiWorld,
  caller: Caller,
  wanted: Narrowing,
): Promise<DeskSummary> => {
  const nowMs = world.clock.now();
  const [stranded, listed] = await Promise.all([
    strandedIn(world, caller, wanted),
    walk(
      (cursor) => world.desk.actions(caller.workspace, wanted.part, pageOfCount, cursor),
      { pagesMax: countedPagesMax },
      (action) => [action],
    ),
  ]);
  const known = await foldedOf(world.store, [...stranded, ...listed.kept]);
  const fitting = known.filter((action) => fits(action, wanted, nowMs));
  const all = new Map(fitting.map(({ actionId, effect }) => [actionId, effect]));
  if (wanted.owner !== undefined) {
    const claims = await world.desk.claimsOf([...all.keys()]);
    const holders = new Map(claims.map((claim) => [claim.actionId, holderOf(claim, nowMs)]));
    for (const actionId of all.keys())
      if (!ownerFits(holders.get(actionId), wanted.owner, caller)) all.delete(actionId);
  }
  const undetermined = [...all.values()].filter((effect) => effect === 'undetermined').length;
  const { next } = listed;
  const more = next !== undefined && (await isMore(world, caller, wanted, next));
  return { total: all.size, undetermined, more };
};
