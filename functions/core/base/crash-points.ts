// The named places in production code where a crash matters: each is passed on the way, and a test may end the process there.
// Owns: the list. A test walks it, so that a new point without a test fails.
// Tested in test/crash/points.test.ts.

export const crashPoints = [
  // Think
  'think.before-model',
  'think.after-model',
  'think.step-stored',
  // Perform
  'perform.read',
  'perform.before-engage',
  'perform.engaged',
  'perform.before-first-byte',
  'perform.reply-received',
  'perform.settled',
  // Finish
  'finish.before',
  'finish.stored',
  // Verify
  'verify.read',
  'verify.stored',
  // Admit, publish
  'admit.stored',
  'publish.before-send',
  'publish.sent',
  // Fire
  'fire.before',
  'fire.conversation-made',
  'fire.stored',
] as const;
export type CrashPoint = (typeof crashPoints)[number];
