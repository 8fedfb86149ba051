// What one step costs: transitions and history events as GetExecutionHistory shows them, calls to DynamoDB and invocations
// as they pass the functions' doors. Owns: which step each belongs to.
import { z } from 'zod';
import type { TableCall, WatchedName } from './doors.ts';
import { openRig } from './rig.ts';

/** What belongs to one step: from its Think to the next one's. */
export interface StepCounts {
  transitions: number;
  historyEvents: number;
  writeCalls: number;
  itemsWritten: number;
  readCalls: number;
  bytesWritten: number;
  lambdaInvocations: number;
}

/** What the product may cost per step. */
export const limits = {
  transitionsPerStep: 6,
  historyEventsPerStep: 26,
  dynamodbWriteCallsPerStep: 6,
  dynamodbItemsWrittenPerStep: 20,
  dynamodbReadCallsPerStep: 4,
  lambdaInvocationsPerStep: 2,
  growth: 1.1,
} as const;

export interface Counts {
  readonly steps: number;
  /** By step number, from 1. */
  readonly byStep: readonly StepCounts[];
  /** Steps at which the run went on in a new execution: what that took is in their counts. */
  readonly continuedAt: readonly number[];
  /** The publisher's and the streamed texts', of the whole run. */
  readonly apart: { readonly publisherWriteCalls: number; readonly deltaWriteCalls: number };
}

const nothing = (): StepCounts => ({
  transitions: 0,
  historyEvents: 0,
  writeCalls: 0,
  itemsWritten: 0,
  readCalls: 0,
  bytesWritten: 0,
  lambdaInvocations: 0,
});

const historyPage = z.object({
  nextToken: z.string().optional(),
  events: z.array(
    z.looseObject({
      id: z.number(),
      type: z.string(),
      stateEnteredEventDetails: z.looseObject({ name: z.string() }).optional(),
      taskScheduledEventDetails: z
        .looseObject({ resourceType: z.string(), resource: z.string(), parameters: z.string() })
        .optional(),
    }),
  ),
});
type HistoryEvent = z.infer<typeof historyPage>['events'][number];

type Handle = (operation: string, body: unknown) => Promise<{ readonly body: unknown }>;

const historyOf = async (handle: Handle, executionArn: string): Promise<HistoryEvent[]> => {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const { body } = await handle('GetExecutionHistory', {
      executionArn,
      maxResults: 1_000,
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    const page = historyPage.parse(body);
    events.push(...page.events);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return events;
};

/** The state machine's own calls to DynamoDB (waits and reads of decisions) count like a function's. */
const isTableCall = (event: HistoryEvent): boolean =>
  event.taskScheduledEventDetails?.resourceType.includes('dynamodb') === true;

const isRead = (event: HistoryEvent): boolean =>
  event.taskScheduledEventDetails?.resource.startsWith('getItem') === true;

const thinkCall = z.object({ Payload: z.object({ step: z.number() }) });

/** The last stored step when this execution first thought. */
const stepBefore = (events: readonly HistoryEvent[]): number => {
  for (const { taskScheduledEventDetails: details } of events) {
    const call = details && thinkCall.safeParse(JSON.parse(details.parameters));
    if (call?.success) return call.data.Payload.step;
  }
  return 0;
};

/** Events from one Think's entry to the next one's belong to one step. Retries are transitions too. */
const addHistory = (byStep: StepCounts[], events: readonly HistoryEvent[]): void => {
  const before = stepBefore(events);
  let step = before;
  let scheduled = 0;
  let entered = 0;
  for (const event of events) {
    const isEntry = event.type.endsWith('StateEntered');
    if (isEntry && event.stateEnteredEventDetails?.name === 'Think') step += 1;
    const counts = step === before ? undefined : byStep[step - 1];
    if (counts === undefined) continue;
    counts.historyEvents += 1;
    if (isEntry) counts.transitions += 1;
    if (event.type === 'TaskStateEntered') entered += 1;
    if (event.type === 'TaskScheduled') scheduled += 1;
    if (event.type === 'TaskScheduled' && scheduled > entered) {
      counts.transitions += 1;
      entered = scheduled;
    }
    if (isTableCall(event)) counts[isRead(event) ? 'readCalls' : 'writeCalls'] += 1;
  }
};

const thinking = z.object({ step: z.number() });

/** Counts one run of `steps` steps, each with one tool call that writes. */
export const countRun = async (steps: number): Promise<Counts> => {
  const byStep = Array.from({ length: steps }, nothing);
  const apart = { publisherWriteCalls: 0, deltaWriteCalls: 0 };
  const continuedAt: number[] = [];
  let now: StepCounts | undefined;
  const add = (name: WatchedName, call: TableCall): void => {
    if (name === 'publish') apart.publisherWriteCalls += call.kind === 'write' ? 1 : 0;
    else if (call.isDelta) apart.deltaWriteCalls += 1;
    else if (now !== undefined && call.kind === 'read') now.readCalls += 1;
    else if (now !== undefined) {
      now.writeCalls += 1;
      now.itemsWritten += call.items;
      now.bytesWritten += call.bytes;
    }
  };
  const rig = await openRig({
    invoked: (name, input) => {
      if (name === 'think') now = byStep[thinking.parse(input).step];
      if (name === 'park' && now !== undefined) continuedAt.push(byStep.indexOf(now) + 1);
      if (name !== 'publish' && now !== undefined) now.lambdaInvocations += 1;
    },
    called: add,
  });
  try {
    const run = await rig.say(await rig.converse('loop'), `loop ${steps}`);
    await run.ended;
    const { stepFunctions, machineArns } = rig.twin;
    const handle: Handle = (operation, body) => stepFunctions.handle(operation, body);
    const { executions } = z
      .object({ executions: z.array(z.looseObject({ executionArn: z.string() })) })
      .parse((await handle('ListExecutions', { stateMachineArn: machineArns.run })).body);
    for (const { executionArn } of executions.toReversed())
      addHistory(byStep, await historyOf(handle, executionArn));
    return { steps, byStep, continuedAt, apart };
  } finally {
    await rig.close();
  }
};

/**
 * Steps that are nothing but a model call and a tool call: without the first, which also takes the message and loads the
 * agent, and without those at which the run changed its execution.
 */
export const plainSteps = ({ byStep, continuedAt }: Counts): readonly StepCounts[] =>
  byStep.filter((_, index) => index > 0 && !continuedAt.includes(index + 1));

const mean = (counts: Counts, of: keyof StepCounts): number => {
  const steps = plainSteps(counts);
  return steps.reduce((sum, step) => sum + step[of], 0) / steps.length;
};

/** The last step over the third. */
const growth = ({ byStep }: Counts, of: keyof StepCounts): number =>
  (byStep.at(-1)?.[of] ?? 0) / (byStep[2]?.[of] ?? 1);

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export const summaryOf = (counts: Counts) => ({
  steps: counts.steps,
  transitionsPerStep: rounded(mean(counts, 'transitions')),
  historyEventsPerStep: rounded(mean(counts, 'historyEvents')),
  dynamodbWriteCallsPerStep: rounded(mean(counts, 'writeCalls')),
  dynamodbItemsWrittenPerStep: rounded(mean(counts, 'itemsWritten')),
  dynamodbReadCallsPerStep: rounded(mean(counts, 'readCalls')),
  lambdaInvocationsPerStep: rounded(mean(counts, 'lambdaInvocations')),
  bytesWrittenPerStep: Math.round(mean(counts, 'bytesWritten')),
  /** How often the run went on in a new execution; those steps are left out above. */
  continuations: counts.continuedAt.length,
  growth: rounded(growth(counts, 'writeCalls')),
  growthItemsWritten: rounded(growth(counts, 'itemsWritten')),
  growthReads: rounded(growth(counts, 'readCalls')),
  growthBytesWritten: rounded(growth(counts, 'bytesWritten')),
  publisherWriteCalls: counts.apart.publisherWriteCalls,
  deltaWriteCalls: counts.apart.deltaWriteCalls,
});
export type CountsSummary = ReturnType<typeof summaryOf>;
