// How a deployed function comes by its handler: built on first use, on the substrate of its own process.
// Owns: that nothing of it is loaded before, nor elsewhere.
import type { Substrate } from './substrate.ts';

/** What only a deployed function needs is loaded when it is first called, and not at all elsewhere. */
export const deployed = () => import('./deployed.ts');

/** Builds a handler on first use, so that a cold start pays once and importing a module costs nothing. */
export const lazily = <Input, Context, Output>(
  make: (substrate: Substrate) => (input: Input, context: Context) => Promise<Output>,
): ((input: Input, context: Context) => Promise<Output>) => {
  let built: ((input: Input, context: Context) => Promise<Output>) | undefined;
  return async (input, context) => {
    const { substrateFromProcess, traced } = await deployed();
    built ??= make(substrateFromProcess());
    const run = built;
    return traced(input, () => run(input, context));
  };
};
