// One tool's trials put up: a door of the fault proxy before each of its tools, a twin of its own with the tools registered
// behind those doors, an agent whose script makes the call, and two people. Owns: the order of starting and closing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Script } from '../../functions/adapters/model/script.ts';
import type { JsonObject } from '../../functions/core/base/json.ts';
import type { Contract } from '../../functions/core/registry/contract.ts';
import type { ToolRegistration } from '../../functions/core/registry/tool.ts';
import { environmentNames } from '../../functions/manifest.ts';
import type { Person } from '../../local/identity/index.ts';
import { type Client, clientOf } from '../kit/client.ts';
import { type Destination, destinationOf } from './objects.ts';
import { type Door, openDoor } from './proxy/proxy.ts';
import { type Subject, withUnique } from './subject.ts';
import { startTwinProcess, type TwinProcess } from './twin-process.ts';

/** Those who act in the trials. */
export const people = {
  ana: {
    subject: 'ana',
    name: 'Ana',
    email: 'ana@example.test',
    roles: ['admin', 'approver', 'recoverer', 'member'],
  },
  lea: {
    subject: 'lea',
    name: 'Léa',
    email: 'lea@example.test',
    roles: ['recoverer', 'member'],
  },
} as const satisfies Record<string, Person>;
export type PersonName = keyof typeof people;

/** Each call that a trial makes has its own name, and by it its own sample arguments. */
export const scenes = [
  'control',
  'probe',
  'probe-2',
  'probe-3',
  'twice',
  'at-once',
  'held',
  'other-content',
  'other-key',
  'refusals',
  'busy',
  'refused',
  'dropped',
  'lost',
  'restart',
  'two-people',
  'content',
  'retention',
  'withdrawn',
] as const;
export type SceneName = (typeof scenes)[number];

export interface Session {
  readonly subject: Subject;
  /** The contract as it was registered for the trials. */
  readonly contract: Contract;
  /** The door before the tool that is tried. */
  readonly door: Door;
  /** The doors before the tools by which the product looks up and polls. */
  readonly looks: readonly Door[];
  readonly twin: TwinProcess;
  readonly destination: Destination;
  /** The API as that person; a new token each time, since the clock may have been put forward. */
  as(person: PersonName): Promise<Client>;
  argumentsOf(scene: SceneName): JsonObject;
  /** What fills `{{unique}}` in them. */
  uniqueOf(scene: SceneName): string;
  /**
   * Starts a run of its own conversation that makes the scene's call. With the same `key` it is the same run, however often
   * it is asked for.
   */
  begin(
    scene: SceneName,
    key?: string,
  ): Promise<{ readonly runId: string; readonly conversationId: string }>;
  /** The longest that anything the contract describes can take, with what the product adds. */
  readonly limitMs: number;
  close(): Promise<void>;
}

const mcpCall = z.looseObject({ method: z.string(), params: z.looseObject({ name: z.string() }) });

const isCallOf = ({ transport }: ToolRegistration): ((body: string) => boolean) => {
  if (transport.kind !== 'mcp') return () => true;
  return (body) => {
    try {
      const message = mcpCall.safeParse(JSON.parse(body)).data;
      return message?.method === 'tools/call' && message.params.name === transport.tool;
    } catch {
      return false;
    }
  };
};

const behind = (registration: ToolRegistration, url: string): ToolRegistration => {
  const { transport } = registration;
  if (transport.kind === 'lambda') return registration;
  return { ...registration, transport: { ...transport, url } };
};

const urlOf = ({ transport }: ToolRegistration): string =>
  transport.kind === 'lambda' ? '' : transport.url;

/** What is tried is what would happen once the contract is taken as verified; the report says so. */
const provisional = (registration: ToolRegistration): ToolRegistration => {
  const { key } = registration.contract;
  return {
    ...registration,
    contract: {
      ...registration.contract,
      key: key.kind === 'key' ? { ...key, retentionMs: triedRetentionMs(key.retentionMs) } : key,
      verification: {
        by: 'reprise trials',
        at: new Date().toISOString(),
        how: 'Taken as verified for the length of these trials only.',
      },
    },
  };
};

/** A run's executions end after a year, an approval after a week; a longer retention is shortened, and the report says so. */
const retentionMsMax = 6 * 86_400_000;
export const triedRetentionMs = (retentionMs: number): number =>
  Math.min(retentionMs, retentionMsMax);

/** A text that is no placeholder for the scripted model. */
const scriptFor = (tool: string, argumentsOf: (scene: SceneName) => JsonObject): Script => ({
  scenes: scenes.map((scene) => ({
    when: { matches: `^Trial ${scene}$` },
    turns: [
      { say: 'I make the call.', call: [{ name: tool, arguments: argumentsOf(scene) }] },
      { say: 'That was all.' },
    ],
  })),
});

const made = z.looseObject({ agentId: z.string() });
const begun = z.looseObject({ conversationId: z.string() });
const said = z.looseObject({ runId: z.string() });

const registerAll = async (api: Client, tools: readonly ToolRegistration[]): Promise<void> => {
  for (const tool of tools) await api.post(z.unknown(), '/v1/tools', tool);
};

/** What a door opens onto, so that a look-up's door can be shut without the tool's. */
const doorsFor = async (
  tools: readonly ToolRegistration[],
  stack: AsyncDisposableStack,
): Promise<ReadonlyMap<string, Door>> => {
  const doors = new Map<string, Door>();
  for (const tool of tools) {
    const door = await openDoor({ url: urlOf(tool), isCall: isCallOf(tool) });
    stack.defer(() => door.close());
    doors.set(tool.name, door);
  }
  return doors;
};

const limitOf = ({ timeoutMs, lookUp, progress }: Contract, patienceMs: number): number =>
  timeoutMs * 2 + (lookUp?.settleMs ?? 0) + (progress?.untilMs ?? 0) + patienceMs;

const openInto = async (
  subject: Subject,
  options: { readonly patienceMs: number; readonly unique: string },
  stack: AsyncDisposableStack,
): Promise<Session> => {
  const tool = provisional(subject.tool);
  const all = [tool, ...subject.reads];
  const doors = await doorsFor(all, stack);
  const shown = all.map((one) => behind(one, doors.get(one.name)?.url ?? urlOf(one)));
  const uniqueOf = (scene: SceneName): string => `${options.unique} ${scene}`;
  const argumentsOf = (scene: SceneName): JsonObject =>
    withUnique(subject.arguments, uniqueOf(scene));
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-trials-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const egress = { hosts: [], allowPrivate: ['127.0.0.1'] };
  const twin = await startTwinProcess({
    dataDir,
    scripts: { trials: scriptFor(tool.name, argumentsOf) },
    environment: { [environmentNames.egress]: JSON.stringify(egress) },
    secrets: subject.secrets,
    aheadMs: 0,
  });
  stack.defer(() => twin.close());
  const as: Session['as'] = async (person) =>
    clientOf({ url: twin.url(), token: await twin.token(people[person]), language: 'en' });
  const api = await as('ana');
  // Reads first: a look-up tool that is there is checked with the contract that names it.
  await registerAll(api, [...shown.slice(1), ...shown.slice(0, 1)]);
  const { agentId } = await api.post(made, '/v1/agents', {
    name: 'Trials',
    prompt: 'You make one call.',
    model: { provider: 'scripted', script: 'trials' },
    tools: [{ name: tool.name }],
  });
  const own = doors.get(tool.name);
  if (own === undefined) throw new Error('The tool that is tried has no door.');
  return {
    subject,
    contract: tool.contract,
    door: own,
    looks: [...doors].filter(([name]) => name !== tool.name).map(([, door]) => door),
    twin,
    destination: destinationOf(subject),
    as,
    argumentsOf,
    uniqueOf,
    begin: async (scene, key = crypto.randomUUID()) => {
      const ana = await as('ana');
      const start = '/v1/conversations';
      const { conversationId } = await ana.ask(begun, 'POST', start, { agentId }, key);
      const path = `/v1/conversations/${conversationId}/messages`;
      const { runId } = await ana.ask(said, 'POST', path, { text: `Trial ${scene}` }, key);
      return { runId, conversationId };
    },
    limitMs: limitOf(tool.contract, options.patienceMs),
    close: () => stack.disposeAsync(),
  };
};

/** Rejects when the twin does not start or the API refuses a registration; then nothing was sent to the destination. */
export const openSession = async (
  subject: Subject,
  options: { readonly patienceMs: number; readonly unique: string },
): Promise<Session> => {
  const stack = new AsyncDisposableStack();
  try {
    return await openInto(subject, options, stack);
  } catch (cause) {
    await stack.disposeAsync();
    throw cause;
  }
};
