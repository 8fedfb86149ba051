// One event of a history, as the API shows it.
// Owns: its stored shape, the limit of their number.

/** `details` holds the one member that fits the type, under its API name: `{ stateEnteredEventDetails: {…} }`. */
export interface HistoryEvent {
  readonly id: number;
  readonly previousEventId: number;
  readonly type: string;
  readonly atMs: number;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The last id a history can have; it belongs to the ExecutionFailed that says so (AWS quota). */
export const eventsMax = 25_000;

export const untruncated = { truncated: false } as const;
