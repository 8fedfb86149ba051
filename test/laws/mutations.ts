// One way to break each law: a small edit of the product that the named tests must notice. Owns: the list, as data.
// `find` occurs exactly once in its file; mutations.test.ts keeps that so.

export interface TestsOf {
  /** From the repository's root. */
  readonly file: string;
  /** Only tests whose title holds this; default all of the file. */
  readonly name?: string;
}

export interface Mutation {
  readonly law: string;
  /** What is wrong after it, in words. */
  readonly breaks: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly TestsOf[];
}

const lawsMax = 21;
export const laws: readonly string[] = Array.from(
  { length: lawsMax },
  (_, index) => `L${index + 1}`,
);

export const mutations: readonly Mutation[] = [
  {
    law: 'L1',
    breaks: 'a lost reply is taken as proof that nothing happened',
    file: 'functions/core/perform/finding.ts',
    find: `milestone: report.milestone, milestoneIs: 'supposed' },
        says: 'nothing',`,
    replace: `milestone: report.milestone, milestoneIs: 'supposed' },
        says: 'disproves',`,
    tests: [{ file: 'test/core/perform/reply.test.ts' }],
  },
  {
    law: 'L2',
    breaks: 'a step is stored without the actions of its calls',
    file: 'functions/core/turn/plan.ts',
    find: "...plans.map(({ action }): Write => ({ do: 'put', kind: 'action', item: action })),",
    replace: '',
    tests: [{ file: 'test/core/changes.test.ts', name: 'Before anything is sent' }],
  },
  {
    law: 'L3',
    breaks: 'an attempt is sent although its stored deadline is over',
    file: 'functions/run/send.ts',
    find: 'if (world.clock.now() >= deadlineAtMs)',
    replace: 'if (world.clock.now() < 0)',
    tests: [{ file: 'test/functions/run/deliveries.test.ts', name: 'after the stored deadline' }],
  },
  {
    law: 'L4',
    breaks: 'an attempt whose outcome is not known is followed by another that nobody authorised',
    file: 'functions/core/perform/move.ts',
    find: "if (recovery) return { move: 'await', request };\n  return { move: 'recover' };",
    replace:
      "if (recovery) return { move: 'await', request };\n  return { move: 'engage', attempt: action.attempts + 1 };",
    tests: [{ file: 'test/core/changes.test.ts', name: 'After an attempt was opened' }],
  },
  {
    law: 'L5',
    breaks: 'each attempt gives the destination another key',
    file: 'functions/core/base/ids.ts',
    find: 'export const referenceOf = (actionId: ActionId): string => actionId;',
    replace:
      'export const referenceOf = (actionId: ActionId): string => actionId + String(Math.random());',
    tests: [{ file: 'test/core/base/identity.test.ts', name: 'The key given to a destination' }],
  },
  {
    law: 'L6',
    breaks: 'what runs is not compared with what was approved',
    file: 'functions/core/perform/engage.ts',
    find: "if (digest !== item.digest) return { kind: 'digest_changed' };",
    replace: '',
    tests: [{ file: 'test/core/changes.test.ts', name: 'Before anything is sent' }],
  },
  {
    law: 'L7',
    breaks: 'a run sends although a person holds the claim',
    file: 'functions/core/perform/engage.ts',
    find: "{ guard: 'no-claim' as const, actionId: item.actionId, nowMs: engaging.nowMs },",
    replace: '',
    tests: [{ file: 'test/core/changes.test.ts', name: 'Before anything is sent' }],
  },
  {
    law: 'L8',
    breaks: 'a look-up that searched only a part proves absence',
    file: 'functions/core/recover/look-up.ts',
    find: '  lookUp.coverage.complete &&\n',
    replace: '',
    tests: [{ file: 'test/core/recover/look-up.test.ts' }],
  },
  {
    law: 'L9',
    breaks: 'a key is trusted for ever',
    file: 'functions/core/recover/look-up.ts',
    find: 'nowMs < firstEngagedAtMs + contract.key.retentionMs - contract.key.marginMs;',
    replace: 'nowMs >= firstEngagedAtMs;',
    tests: [{ file: 'test/core/recover/look-up.test.ts' }],
  },
  {
    law: 'L10',
    breaks: 'somebody decides under the claim of another person',
    file: 'functions/core/recover/desk.ts',
    find: 'if (claim.holder?.subject !== subject)',
    replace: 'if (claim.holder === undefined)',
    tests: [{ file: 'test/core/recover/desk.test.ts' }],
  },
  {
    law: 'L11',
    breaks: 'a message starts a run although one is in progress',
    file: 'functions/core/turn/post-message.ts',
    find: 'const starts = before.activeRun === undefined;',
    replace: 'const starts = true;',
    tests: [{ file: 'test/core/changes.test.ts', name: 'A conversation' }],
  },
  {
    law: 'L12',
    breaks: 'an answer leaves no trace by which a run that parks would see it',
    file: 'functions/core/pausing/waiting.ts',
    find: 'wakeNo: run.wakeNo + (closed.length > 0 ? 1 : 0)',
    replace: 'wakeNo: run.wakeNo',
    tests: [{ file: 'test/core/changes.test.ts', name: 'A run' }],
  },
  {
    law: 'L13',
    breaks: 'a second answer replaces the first',
    file: 'functions/core/answers/answer.ts',
    find: "if (item.decision) return { because: 'already_decided', request: item };",
    replace: '',
    tests: [{ file: 'test/core/changes.test.ts', name: 'An approval' }],
  },
  {
    law: 'L14',
    breaks: 'a run that a person stopped says that it is done',
    file: 'functions/core/turn/finish.ts',
    find: "const reason: RunEnd = stopRequested(before) ? 'stopped' : finishing.reason;",
    replace: 'const reason: RunEnd = finishing.reason;',
    tests: [{ file: 'test/core/changes.test.ts', name: 'A run' }],
  },
  {
    law: 'L15',
    breaks: 'a run gets whichever revision of its agent was read first',
    file: 'functions/wiring/versions.ts',
    find: `agents(\`agent \${workspace}/\${agentId} revision \${revision}\`, () =>`,
    replace: `agents(\`agent \${workspace}/\${agentId}\`, () =>`,
    tests: [{ file: 'test/core/changes.test.ts', name: 'A run' }],
  },
  {
    law: 'L16',
    breaks: 'a call whose result was not recorded gets none',
    file: 'functions/adapters/model/messages.ts',
    find: 'content: calls.map((call) => ({',
    replace:
      'content: calls.filter((call) => results.some((one) => one.callId === call.callId)).map((call) => ({',
    tests: [{ file: 'test/functions/adapters/messages.test.ts' }],
  },
  {
    law: 'L17',
    breaks: 'two changes in a row give a number twice',
    file: 'functions/core/records/change.ts',
    find: 'eventNumber: first + change.events.length,',
    replace: 'eventNumber: first + Math.min(1, change.events.length),',
    tests: [{ file: 'test/core/changes.test.ts', name: 'A conversation' }],
  },
  {
    law: 'L18',
    breaks: 'a credential that a destination sends back in its reply is kept',
    file: 'functions/adapters/tools/reply.ts',
    find: 'const clean = blot(text);',
    replace: 'const clean = text;',
    tests: [{ file: 'test/functions/adapters/http-exchange.test.ts', name: 'blots out a secret' }],
  },
  {
    law: 'L19',
    breaks: 'an occurrence leaves no record',
    file: 'functions/core/routines/fire.ts',
    find: "...occurrences.map((item): PutWrite => ({ do: 'put', kind: 'occurrence', item })),",
    replace: '',
    tests: [{ file: 'test/routines/firing.test.ts', name: 'L19: one occurrence' }],
  },
  {
    law: 'L20',
    breaks: 'an action is sent without looking at the look-alike marker',
    file: 'functions/core/perform/engage.ts',
    find: "do: 'hold-likeness',",
    replace: "do: 'release-likeness',",
    tests: [{ file: 'test/adversary/reissue.test.ts' }],
  },
  {
    law: 'L21',
    breaks: 'one disproved attempt makes the action not performed, whatever the others did',
    file: 'functions/core/records/evidence.ts',
    find: "effects.every((effect) => effect === 'not_performed')",
    replace: "effects.some((effect) => effect === 'not_performed')",
    tests: [{ file: 'test/core/records/fold.test.ts' }],
  },
];

/** How often a text occurs in another. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1;

/** The file's text with the mutation made; undefined unless `find` occurs exactly once. */
export const mutated = (text: string, { find, replace }: Mutation): string | undefined =>
  timesIn(text, find) === 1 ? text.split(find).join(replace) : undefined;
