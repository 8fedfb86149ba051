// The three errors a handler may throw. Step Functions matches their names, so they are literals; all else is returned as a value.
// Tested in test/functions/run/deliveries.test.ts.

/** A newer segment of the run has taken over: this execution must write nothing more. */
export class RunFenced extends Error {
  override readonly name = 'RunFenced';
}

/** Nothing was sent and nothing decided; the same call may be made again. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

/** A mistake of ours: what was stored contradicts itself, or a case was forgotten. */
export class Defect extends Error {
  override readonly name = 'Defect';
}

/** For the end of an exhaustive switch. Throws Defect. */
export const unreachable = (value: never): never => {
  throw new Defect(`A case was forgotten: ${JSON.stringify(value)}.`);
};
