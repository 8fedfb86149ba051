// What each crash point of the firing of a routine means: whether the message was said already when the process died.
import type { CrashPoint } from '../../functions/core/base/crash-points.ts';

type FirePoint = Extract<CrashPoint, `fire.${string}`>;

export const fireCases: { readonly [Point in FirePoint]: readonly string[] } = {
  'fire.before': ['before anything was read'],
  'fire.conversation-made': ['with an empty conversation and nothing said'],
  'fire.stored': ['with the run started and the Scheduler not told'],
};
