// The measures port: figures about the product itself, and what they are counted from. Nothing decides from them.

/** What is measured. Ages are milliseconds, 0 when there is nothing of the kind. */
export interface Figures {
  /** Age of the oldest undetermined action that waits for a person's decision. */
  readonly undeterminedOldestMs?: number;
  /** How many wait so. */
  readonly undetermined?: number;
  /** Waiting runs that the sweep found with nothing that would wake them, in this round. */
  readonly runsWaitingOnNobody?: number;
  /** Age of the oldest outbox entry not yet delivered. */
  readonly outboxOldestMs?: number;
  /** Events that the bus did not take, in one call. */
  readonly busEntriesRefused?: number;
  /** Parts of the sweep that failed in this round: what they take up waits for the next. */
  readonly sweepPartsFailed?: number;
}

export interface Measures {
  /** Reports figures; never throws. */
  put(figures: Figures): void;
}

export interface Stock {
  readonly count: number;
  /** Epoch milliseconds; undefined when the count is 0. */
  readonly oldestAtMs: number | undefined;
}

/** What lies about now, over all workspaces, read from the sweep's index. */
export interface Stocks {
  /** Undetermined actions that wait for a person. */
  undetermined(): Promise<Stock>;
  /** Outbox entries that nobody has delivered yet. */
  outbox(): Promise<Stock>;
}
