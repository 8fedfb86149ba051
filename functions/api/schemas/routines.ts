// What the API takes and gives about routines. Owns: those shapes.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { OccurrenceId, RoutineId, RunId } from '../../core/base/ids.ts';
import { Occurrence, Routine, RoutineContent } from '../../core/records/routine.ts';
import { RunState } from '../../core/records/run.ts';

export const RoutineView = Routine.omit({ schema: true, workspace: true, anchorMs: true }).extend({
  /** Give it back with a change, so that nobody else's is overwritten. */
  rev: z.int().positive(),
  /** Left out when it is not active, or nothing is due any more. */
  nextAt: z.iso.datetime().optional(),
  /** False for the moment between a change and its arrival at the Scheduler. */
  scheduled: z.boolean(),
});
export type RoutineView = z.infer<typeof RoutineView>;

export const RoutineBody = RoutineContent;
export const RoutineChange = RoutineContent.extend({ rev: z.int().positive() });
export const RoutineMade = z.strictObject({ routineId: RoutineId });

/** An occurrence, and how its run goes; a queued one has none until the run before has ended. */
export const OccurrenceView = Occurrence.omit({ schema: true, workspace: true }).extend({
  run: z.strictObject({ runId: RunId, state: RunState }).optional(),
  /** Further tries of this one. */
  retryable: z.boolean(),
});
export type OccurrenceView = z.infer<typeof OccurrenceView>;

export const PreviewBody = RoutineContent.pick({
  schedule: true,
  zone: true,
  startsAt: true,
  endsAt: true,
}).extend({ count: z.int().min(1).max(50).default(10) });

const said = z.strictObject({ en: z.string(), fr: z.string() });
export const Preview = z.strictObject({
  /** The next ones, with the local time in the schedule's own zone. */
  occurrences: z.array(z.strictObject({ at: z.iso.datetime(), local: z.string() })),
  words: said,
  warnings: z.array(
    z.strictObject({
      code: z.enum(['skipped', 'happens_twice', 'rate_shifts', 'never_again']),
      words: said,
    }),
  ),
});
export type Preview = z.infer<typeof Preview>;

export const inOccurrence = z.strictObject({ routineId: RoutineId, occurrenceId: OccurrenceId });
