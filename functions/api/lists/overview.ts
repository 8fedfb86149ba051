// Counts a period from the workspace's lists. Nothing keeps running totals, so nothing can drift: each answer counts the items
// themselves, newest first, up to a bound, and says where it stopped. Owns: those bounds.
import type { z } from 'zod';
import { isExpired } from '../../core/answers/expire.ts';
import { type Calendar, calendarOf, type Day, dayPlus, daysBetween } from '../../core/base/days.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Run } from '../../core/records/run.ts';
import type { Price } from '../../core/registry/agent.ts';
import {
  type RunFact,
  spentOf,
  standingOf,
  standingsOf,
  unknownOf,
  usageOf,
  type WaitFact,
  waitOf,
  waitsOf,
} from '../../core/reports/overview.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { walk } from '../http/walk.ts';
import type { OverviewQuery, OverviewView } from '../schemas/overview.ts';
import { needsSomebody } from '../schemas/views.ts';

type World = Pick<ApiWorld, 'lists' | 'registry' | 'desk' | 'clock'>;

/** Items of one page; DynamoDB ends a page sooner, at one mebibyte. */
const pageMax = 1_000;
/** Pages one answer reads of each list: some tens of thousands of runs, some thousands of the rest. */
export const pagesMax = { runs: 60, closed: 20, open: 10, desk: 10 } as const;

/** An answer is due before the gateway's limit: what is not counted by then is said not to be. */
const longestMs = 15_000;

interface Period {
  readonly workspace: string;
  readonly from: Day;
  readonly to: Day;
  readonly calendar: Calendar;
  readonly nowMs: number;
  readonly goOn: () => boolean;
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
/** Lists are newest first: they are read from the period's end back to its beginning. */
const endOf = ({ calendar, to }: Period): string => isoOf(calendar.beginOf(dayPlus(to, 1)));
const beginOf = ({ calendar, from }: Period): string => isoOf(calendar.beginOf(from));

const runsIn = async ({ lists }: World, period: Period) => {
  const { workspace, calendar, goOn } = period;
  const begin = beginOf(period);
  const { kept, cutAt } = await walk(
    (cursor) => lists.runs(workspace, { limit: pageMax, cursor }),
    {
      pagesMax: pagesMax.runs,
      from: endOf(period),
      goOn,
      until: ({ startedAt }) => startedAt < begin,
    },
    (run: Run): RunFact[] => [
      {
        day: calendar.dayAt(Date.parse(run.startedAt)),
        agentId: run.agentId,
        revision: run.revision,
        standing: standingOf(run),
        usage: run.usage,
      },
    ],
  );
  // The day it stopped in is not whole: it is left out.
  const first = cutAt && dayPlus(calendar.dayAt(Date.parse(cutAt.startedAt)), 1);
  return { facts: first === undefined ? kept : kept.filter(({ day }) => day >= first), first };
};

const pricesOf = async ({ registry }: World, workspace: string, facts: readonly RunFact[]) => {
  const nameOf = ({ agentId, revision }: Pick<RunFact, 'agentId' | 'revision'>): string =>
    `${agentId} ${revision}`;
  const distinct = [...new Map(facts.map((fact) => [nameOf(fact), fact])).values()];
  const found = await Promise.all(
    distinct.map(async (fact): Promise<[string, Price | undefined]> => {
      const agent = await registry.agent(workspace, fact.agentId, fact.revision);
      return [nameOf(fact), agent?.configuration.price];
    }),
  );
  const prices = new Map(found);
  return (agentId: RunFact['agentId'], revision: number): Price | undefined =>
    prices.get(nameOf({ agentId, revision }));
};

const runsView = async (world: World, period: Period) => {
  const { workspace, from, to } = period;
  const [{ facts, first }, agents] = await Promise.all([
    runsIn(world, period),
    world.registry.agentsOf(workspace),
  ]);
  const priceOf = await pricesOf(world, workspace, facts);
  const names = new Map(agents.map(({ agentId, configuration }) => [agentId, configuration.name]));
  const byDay = Map.groupBy(facts, ({ day }) => day);
  const byAgent = [...Map.groupBy(facts, ({ agentId }) => agentId)].map(([agentId, of]) => ({
    agentId,
    name: names.get(agentId) ?? agentId,
    total: of.length,
    standings: standingsOf(of),
    usage: usageOf(of),
    priced: of.every(({ revision }) => priceOf(agentId, revision) !== undefined),
  }));
  return {
    runs: {
      ...(first === undefined ? {} : { countedFrom: first }),
      total: facts.length,
      standings: standingsOf(facts),
      byDay: daysBetween(first ?? from, to).map((day) => {
        const of = byDay.get(day) ?? [];
        return { day, total: of.length, standings: standingsOf(of) };
      }),
      byAgent: byAgent.toSorted((a, b) => b.total - a.total),
    },
    spent: [...spentOf(facts, priceOf)],
  };
};

const waitsView = async ({ lists }: World, period: Period) => {
  const { workspace, nowMs, goOn } = period;
  const begin = beginOf(period);
  const fact = (request: PersonRequest): WaitFact[] => {
    const wait = waitOf(request, nowMs);
    return wait === undefined ? [] : [wait];
  };
  const [open, closed] = await Promise.all([
    walk(
      (cursor) => lists.openRequests(workspace, { limit: pageMax, cursor }),
      { pagesMax: pagesMax.open, goOn },
      (request) => (needsSomebody(request) && !isExpired(request, nowMs) ? fact(request) : []),
    ),
    walk(
      (cursor) => lists.closedRequests(workspace, { limit: pageMax, cursor }),
      {
        pagesMax: pagesMax.closed,
        from: endOf(period),
        goOn,
        until: ({ decidedAt = '' }) => decidedAt < begin,
      },
      fact,
    ),
  ]);
  return {
    moreOpen: open.next !== undefined,
    ...(closed.cutAt?.decidedAt === undefined ? {} : { closedFrom: closed.cutAt.decidedAt }),
    byKind: [...waitsOf([...open.kept, ...closed.kept])],
  };
};

const unknownView = async ({ desk }: World, { workspace, nowMs, goOn }: Period) => {
  const part = (of: 'open' | 'aside') =>
    walk(
      (cursor) => desk.actions(workspace, of, pageMax, cursor),
      { pagesMax: pagesMax.desk, goOn },
      (action) => [action],
    );
  const [open, aside] = await Promise.all([part('open'), part('aside')]);
  return {
    more: open.next !== undefined || aside.next !== undefined,
    byTool: [...unknownOf(open.kept, nowMs)],
    aside: aside.kept.filter(({ effect }) => effect === 'undetermined').length,
  };
};

export const overviewOf = async (
  world: World,
  workspace: string,
  { days, to: last, zone }: z.infer<typeof OverviewQuery>,
): Promise<OverviewView> => {
  const nowMs = world.clock.now();
  const calendar = calendarOf(zone);
  const to = last ?? calendar.dayAt(nowMs);
  const from = dayPlus(to, 1 - days);
  const goOn = (): boolean => world.clock.now() < nowMs + longestMs;
  const period = { workspace, from, to, calendar, nowMs, goOn };
  const [counted, waits, undetermined] = await Promise.all([
    runsView(world, period),
    waitsView(world, period),
    unknownView(world, period),
  ]);
  return { from, to, zone, at: isoOf(nowMs), ...counted, waits, undetermined };
};
