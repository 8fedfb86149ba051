// The substrate of a deployed function: its process, and Powertools for what it logs, measures and traces.
// Owns: the settings of Logger, Metrics and Tracer. Laws: L18 (neither inputs, answers nor tool calls are logged or traced).
import { setTimeout as pauseFor } from 'node:timers/promises';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { figureNames, metrics as own } from '../metrics.ts';
import type { Measures } from '../ports/measures.ts';
import type { Log } from '../ports/world.ts';
import { about, currentIds, idsIn } from './invocation.ts';
import { mintSuffix } from './minting.ts';
import type { Substrate } from './substrate.ts';

const logger = new Logger();
const metrics = new Metrics({ namespace: own.namespace });
// It would put a header of ours on every call to a tool's destination.
const tracer = new Tracer({ captureHTTPsRequests: false });

const log: Log = {
  info: (message, details) => logger.info(message, { ...currentIds(), ...details }),
  warn: (message, details) => logger.warn(message, { ...currentIds(), ...details }),
  error: (message, details) => logger.error(message, { ...currentIds(), ...details }),
};

const measures: Measures = {
  put: (figures) => {
    for (const name of figureNames) {
      const value = figures[name];
      const unit = name.endsWith('Ms') ? MetricUnit.Milliseconds : MetricUnit.Count;
      if (value !== undefined) metrics.addMetric(own.names[name], unit, value);
    }
    metrics.publishStoredMetrics();
  },
};

export const substrateFromProcess = (): Substrate => ({
  environment: process.env,
  clock: { now: () => Date.now(), pause: (ms) => pauseFor(ms) },
  minter: { suffix: mintSuffix, fraction: () => Math.random() },
  crash: { at: () => undefined },
  log,
  measures,
  aws: () => ({}),
  open: () => true,
});

/** Runs an invocation under its run's and action's ids, in a segment of the trace that can be found by them. */
export const traced = <Output>(input: unknown, work: () => Promise<Output>): Promise<Output> => {
  const ids = idsIn(input);
  return about(ids, async () => {
    const parent = tracer.isTracingEnabled() ? tracer.getSegment() : undefined;
    if (parent === undefined) return work();
    const segment = parent.addNewSubsegment('## invocation');
    tracer.setSegment(segment);
    for (const [name, id] of Object.entries(ids))
      if (id !== undefined) tracer.putAnnotation(name, id);
    try {
      return await work();
    } catch (error) {
      segment.addFaultFlag();
      throw error;
    } finally {
      segment.close();
      tracer.setSegment(parent);
    }
  });
};
