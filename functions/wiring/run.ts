// The one wiring file of the run machine's light functions, of publish and of the sweep.
export { lambdaHandler } from './lambda.ts';
export { lazily } from './lazily.ts';
export { nowIso, type StoreWorld, storeWorld } from './store.ts';
export type { Substrate } from './substrate.ts';
