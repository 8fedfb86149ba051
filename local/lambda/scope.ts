// Which invocation the running code belongs to. After a timeout (or when the twin closes) the invocation's scope is shut,
// and every port that asks here refuses further calls: late code of a dead invocation can do nothing (L3).
// Owns: the asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface InvocationScope {
  readonly requestId: string;
  readonly functionName: string;
  open: boolean;
}

const scopes = new AsyncLocalStorage<InvocationScope>();

export const withinScope = <Result>(scope: InvocationScope, work: () => Result): Result =>
  scopes.run(scope, work);

/** True outside any invocation, and within one that has neither timed out nor been ended. */
export const scopeIsOpen = (): boolean => scopes.getStore()?.open ?? true;

/** A port was used by an invocation that AWS would have frozen. Never retried by the SDK; nothing was sent. */
export class InvocationOver extends Error {
  constructor(scope: InvocationScope) {
    super(
      `The invocation ${scope.requestId} of ${scope.functionName} has ended (its timeout passed or the twin is closing). ` +
        'This call was not made. Finish before the deadline in the context.',
    );
    this.name = 'InvocationOver';
  }
}

/** Throws InvocationOver when the running code's invocation is over. */
export const requireOpenScope = (): void => {
  const scope = scopes.getStore();
  if (scope !== undefined && !scope.open) throw new InvocationOver(scope);
};
