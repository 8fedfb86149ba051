// Calendar days of a zone as instants: which day an instant falls on, and where a day begins. Pure.
// Tested in test/core/reports/overview.test.ts.
import { zoneOf } from './zone.ts';

/** A calendar day, `2027-01-31`. */
export type Day = string;

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** No zone's offset is finer. */
const quarterMs = 900_000;

const wallOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayAtWall = (wallMs: number): Day => new Date(wallMs).toISOString().slice(0, 10);

/** The day that many days later; earlier for a negative number. */
export const dayPlus = (day: Day, days: number): Day => dayAtWall(wallOf(day) + days * dayMs);

/** From the first to the last, both included. */
export const daysBetween = (first: Day, last: Day): readonly Day[] => {
  const count = Math.round((wallOf(last) - wallOf(first)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayPlus(first, index));
};

export interface Calendar {
  dayAt(instantMs: number): Day;
  /** Where the day begins: at midnight, or at the first local time that exists after it. */
  beginOf(day: Day): number;
}

/** Throws RangeError for a name that is no zone. */
export const calendarOf = (zoneName: string): Calendar => {
  const zone = zoneOf(zoneName);
  const known = new Map<number, Day>();
  return {
    dayAt: (instantMs) => {
      const quarter = Math.floor(instantMs / quarterMs);
      const before = known.get(quarter);
      if (before !== undefined) return before;
      const day = dayAtWall(zone.wallAt(quarter * quarterMs));
      known.set(quarter, day);
      return day;
    },
    beginOf: (day) => {
      const midnight = wallOf(day);
      // Where the clocks skip midnight, the day begins an hour into it; a whole day that is skipped, with the next one.
      return (
        zone.instantOf(midnight) ??
        zone.instantOf(midnight + hourMs) ??
        zone.instantOf(midnight + dayMs) ??
        midnight
      );
    },
  };
};
