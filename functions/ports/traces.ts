// Where an execution's trace can be looked at: its graph, its states, its history. Owns: nothing but the question.

export interface Traces {
  /** Address of the trace of a run's execution; relative to where the API is served, or whole. Undefined where there is none. */
  readonly run: (executionName: string) => string | undefined;
  /** The same of a round of recovery. */
  readonly recovery: (executionName: string) => string | undefined;
}
