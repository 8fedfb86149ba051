// The streams for clients of other protocols: how they are documented. They are served by a function of their own, not by the
// application; what they say is their protocols' to define, so the document links there.
// Tested in test/functions/api/http/openapi.test.ts.
import { access, type OperationId } from '../identity/access.ts';
import type { ProblemSlug } from '../problems/words.ts';

type JsonSchema = Record<string, unknown>;
type ResponsesOf = (slugs: readonly ProblemSlug[]) => { [status: string]: JsonSchema };

/** Paths of the three, as resources of the gateway. */
export const clientPaths = {
  agUi: '/v1/ag-ui/{agentId}',
  aiSdk: '/v1/ai-sdk/{agentId}',
  aiSdkStream: '/v1/ai-sdk/{agentId}/{threadId}/stream',
} as const;

export const clientOperationIds = [
  'runAgUi',
  'runAiSdk',
  'resumeAiSdk',
] as const satisfies readonly OperationId[];

const reading: readonly ProblemSlug[] = [
  'unauthenticated',
  'forbidden',
  'not-found',
  'busy',
  'internal',
];
const posting: readonly ProblemSlug[] = [
  ...reading,
  'body-too-large',
  'unsupported-media-type',
  'invalid-json',
  'too-deep',
  'invalid-body',
  'too-many-messages-waiting',
  'already-answered',
  'request-expired',
  'request-voided',
  'digest-changed',
  'cannot-run-now',
  'look-alike-found',
  'skill-changed',
  'answer-does-not-fit',
];

const inPath = (name: string, description: string): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
});
const agent = inPath('agentId', 'The agent.');

const stream = (protocol: string): JsonSchema => ({
  description: `A stream of ${protocol}. It ends when the run pauses or ends; the run goes on without it.`,
  content: { 'text/event-stream': { schema: { type: 'string' } } },
});

const body = (protocol: string): JsonSchema => ({
  required: true,
  content: {
    'application/json': { schema: { type: 'object', description: `As ${protocol} defines it.` } },
  },
});

const needs = (operationId: OperationId): string =>
  `Needs the role "${access[operationId]}"; to say something "${access.postMessage}"; to answer, what the request asks for.`;

const noKey =
  'Takes no Idempotency-Key: the id that the client gives a message makes it one message, however often it is sent. The posted history is not read, but for the newest message or the answers in it.';

const agUiSpec = { url: 'https://docs.ag-ui.com/', description: 'AG-UI 1.0' };
const aiSdkSpec = {
  url: 'https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol',
  description: 'The AI SDK’s UI message stream',
};

/** Path items of the document. */
export const clientOperations = (responsesOf: ResponsesOf): { [path: string]: JsonSchema } => ({
  [clientPaths.agUi]: {
    post: {
      operationId: 'runAgUi',
      summary: 'Talk to an agent by AG-UI 1.0',
      description: `Takes RunAgentInput. A thread is a conversation’s id, or any name of your own for one. Approvals, questions and skill requests are interrupts; \`resume\` answers them, once. ${noKey}\n\n${needs('runAgUi')}`,
      externalDocs: agUiSpec,
      tags: ['clients'],
      parameters: [agent],
      requestBody: body('AG-UI (RunAgentInput)'),
      responses: { '200': stream('AG-UI events'), ...responsesOf(posting) },
    },
  },
  [clientPaths.aiSdk]: {
    post: {
      operationId: 'runAiSdk',
      summary: 'Talk to an agent by the AI SDK’s useChat',
      description: `Takes what DefaultChatTransport posts. Its \`id\` is a conversation’s, or any name of your own for one. Approvals are tool approvals; a question is a call that is answered by its output. ${noKey}\n\n${needs('runAiSdk')}`,
      externalDocs: aiSdkSpec,
      tags: ['clients'],
      parameters: [agent],
      requestBody: body('the AI SDK’s DefaultChatTransport'),
      responses: { '200': stream('UI message stream parts'), ...responsesOf(posting) },
    },
  },
  [clientPaths.aiSdkStream]: {
    get: {
      operationId: 'resumeAiSdk',
      summary: 'Resume the stream of a thread',
      description: `The run in progress, told again from where your newest message in it is answered.\n\n${needs('resumeAiSdk')}`,
      externalDocs: aiSdkSpec,
      tags: ['clients'],
      parameters: [agent, inPath('threadId', 'The thread: the `id` of the POST.')],
      responses: {
        '200': stream('UI message stream parts'),
        '204': { description: 'No run is in progress.' },
        ...responsesOf(reading),
      },
    },
  },
});
