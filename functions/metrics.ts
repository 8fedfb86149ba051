// Names of the product's own metrics, for the functions that report them and the stack that watches them.
import type { Figures } from './ports/measures.ts';

/** Own metrics (Powertools, embedded metric format), one dimension `service`. The sweep reports ages and counts each minute. */
export const metrics = {
  namespace: 'Reprise',
  names: {
    undeterminedOldestMs: 'UndeterminedOldestMs',
    undetermined: 'Undetermined',
    runsWaitingOnNobody: 'RunsWaitingOnNobody',
    outboxOldestMs: 'OutboxOldestMs',
    busEntriesRefused: 'BusEntriesRefused',
    sweepPartsFailed: 'SweepPartsFailed',
  },
} as const satisfies {
  readonly namespace: string;
  readonly names: { readonly [Figure in keyof Required<Figures>]: string };
};
export type FigureName = keyof typeof metrics.names;
export const figureNames = Object.keys(metrics.names) as readonly FigureName[];
