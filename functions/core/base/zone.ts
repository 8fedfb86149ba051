// Local times of IANA zones as instants. A local time that does not exist has none; one that happens twice has its
// first. Owns: that rule (EventBridge Scheduler's). Wall times are written as epoch milliseconds read as if in UTC. Pure.
// Tested in test/routines/schedule.test.ts.

export interface Zone {
  /** The wall time at an instant. */
  wallAt(instantMs: number): number;
  /** The instant of a wall time, or undefined when the clocks skip it. */
  instantOf(wallMs: number): number | undefined;
}

const dayMs = 86_400_000;

/** Throws RangeError for a name that is no zone. */
export const zoneOf = (name: string): Zone => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const wallAt = (instantMs: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instantMs)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    const wholeMs = Date.UTC(year, month - 1, day, hour, minute, second);
    return wholeMs + (((instantMs % 1000) + 1000) % 1000);
  };
  const instantOf = (wallMs: number): number | undefined => {
    // The offset in force is that of the day before or of the day after.
    const candidates = [wallMs - dayMs, wallMs + dayMs].map(
      (near) => wallMs - (wallAt(near) - near),
    );
    return candidates.sort((a, b) => a - b).find((instantMs) => wallAt(instantMs) === wallMs);
  };
  return { wallAt, instantOf };
};
