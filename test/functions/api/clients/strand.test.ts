// The strand of a message, event by event: which steps are its own, what is told of them, and in the words of each protocol.
// Pure: no store, no connection. Laws: L11, L16.
import { describe, expect, test } from 'vitest';
import { agUiAfter } from '../../../../functions/api/projections/ag-ui.ts';
import { aiSdkChunks } from '../../../../functions/api/projections/ai-sdk.ts';
import { type Around, nothingAround } from '../../../../functions/api/projections/around.ts';
import type { Beat } from '../../../../functions/api/projections/beat.ts';
import { hasNothing, sparing } from '../../../../functions/api/projections/have.ts';
import { newStrand, type Strand } from '../../../../functions/api/projections/strand.ts';
import { strandAfter } from '../../../../functions/api/projections/strand-events.ts';
import { ConversationId, MessageId, RunId } from '../../../../functions/core/base/ids.ts';
import type { Message } from '../../../../functions/core/records/conversation.ts';
import { EventBody } from '../../../../functions/core/records/event.ts';
import type { Step } from '../../../../functions/core/records/step.ts';

const id = (prefix: string, last: string): string => `${prefix}_0000000000000000000000000${last}`;
const conversationId = ConversationId.parse(id('cnv', 'A'));
const runId = RunId.parse(id('run', 'A'));
const nextRunId = RunId.parse(id('run', 'B'));
const first = MessageId.parse(id('msg', 'A'));
const newer = MessageId.parse(id('msg', 'B'));
const at = '2026-11-29T12:00:00.000Z';

const messageOf = (messageId: MessageId, subject: string): Message => ({
  schema: 1,
  workspace: 'acme',
  conversationId,
  messageId,
  number: 1,
  text: 'Said.',
  author: { kind: 'person', subject, name: subject },
  at,
  fate: { fate: 'waiting' },
});

const stepOf = (step: number, text: string, more: Partial<Step> = {}): Step => ({
  schema: 1,
  runId,
  step,
  attempt: `m${step}`,
  text,
  calls: [],
  took: [],
  results: [],
  usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, callId: 'call', model: 'm' },
  at,
  ...more,
});

/** A log in short: each entry is an event with the items it refers to. */
type Entry = readonly [EventBody, Partial<Around>?];
const received = (messageId: MessageId, by = 'ana'): Entry => [
  { type: 'message.received', messageId, text: 'Said.', from: by, fate: 'steers' },
  { messages: new Map([[messageId, messageOf(messageId, by)]]) },
];
const started: Entry = [
  { type: 'run.started', runId, agentId: 'a', revision: 1, messageId: first },
];
const taken = (messageId: MessageId, step: number): Entry => [
  { type: 'message.taken', messageId, runId, step },
];
const delta = (step: number, text: string, attempt = `m${step}`): Entry => [
  { type: 'text.delta', runId, step, attempt, text },
];
const reset = (step: number, attempt = `m${step}`): Entry => [
  { type: 'text.reset', runId, step, attempt },
];
const stored = (step: Step): Entry => [
  {
    type: 'step.stored',
    runId,
    step: step.step,
    text: step.text,
    calls: step.calls.map(({ name }) => ({ name })),
    attempt: step.attempt,
  },
  { steps: [step] },
];
const finishes = (reason: 'done' | 'stopped' | 'step_limit' | 'failed' = 'done'): Entry => [
  { type: 'run.finished', runId, reason, detail: 'It is over.', steps: 1 },
];

const tell = (of: MessageId, log: readonly Entry[]) => {
  let strand: Strand = newStrand(of, 'ana');
  const beats: Beat[] = [];
  for (const [index, [body, around]] of log.entries()) {
    const event = { schema: 1, conversationId, number: index + 1, at, body } as const;
    const told = strandAfter(strand, { event, around: { ...nothingAround, ...around } });
    strand = told.strand;
    beats.push(...told.beats);
  }
  return { strand, beats };
};

/** Beats in short. */
const short = (beat: Beat): string => {
  switch (beat.beat) {
    case 'text':
      return `${beat.step.step}:${beat.delta}`;
    case 'step-began':
      return `[${beat.step.step}`;
    case 'step-ended':
      return `${beat.step.step}]`;
    case 'ended':
      return beat.reason;
    default:
      return beat.beat;
  }
};
const shortly = (of: MessageId, log: readonly Entry[]): string =>
  tell(of, log).beats.map(short).join(' ');

const begins = [received(first), started];

describe('whose a step is', () => {
  const cases: readonly (readonly [string, MessageId, readonly Entry[], string])[] = [
    [
      'a run that a message starts is its own, streamed',
      first,
      [
        ...begins,
        delta(1, 'He'),
        delta(1, 'llo'),
        taken(first, 1),
        stored(stepOf(1, 'Hello.')),
        finishes(),
      ],
      '[1 1:He 1:llo 1:. text-ended 1] done',
    ],
    [
      'text of an attempt that failed is taken back',
      first,
      [
        ...begins,
        delta(1, 'He', 'm0'),
        reset(1, 'm0'),
        delta(1, 'Hi'),
        taken(first, 1),
        stored(stepOf(1, 'Hi')),
        finishes(),
      ],
      '[1 1:He text-dropped 1:Hi text-ended 1] done',
    ],
    [
      'another attempt’s text than the stored one’s is taken back without a reset, too',
      first,
      [...begins, delta(1, 'He', 'm0'), taken(first, 1), stored(stepOf(1, 'Hi')), finishes()],
      '[1 1:He text-dropped 1:Hi text-ended 1] done',
    ],
    [
      'a step that was streaming when a newer message came stays the older one’s',
      first,
      [
        ...begins,
        taken(first, 1),
        delta(1, 'He'),
        received(newer),
        delta(1, 'llo'),
        stored(stepOf(1, 'Hello')),
        delta(2, 'Both'),
        taken(newer, 2),
        stored(stepOf(2, 'Both')),
        finishes(),
      ],
      '[1 1:He 1:llo text-ended 1] handed_over',
    ],
    [
      'the newer one’s begins at the step that took it, streamed where that is certain',
      newer,
      [
        received(newer),
        delta(1, 'llo'),
        stored(stepOf(1, 'Hello')),
        delta(2, 'Bo'),
        taken(newer, 2),
        stored(stepOf(2, 'Both')),
        finishes(),
      ],
      '[2 2:Bo 2:th text-ended 2] done',
    ],
    [
      'before a step’s first word nobody knows whose it is: it is told whole to the one it answers',
      first,
      [
        ...begins,
        received(newer),
        delta(1, 'Both'),
        taken(first, 1),
        taken(newer, 1),
        stored(stepOf(1, 'Both')),
        finishes(),
      ],
      'handed_over',
    ],
    [
      'a step that did not take the newer one is the older one’s',
      first,
      [
        ...begins,
        received(newer),
        delta(1, 'Old'),
        taken(first, 1),
        stored(stepOf(1, 'Old')),
        finishes(),
      ],
      '[1 1:Old text-ended 1] handed_over',
    ],
    [
      'somebody else’s message takes nothing over; it is shown where it was said',
      first,
      [
        ...begins,
        taken(first, 1),
        stored(stepOf(1, 'A')),
        received(newer, 'ben'),
        taken(newer, 2),
        stored(stepOf(2, 'B')),
        finishes(),
      ],
      '[1 1:A text-ended said 1] [2 2:B text-ended 2] done',
    ],
    [
      'a message that is taken back ends its strand, and gives the older one’s back',
      newer,
      [received(newer), [{ type: 'message.withdrawn', messageId: newer }], finishes()],
      'withdrawn',
    ],
    [
      'a message that nobody read before a stop is held: it is over with the run',
      newer,
      [received(newer), [{ type: 'message.held', messageId: newer, runId }], finishes('stopped')],
      'stopped',
    ],
    [
      'a message that nobody read before the step limit is answered by the next run',
      newer,
      [
        received(newer),
        stored(stepOf(1, 'Old')),
        finishes('step_limit'),
        [{ type: 'run.started', runId: nextRunId, agentId: 'a', revision: 1, messageId: newer }],
        [{ type: 'message.taken', messageId: newer, runId: nextRunId, step: 1 }],
        [
          { type: 'step.stored', runId: nextRunId, step: 1, text: 'New', calls: [], attempt: 'm1' },
          { steps: [stepOf(1, 'New', { runId: nextRunId })] },
        ],
        [{ type: 'run.finished', runId: nextRunId, reason: 'done', detail: '', steps: 1 }],
      ],
      '[1 1:New text-ended 1] done',
    ],
  ];
  test.each(cases)('%s', (_, of, log, expected) => {
    expect(shortly(of, log)).toBe(expected);
  });
});

test('a call gets one result, in the words of the step that stores it, and nothing comes after the end', () => {
  const call = { kind: 'fixed', callId: 'fix_1', name: 'x', arguments: {} } as const;
  const words = { status: 'error', text: 'There is no tool named "x".' } as const;
  const log = [
    ...begins,
    taken(first, 1),
    stored(stepOf(1, '', { calls: [{ ...call, told: words }] })),
    stored(stepOf(2, 'So.', { results: [{ callId: 'fix_1', name: 'x', told: words }] })),
    finishes(),
    finishes(),
    delta(3, 'late'),
  ];
  const { beats } = tell(first, log);
  expect(beats.map(short).join(' ')).toBe('[1 call result 1] [2 2:So. text-ended 2] done');
});

describe('in the words of each protocol', () => {
  const step = { runId, step: 1, ordinal: 0 };
  const start = {
    threadId: 't',
    runId: 'r',
    reprise: {},
    shown: [{ id: 'u', role: 'user', content: 'Hi' }],
  };
  const agUi = (...beats: readonly Beat[]) => {
    let state: Parameters<typeof agUiAfter>[0] = start;
    return beats.flatMap((beat) => {
      const after = agUiAfter(state, beat);
      state = after.state;
      return after.events;
    });
  };

  test('a text that is taken back leaves the client with what it showed before', () => {
    const beats: readonly Beat[] = [
      { beat: 'text', step, delta: 'Wrong', first: true },
      { beat: 'text-dropped', step },
    ];
    expect(agUi(...beats).at(-1)).toEqual({ type: 'MESSAGES_SNAPSHOT', messages: start.shown });
    expect(beats.flatMap(aiSdkChunks).at(-1)).toEqual({ type: 'reset-step' });
  });

  const ends = [
    ['done', 'RUN_FINISHED', 'finish'],
    ['step_limit', 'RUN_FINISHED', 'finish'],
    ['withdrawn', 'RUN_FINISHED', 'finish'],
    ['handed_over', 'RUN_FINISHED', 'finish'],
    ['stopped', 'RUN_FINISHED', 'abort'],
    ['failed', 'RUN_ERROR', 'error'],
    ['cut_off', 'RUN_ERROR', 'finish'],
    ['withheld', 'RUN_ERROR', 'finish'],
    ['no_answer', 'RUN_ERROR', 'finish'],
    ['connection', 'RUN_ERROR', 'finish'],
    ['broken', 'RUN_ERROR', 'error'],
  ] as const;
  test.each(ends)('the end "%s" is %s, and %s', (reason, type, part) => {
    const beat: Beat = { beat: 'ended', reason, detail: 'Why.' };
    expect(agUi(beat)[0]).toMatchObject({ type });
    expect(JSON.stringify(agUi(beat))).toContain('Why.');
    expect(aiSdkChunks(beat)[0]).toMatchObject({ type: part });
    expect(JSON.stringify(aiSdkChunks(beat))).toContain('Why.');
  });

  test('others’ words are shown as theirs', () => {
    const beat: Beat = { beat: 'said', messageId: newer, from: 'Ben', text: 'Wait.' };
    expect(agUi(beat)[0]).toMatchObject({ role: 'user', name: 'Ben' });
    expect(aiSdkChunks(beat)).toEqual([
      { type: 'steering-message', id: newer, parts: [{ type: 'text', text: 'Wait.' }] },
    ]);
  });
});

test('a client that has a step is not told it again; one that has nothing is told everything', () => {
  const step = { runId, step: 1, ordinal: 0 };
  const beat: Beat = { beat: 'text', step, delta: 'Hello', first: true };
  expect(sparing(hasNothing, beat).news).toBe(true);
  expect(sparing({ ...hasNothing, step: () => true }, beat).news).toBe(false);
});

test('every event of the closed list is told or passed over, whatever the strand knows', () => {
  const bare: Record<string, unknown> = {
    runId,
    messageId: newer,
    requestId: id('req', 'A'),
    actionId: id('act', 'A'),
    twin: id('act', 'B'),
    expiresAt: at,
    untilMs: 1,
    text: 'x',
    from: 'x',
    fate: 'waits',
    step: 1,
    by: 'x',
    segment: 2,
    reason: 'done',
    detail: 'x',
    steps: 1,
    agentId: 'x',
    revision: 1,
    blocking: [],
    calls: [],
    attempt: 'x',
    tool: 'x',
    gate: 'perform',
    because: 'x',
    decision: 'x',
    on: 'approval',
    skill: 'x',
    occurrence: 'x',
  };
  for (const { shape } of EventBody.options) {
    const [type] = [...shape.type.values];
    const fields = Object.keys(shape).map((name) => [name, bare[name]]);
    const numbered = type === 'action.engaged' ? { attempt: 1 } : {};
    const body = EventBody.parse({ ...Object.fromEntries(fields), ...numbered, type });
    const { beats } = tell(first, [...begins, [body, { steps: [stepOf(1, 'x')] }]]);
    expect(beats.every(({ beat }) => typeof beat === 'string')).toBe(true);
  }
});
