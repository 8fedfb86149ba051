// A whole Reprise for a test: the demo destinations and a twin in this process, tools registered, a client to speak as Ana.
// Owns: the folder, and the order of starting and closing. A rig can be closed and opened again on the same folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from '../../functions/adapters/model/script.ts';
import type { ModelChoice } from '../../functions/core/registry/agent.ts';
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';
import { environmentNames } from '../../functions/manifest.ts';
import { remoteJsonCall } from '../../local/base/endpoints.ts';
import { demoSecretName } from '../../local/demo/registration-parts.ts';
import { startTwin, type Twin, type TwinOptions } from '../../local/twin.ts';
import { type Client, clientOf } from './client.ts';
import { type Destination, demoToken, openDestination } from './destination.ts';
import { toolNames, toolsAt } from './tools.ts';
import { until } from './until.ts';

export type Scripts = Readonly<Record<string, Script>>;

export interface RigOptions {
  readonly scripts?: Scripts;
  readonly twin?: Partial<TwinOptions>;
  /** Time limit of every tool. */
  readonly toolMs?: number;
  /** Tools beside the usual ones. */
  readonly tools?: (url: string) => readonly ToolRegistrationInput[];
  /** One that is there already; it is not closed with the rig. */
  readonly destination?: Destination;
  /** A folder for a new twin, which is not removed with the rig. */
  readonly newDir?: string;
  /** An existing data folder, which is not removed with the rig; its tools are taken to be registered. */
  readonly dataDir?: string;
}

/** Further egress: addresses on loopback that may be called. */
export const egressTo = (...ports: readonly number[]): Readonly<Record<string, string>> => ({
  [environmentNames.egress]: JSON.stringify({
    hosts: [],
    allowPrivate: ports.map((port) => `127.0.0.1:${port}`),
  }),
});

export interface Rig {
  readonly twin: Twin;
  readonly destination: Destination;
  readonly client: Client;
  readonly dataDir: string;
  /** Makes an agent with all tools (or those named) over a script or another model. */
  agent(model: string | ModelChoice, more?: AgentWishes): Promise<string>;
  close(): Promise<void>;
}

export interface AgentWishes {
  readonly tools?: readonly string[];
  readonly stepLimit?: number;
}

/** Makes an agent whose model is a script, by its name, or another one. */
export const makeAgent = (
  client: Client,
  model: string | ModelChoice,
  { tools = toolNames, stepLimit = 40 }: AgentWishes = {},
): Promise<string> =>
  client.makeAgent({
    name: `Agent ${crypto.randomUUID()}`,
    prompt: 'You help.',
    model: typeof model === 'string' ? { provider: 'scripted', script: model } : model,
    tools: tools.map((name) => ({ name })),
    stepLimit,
  });

const twinOptions = (
  dataDir: string,
  destination: Destination,
  { scripts, twin = {} }: RigOptions,
): TwinOptions => ({
  dataDir,
  port: 0,
  // A killed process loses nothing that the operating system has; the disk's own fsync is not what is tried here.
  synchronous: 'NORMAL',
  processEnvironment: {},
  ...(scripts === undefined ? {} : { scripts }),
  ...twin,
  secrets: twin.secrets ?? { [demoSecretName]: demoToken },
  environment: { ...egressTo(destination.port), ...twin.environment },
});

export const openRig = async (options: RigOptions = {}): Promise<Rig> => {
  const given = options.destination;
  const destination = given ?? (await openDestination(options.twin?.clock));
  const dataDir =
    options.dataDir ?? options.newDir ?? (await mkdtemp(join(tmpdir(), 'reprise-rig-')));
  const twin = await startTwin(twinOptions(dataDir, destination, options));
  const client = clientOf(twin.url, await twin.token('ana'));
  if (options.dataDir === undefined)
    for (const tool of [
      ...toolsAt(destination.url, options.toolMs),
      ...(options.tools?.(destination.url) ?? []),
    ])
      await client.registerTool(tool);
  return {
    twin,
    destination,
    client,
    dataDir,
    agent: (model, wishes) => makeAgent(client, model, wishes),
    close: async () => {
      await twin.close();
      if (given === undefined) await destination.close();
      if (options.dataDir === undefined && options.newDir === undefined)
        await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** The run's view once it is finished. */
export const finished = (client: Client, runId: string, timeoutMs?: number) =>
  until(
    `run ${runId} is finished`,
    async () => {
      const run = await client.run(runId);
      return run.state.status === 'finished' ? { ...run, state: run.state } : undefined;
    },
    timeoutMs,
  );

/** The requests of one kind that block the run, once there are `count` of them. */
export const waitingOn = (client: Client, runId: string, on: 'approval' | 'recovery', count = 1) =>
  until(`run ${runId} waits for ${count} of kind ${on}`, async () => {
    const { state } = await client.run(runId);
    if (state.status === 'finished')
      throw new Error(`Run ${runId} is finished instead: ${state.reason}, ${state.detail}`);
    const found = state.status === 'waiting' ? state.blocking.filter((one) => one.on === on) : [];
    if (found.length !== count) return undefined;
    const views = await Promise.all(found.map(({ requestId }) => client.request(requestId)));
    return views.map(({ request }) => request);
  });

/** Approves exactly what the request shows. */
export const approve = async (client: Client, requestId: string): Promise<void> => {
  const { request } = await client.request(requestId);
  if (request.on !== 'approval') throw new Error(`${requestId} is no approval.`);
  await client.answer(requestId, { kind: 'approve', digest: request.digest });
};

/** A conversation with its first message said. */
export const talk = async (client: Client, agentId: string, text: string) => {
  const conversationId = await client.begin(agentId);
  const { runId, messageId } = await client.say(conversationId, text);
  return { conversationId, runId, messageId };
};

/** Calls of a service of the twin in AWS's JSON protocol, as the AWS CLI makes them. */
export const awsCall = (twin: Twin, service: 'states' | 'dynamodb') =>
  remoteJsonCall(
    twin.url,
    'us-east-1',
    service,
    service === 'states' ? 'AWSStepFunctions' : 'DynamoDB_20120810',
  );
