// What a period held, in numbers: runs by day, agent and why they ended, what they cost, how long people were waited for, and
// what is undetermined since when. Owns: those sums. Pure: whoever reads the items says how far back it read.
// Laws: L14 (a run is counted under the words it says itself).

import type { Day } from '../base/days.ts';
import type { Action } from '../records/action.ts';
import type { PersonRequest, RequestKind } from '../records/request.ts';
import { noUsage, type Run, runEnds, type Usage, waitingOn } from '../records/run.ts';
import type { Price } from '../registry/agent.ts';
import { addAmounts, amountOf } from '../registry/usage.ts';

export const runStandings = ['running', 'waiting', 'stopping', ...runEnds] as const;
/** Why a run ended, or else how it stands. */
export type RunStanding = (typeof runStandings)[number];

export const standingOf = ({ state }: Pick<Run, 'state'>): RunStanding =>
  state.status === 'finished' ? state.reason : state.status;

/** What is kept of a run while a period is counted. */
export interface RunFact {
  readonly day: Day;
  readonly agentId: Run['agentId'];
  readonly revision: number;
  readonly standing: RunStanding;
  readonly usage: Usage;
}

export type Standings = { readonly [Standing in RunStanding]: number };
export const standingsOf = (runs: readonly RunFact[]): Standings => {
  const counts = Object.fromEntries(runStandings.map((one) => [one, 0])) as {
    [Standing in RunStanding]: number;
  };
  for (const { standing } of runs) counts[standing] += 1;
  return counts;
};

const plus = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedInputTokens: a.cachedInputTokens + Math.min(b.cachedInputTokens, b.inputTokens),
});

export const usageOf = (runs: readonly RunFact[]): Usage =>
  runs.reduce((sum, { usage }) => plus(sum, usage), noUsage);

/** One line of what was spent: of one agent on one day, in one currency or, without a price table, in tokens alone. */
export interface Spent {
  readonly day: Day;
  readonly agentId: Run['agentId'];
  readonly currency?: string;
  /** A decimal text, unrounded. */
  readonly amount?: string;
  readonly runs: number;
  readonly usage: Usage;
}

export type PriceOf = (agentId: Run['agentId'], revision: number) => Price | undefined;

const spentBy = (runs: readonly RunFact[], priceOf: PriceOf): Spent[] => {
  const priced = Map.groupBy(runs, ({ revision, agentId }) => priceOf(agentId, revision)?.currency);
  return [...priced].flatMap(([currency, of]): Spent[] => {
    const [first] = of;
    if (first === undefined) return [];
    const { day, agentId } = first;
    const line = { day, agentId, runs: of.length, usage: usageOf(of) };
    if (currency === undefined) return [line];
    const amounts = [...Map.groupBy(of, ({ revision }) => revision)].map(([revision, its]) => {
      const price = priceOf(agentId, revision);
      return price === undefined ? '0' : amountOf(usageOf(its), price);
    });
    return [{ ...line, currency, amount: amounts.reduce(addAmounts, '0') }];
  });
};

/** By day, then agent, then currency; newest day first. Runs that used no model are left out. */
export const spentOf = (runs: readonly RunFact[], priceOf: PriceOf): readonly Spent[] =>
  [...Map.groupBy(runs, ({ day, agentId }) => `${day} ${agentId}`)]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([, of]) => spentBy(of, priceOf))
    .filter(({ usage }) => usage.inputTokens + usage.outputTokens > 0);

/** Lengths of time: how they are spread. */
export interface Spread {
  readonly count: number;
  /** Nearest-rank percentiles. */
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly longestMs: number;
}

/** Undefined where there is none. */
export const spreadOf = (lengthsMs: readonly number[]): Spread | undefined => {
  const sorted = Float64Array.from(lengthsMs).sort();
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  if (sorted.length === 0) return undefined;
  return { count: sorted.length, medianMs: at(0.5), p90Ms: at(0.9), longestMs: at(1) };
};

/** What is kept of a request while waiting times are counted. */
export interface WaitFact {
  readonly on: RequestKind;
  readonly waitedMs: number;
  /** `open` still waits; `answered` by somebody; else nobody came. */
  readonly fate: 'open' | 'answered' | 'expired' | 'voided';
}

/** Undefined for a recovery that the machine settled: nobody was waited for. */
export const waitOf = (request: PersonRequest, nowMs: number): WaitFact | undefined => {
  const { on, decision, decidedAt, openedAt } = request;
  if (request.on === 'recovery' && !request.needsPerson) return undefined;
  const end = decision === undefined ? nowMs : Date.parse(decidedAt ?? openedAt);
  const waitedMs = Math.max(0, end - Date.parse(openedAt));
  if (decision === undefined) return { on, waitedMs, fate: 'open' };
  const unanswered = decision.kind === 'expired' || decision.kind === 'voided';
  return { on, waitedMs, fate: unanswered ? decision.kind : 'answered' };
};

export interface Waits {
  readonly on: RequestKind;
  readonly open?: Spread;
  readonly answered?: Spread;
  readonly expired: number;
  readonly voided: number;
}

export const waitsOf = (facts: readonly WaitFact[]): readonly Waits[] =>
  waitingOn.map((on): Waits => {
    const of = Map.groupBy(
      facts.filter((fact) => fact.on === on),
      ({ fate }) => fate,
    );
    const spread = (fate: WaitFact['fate']): Spread | undefined =>
      spreadOf((of.get(fate) ?? []).map(({ waitedMs }) => waitedMs));
    const [open, answered] = [spread('open'), spread('answered')];
    return {
      on,
      ...(open === undefined ? {} : { open }),
      ...(answered === undefined ? {} : { answered }),
      expired: of.get('expired')?.length ?? 0,
      voided: of.get('voided')?.length ?? 0,
    };
  });

const hourMs = 3_600_000;
/** Bands of age, youngest first; each ends before its length. */
export const ageBands = [
  ['underHour', hourMs],
  ['underDay', 24 * hourMs],
  ['underWeek', 7 * 24 * hourMs],
  ['older', Number.POSITIVE_INFINITY],
] as const;
export type AgeBand = (typeof ageBands)[number][0];

export interface Unknown {
  readonly tool: string;
  readonly count: number;
  readonly byAge: { readonly [Band in AgeBand]: number };
  readonly oldestSince: string;
}

const sinceOf = ({ firstEngagedAt, plannedAt }: Action): string => firstEngagedAt ?? plannedAt;

/** Undetermined actions by tool, those with most first. */
export const unknownOf = (actions: readonly Action[], nowMs: number): readonly Unknown[] => {
  const unknown = actions.filter(({ effect }) => effect === 'undetermined');
  const byTool = [...Map.groupBy(unknown, ({ tool }) => tool.name)];
  const lines = byTool.map(([tool, of]): Unknown => {
    const byAge = { underHour: 0, underDay: 0, underWeek: 0, older: 0 };
    for (const action of of) {
      const ageMs = nowMs - Date.parse(sinceOf(action));
      const band = ageBands.find(([, belowMs]) => ageMs < belowMs);
      byAge[band?.[0] ?? 'older'] += 1;
    }
    const [oldestSince = ''] = of.map(sinceOf).toSorted();
    return { tool, count: of.length, byAge, oldestSince };
  });
  return lines.toSorted((a, b) => b.count - a.count || (a.tool < b.tool ? -1 : 1));
};
