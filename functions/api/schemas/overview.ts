// What the overview takes and gives, as schemas. Owns: those shapes. Laws: L14 (runs are counted under their own words).
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { AgentId } from '../../core/base/ids.ts';
import { zoneOf } from '../../core/base/zone.ts';
import { Usage, waitingOn } from '../../core/records/run.ts';
import { runStandings } from '../../core/reports/overview.ts';

const isZone = (name: string): boolean => {
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
};

export const OverviewQuery = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(92)
    .default(30)
    .describe('Length of the period in days, its last one included.'),
  to: z.iso.date().optional().describe('The last day; today in the zone when left out.'),
  zone: z
    .string()
    .min(1)
    .max(64)
    .refine(isZone, { error: 'No IANA time zone.', params: { fr: 'Fuseau horaire IANA inconnu.' } })
    .default('UTC')
    .describe('IANA time zone whose days are counted.'),
});

const count = z.int().nonnegative();
const Standings = z.strictObject(
  Object.fromEntries(runStandings.map((one) => [one, count])) as Record<
    (typeof runStandings)[number],
    typeof count
  >,
);
const Spread = z.strictObject({
  count: z.int().positive(),
  medianMs: z.number().nonnegative(),
  p90Ms: z.number().nonnegative().describe('Nine of ten waited no longer.'),
  longestMs: z.number().nonnegative(),
});
const since = z
  .string()
  .optional()
  .describe(
    'Left out when the whole period was counted. Else there is more than one answer counts: everything from here on is in, and nothing before.',
  );

export const OverviewView = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  zone: z.string(),
  at: z.iso.datetime().describe('When it was counted.'),
  runs: z.strictObject({
    countedFrom: since,
    total: count,
    /** Why they ended; those in progress, how they stand now. */
    standings: Standings,
    /** Every day of the period that was counted, oldest first; runs by the day they started. */
    byDay: z.array(z.strictObject({ day: z.iso.date(), total: count, standings: Standings })),
    byAgent: z.array(
      z.strictObject({
        agentId: AgentId,
        name: z.string(),
        total: count,
        standings: Standings,
        usage: Usage,
        priced: z
          .boolean()
          .describe('Whether every revision that ran has a price table: else cost is not all.'),
      }),
    ),
  }),
  /** By day, agent and currency, newest first; a line without `amount` has no price table. */
  spent: z.array(
    z.strictObject({
      day: z.iso.date(),
      agentId: AgentId,
      runs: count,
      usage: Usage,
      currency: z.string().optional(),
      amount: z.string().optional(),
    }),
  ),
  waits: z.strictObject({
    /** There are more open requests than were counted: the oldest were. */
    moreOpen: z.boolean(),
    closedFrom: since,
    byKind: z.array(
      z.strictObject({
        on: z.enum(waitingOn),
        /** Open now, by how long they have waited. */
        open: Spread.optional(),
        /** Answered in the period, by how long they had waited. */
        answered: Spread.optional(),
        expired: count,
        voided: count.describe('Closed by the run’s end, or superseded.'),
      }),
    ),
  }),
  undetermined: z.strictObject({
    /** There are more on the desk than were counted: the oldest were. */
    more: z.boolean(),
    byTool: z.array(
      z.strictObject({
        tool: z.string(),
        count,
        byAge: z.strictObject({
          underHour: count,
          underDay: count,
          underWeek: count,
          older: count,
        }),
        oldestSince: z.iso.datetime(),
      }),
    ),
    /** Abandoned or reissued, and still not known. */
    aside: count,
  }),
});
export type OverviewView = z.infer<typeof OverviewView>;
