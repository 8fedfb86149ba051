// Where an execution's trace is shown, as templates of an address: what a function gets as its setting `traceAddress`. It fills in
// `{execution}` by the execution's ARN, and by that `{region}` and `{console}`, the host of the console there.

/** In the Step Functions console. */
export const consoleTraceAddress =
  'https://{region}.{console}/states/home?region={region}#/v2/executions/details/{execution}';

/** In the page, which asks the local twin. */
export const twinTraceAddress = '/#/trace/{execution}';
