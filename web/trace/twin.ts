// Reads an execution from the local twin, on the address that the page came from, in Step Functions' own protocol as any SDK
// speaks it. The twin asks for a signature and takes any: whoever reaches it on this machine may ask it everything. There is no
// such address on AWS, where runs name the Step Functions console instead.
// Owns: those calls, and that a history that grows is read on from where it ended.
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { Problem, problemFrom } from '../api/client.ts';
import type { JsonObject } from '../api/types.ts';
import { eventFrom, type GivenEvent, type HistoryEvent, isObject, parsedJson } from './history.ts';

export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly status: string;
  /** Seconds. */
  readonly startDate: number;
  readonly stopDate?: number;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}
interface HistoryPage {
  readonly events: readonly GivenEvent[];
  readonly nextToken?: string;
}
export interface History {
  readonly events: readonly HistoryEvent[];
  /** Names the last page, which is read again for what came after; undefined for the first. */
  readonly lastPage: string | undefined;
  /** Events before that page. */
  readonly settled: number;
}

const signature =
  'AWS4-HMAC-SHA256 Credential=page/20260101/us-east-1/states/aws4_request, SignedHeaders=host, Signature=0';
const eventsPerPage = 1_000;
/** A running execution is looked at again this often. */
const lookAgainMs = 1_000;

/** AWS words an error as `__type` and `message`. */
const refusalFrom = async (response: Response): Promise<Problem> => {
  const problem = await problemFrom(response);
  const { __type: type, message } = problem.members;
  return typeof message === 'string'
    ? new Problem(response.status, { title: String(type ?? ''), detail: message })
    : problem;
};

/** Rejects with Problem. The person's token has no part in it. */
const ask = async <Answer>(operation: string, body: object): Promise<Answer> => {
  const response = await fetch('/', {
    method: 'POST',
    cache: 'no-store',
    headers: {
      authorization: signature,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AWSStepFunctions.${operation}`,
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Problem(0, {});
  });
  if (!response.ok) throw await refusalFrom(response);
  const answer: Answer = await response.json();
  return answer;
};

const keys = {
  execution: (arn: string) => ['trace', arn, 'execution'],
  machine: (arn: string) => ['trace', arn, 'machine'],
  history: (arn: string) => ['trace', arn, 'history'],
};

const readHistory = async (executionArn: string): Promise<History> => {
  const before = cache.getQueryData<History>(keys.history(executionArn));
  let { lastPage, settled } = before ?? { lastPage: undefined, settled: 0 };
  const events = before?.events.slice(0, settled) ?? [];
  for (;;) {
    const page: HistoryPage = await ask('GetExecutionHistory', {
      executionArn,
      maxResults: eventsPerPage,
      ...(lastPage === undefined ? {} : { nextToken: lastPage }),
    });
    settled = events.length;
    events.push(...page.events.map(eventFrom));
    if (page.nextToken === undefined) break;
    lastPage = page.nextToken;
  }
  // The same list again when nothing was added, so that nothing is worked out anew.
  return before?.events.length === events.length ? before : { events, lastPage, settled };
};

export const useExecution = (arn: string) =>
  useQuery({
    queryKey: keys.execution(arn),
    queryFn: () => ask<Execution>('DescribeExecution', { executionArn: arn }),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? lookAgainMs : false),
  });

export const useHistory = (arn: string, isRunning: boolean) =>
  useQuery({
    queryKey: keys.history(arn),
    queryFn: () => readHistory(arn),
    structuralSharing: false,
    // Until the event that ends it has been read: it may be written after the last look.
    refetchInterval: ({ state }) => {
      const last = state.data?.events.at(-1)?.type ?? '';
      return isRunning || !/^Execution(?!Started|Redriven)/.test(last) ? lookAgainMs : false;
    },
  });

/** The definition that this execution runs on, which may be older than the machine's newest. */
export const useDefinition = (arn: string) =>
  useQuery({
    queryKey: keys.machine(arn),
    queryFn: async (): Promise<JsonObject> => {
      const machine = await ask<{ readonly definition: string }>(
        'DescribeStateMachineForExecution',
        { executionArn: arn },
      );
      const parsed = parsedJson(machine.definition);
      return isObject(parsed) ? parsed : {};
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
