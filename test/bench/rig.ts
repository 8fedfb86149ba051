// The whole product as the benchmarks use it: the twin in this process, the demo CRM in a process of its own, an agent with
// the scripted model, reached through the public API. Owns: its folder, which it removes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Script } from '../../functions/adapters/model/script.ts';
import { environmentNames } from '../../functions/manifest.ts';
import { demoPort, demoSecret, startDemoProcess } from '../../local/command/demo-process.ts';
import { setUpDemo } from '../../local/command/demo-setup.ts';
import { scripts } from '../../local/demo/script.ts';
import { startTwin, type Twin } from '../../local/twin.ts';
import { type Doors, watchedHandlers } from './doors.ts';

/** "refund 20 times" makes 20 refunds of one cent: each waits for an approval. */
const refunds: Script = {
  scenes: [
    {
      when: { matches: 'refund (?<times>\\d+) times' },
      turns: [
        {
          call: [
            {
              name: 'crm_refund',
              arguments: {
                payment_id: 'pay_1001',
                amount_cents: 1,
                reason: '{{message}}, number {{step}}',
              },
            },
          ],
          times: '{{match.times}}',
        },
        { say: 'The refunds are over.' },
      ],
    },
    { when: {}, turns: [{ say: 'Say "refund" and how many times.' }] },
  ],
};
export const benchScripts: { readonly [name: string]: Script } = { ...scripts, refunds };

export interface RunStarted {
  readonly runId: string;
  /** Resolves when Finish has written the run's end. */
  readonly ended: Promise<void>;
}

export interface Rig {
  readonly twin: Twin;
  readonly demoUrl: string;
  readonly secret: string;
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>;
  /** A conversation with the bench's agent of that script. */
  converse(script: 'loop' | 'refunds'): Promise<string>;
  say(conversationId: string, text: string): Promise<RunStarted>;
  close(): Promise<void>;
}

const stepLimit = 10_000;
const toolList = z.object({
  items: z.array(
    z.looseObject({ registration: z.looseObject({ name: z.string() }), version: z.number() }),
  ),
});
const conversationMade = z.looseObject({ conversationId: z.string() });
const agentMade = z.object({ agentId: z.string() });
const posted = z.looseObject({ runId: z.string() });
const ending = z.object({ runId: z.string() });

const callerOf =
  (url: string, token: string): Rig['call'] =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(method === 'POST'
          ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
          : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };

/** Waits for runs by id; an end may come before anybody asks. */
const openEnds = () => {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const of = (runId: string): PromiseWithResolvers<void> => {
    const known = ends.get(runId) ?? Promise.withResolvers<void>();
    ends.set(runId, known);
    return known;
  };
  return {
    ended: (runId: string) => of(runId).promise,
    end: (runId: string) => of(runId).resolve(),
  };
};

const registerAgents = async (call: Rig['call'], demoUrl: string, access: AccessParts) => {
  await setUpDemo(access, demoUrl, { provider: 'scripted', script: 'loop' });
  const { items } = toolList.parse(await call('GET', '/v1/tools'));
  const tools = items.map(({ registration, version }) => ({ name: registration.name, version }));
  const agent = async (script: string): Promise<string> => {
    const model = { provider: 'scripted', script };
    const wanted = { name: `Bench ${script}`, prompt: 'A benchmark.', model, tools, stepLimit };
    return agentMade.parse(await call('POST', '/v1/agents', wanted)).agentId;
  };
  return { loop: await agent('loop'), refunds: await agent('refunds') };
};

interface AccessParts {
  readonly url: string;
  readonly token: string;
}

const openTwin = (folder: string, port: number, doors: Doors, end: (runId: string) => void) =>
  startTwin({
    dataDir: folder,
    port: 0,
    processEnvironment: {},
    environment: {
      [environmentNames.egress]: JSON.stringify({
        hosts: [],
        allowPrivate: [`127.0.0.1:${port}`],
      }),
    },
    handlers: watchedHandlers(
      {
        ...doors,
        returned: (name, input, output) => {
          doors.returned?.(name, input, output);
          if (name === 'finish' && Reflect.get(Object(output), 'next') === 'end')
            end(ending.parse(input).runId);
        },
      },
      (substrate) => ({ ...substrate, scripts: benchScripts }),
    ),
  });

/** Starts everything. `doors` hears of what the functions do. */
export const openRig = async (doors: Doors = {}): Promise<Rig> => {
  const stack = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const port = await demoPort(folder, 0);
    const { ended, end } = openEnds();
    const twin = await openTwin(folder, port, doors, end);
    stack.defer(() => twin.close());
    const secret = await demoSecret(twin.secrets);
    const onRestart = (why: string): void => void process.stderr.write(`The demo died: ${why}\n`);
    const demo = startDemoProcess({ dataDir: folder, port, secret, onRestart });
    stack.defer(() => demo.stop());
    await demo.ready;
    const token = await twin.token('ana');
    const call = callerOf(twin.url, token);
    const agents = await registerAgents(call, demo.url, { url: twin.url, token });
    return {
      twin,
      demoUrl: demo.url,
      secret,
      call,
      converse: async (script) => {
        const body = { agentId: agents[script] };
        return conversationMade.parse(await call('POST', '/v1/conversations', body)).conversationId;
      },
      say: async (conversationId, text) => {
        const path = `/v1/conversations/${conversationId}/messages`;
        const { runId } = posted.parse(await call('POST', path, { text }));
        return { runId, ended: ended(runId) };
      },
      close: () => stack.disposeAsync(),
    };
  } catch (cause) {
    await stack.disposeAsync();
    throw cause;
  }
};
