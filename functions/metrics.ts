// Names of the product's own metrics, for the functions that report them and the stack that watches them.

/** Own metrics (Powertools, embedded metric format), one dimension `service`. The sweep reports the ages and counts each minute. */
export const metrics = {
  namespace: 'Reprise',
  /** Age of the oldest undetermined action that nobody has decided on; milliseconds, 0 when there is none. */
  undeterminedOldestMs: 'UndeterminedOldestMs',
  /** Runs that say they wait although nothing open would wake them. */
  runsWaitingOnNobody: 'RunsWaitingOnNobody',
  /** Age of the oldest outbox entry not yet delivered; milliseconds, 0 when there is none. */
  outboxOldestMs: 'OutboxOldestMs',
  /** Bus entries that PutEvents refused (publish). */
  busEntriesRefused: 'BusEntriesRefused',
} as const;
