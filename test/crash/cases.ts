// What every crash point means for a run that writes once and then does something irreversible: which of its passes are
// tried, and which action cannot be known afterwards. Owns: that table, and the one procedure by which a case is tried.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CrashPoint } from '../../functions/core/base/crash-points.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Client } from '../rig/client.ts';
import { type Destination, demoToken, openDestination } from '../rig/destination.ts';
import { startTwinProcess } from '../rig/process.ts';
import { approve, egressTo, makeAgent, openRig, type Scripts } from '../rig/rig.ts';
import { callCreate, callRefund } from '../rig/tools.ts';
import { until } from '../rig/until.ts';

const scripts: Scripts = {
  crash: {
    scenes: [
      {
        when: { matches: '^(?<title>.+)$' },
        turns: [
          { say: 'First the write.', call: [callCreate('{{match.title}}')] },
          { say: 'Then the irreversible one.', call: [callRefund('pay_1001', 100)] },
          { say: 'That was all.' },
        ],
      },
    ],
  },
};

type Tool = 'create' | 'refund';

interface Pass {
  readonly pass: number;
  /** What the process was doing, for the title. */
  readonly when: string;
  /** The reply to the write is lost before the process is killed. */
  readonly lostReply?: true;
  /** The action whose outcome nobody can know after that. */
  readonly unknown?: Tool;
}

const write = 'create' satisfies Tool;
const irreversible = 'refund' satisfies Tool;

/** The two passes of a point within Perform, one per action. */
const both = (when: string, isUnknown: boolean): readonly Pass[] => [
  { pass: 1, when: `${when}, of the write`, ...(isUnknown ? { unknown: write } : {}) },
  {
    pass: 2,
    when: `${when}, of the approved irreversible call`,
    ...(isUnknown ? { unknown: irreversible } : {}),
  },
];

/** Points of the firing of routines have a procedure of their own, in fire.test.ts. */
type RunPoint = Exclude<CrashPoint, `fire.${string}`>;

export const cases: { readonly [Point in RunPoint]: readonly Pass[] } = {
  'think.before-model': [
    { pass: 1, when: 'before the first model call' },
    { pass: 2, when: 'before the model sees the result of the write' },
  ],
  'think.after-model': [
    { pass: 1, when: 'with the first answer of the model not stored' },
    { pass: 3, when: 'with the final answer not stored' },
  ],
  'think.step-stored': [
    { pass: 1, when: 'with the write planned and nobody told' },
    { pass: 2, when: 'with the approval asked and nobody told' },
    { pass: 3, when: 'with the final answer stored and nobody told' },
  ],
  'perform.read': [
    { pass: 1, when: 'as Perform begins, for the write' },
    { pass: 2, when: 'as Perform begins, before the approval' },
    { pass: 3, when: 'as Perform begins, after the approval' },
  ],
  'perform.before-engage': both('before the attempt is opened', false),
  'perform.engaged': both('with the attempt opened and nothing sent', true),
  'perform.before-first-byte': both('at the first byte', true),
  'perform.reply-received': both('with the reply received and not stored', true),
  'perform.settled': both('with the outcome stored and nobody told', false),
  'verify.read': [
    {
      pass: 1,
      when: 'as an action with a lost reply is looked into',
      lostReply: true,
      unknown: write,
    },
  ],
  'verify.stored': [
    {
      pass: 1,
      when: 'with a person called for an action with a lost reply',
      lostReply: true,
      unknown: write,
    },
  ],
  'finish.before': [{ pass: 1, when: 'before the end is written' }],
  'finish.stored': [{ pass: 1, when: 'with the end written and nobody told' }],
  'admit.stored': [{ pass: 1, when: 'with the execution admitted and nobody told' }],
  'publish.before-send': [
    { pass: 1, when: 'before the execution is started' },
    { pass: 3, when: 'before the approval is passed on' },
  ],
  'publish.sent': [
    { pass: 1, when: 'with the execution started and the order not cleared' },
    { pass: 3, when: 'with the approval passed on and the order not cleared' },
  ],
};

/** `perform.engaged` belongs to the group `perform`, whose tests are in `perform.test.ts`. */
export const groupOf = (point: string): string => point.split('.')[0] ?? '';

const pointsOf = (group: string): RunPoint[] =>
  Object.keys(cases).filter(
    (point): point is RunPoint => point in cases && groupOf(point) === group,
  );

/** Answers what the run waits for as a careful person would: by looking at the destination. Resolves at the run's end. */
const answerUntilEnd = async (client: Client, destination: Destination, runId: string) => {
  const undetermined: Action[] = [];
  const answer = async (on: string, requestId: string): Promise<void> => {
    if (on === 'approval') return approve(client, requestId);
    const { request } = await client.request(requestId);
    const { action } = await client.action(request.actionId);
    undetermined.push(action);
    const [effect] = await destination.effectsOf(action.actionId);
    await client.decide(action.actionId, {
      kind: effect === undefined ? 'not_performed' : 'attach',
      evidence: {
        what: effect === undefined ? 'It is not there.' : 'It is there.',
        where: 'The list of effects of the demo',
        when: new Date().toISOString(),
        coverage: 'All effects of the account.',
        ...(effect === undefined ? {} : { reference: effect.id }),
      },
    });
  };
  const state = await until(
    `run ${runId} ends`,
    async () => {
      const run = await client.run(runId);

      if (run.state.status === 'finished') return run.state;
      if (run.state.status === 'waiting')
        for (const { on, requestId } of run.state.blocking) await answer(on, requestId);
      return undefined;
    },
    40_000,
  );
  return { state, undetermined };
};

interface Ground {
  readonly destination: Destination;
  /** A data folder with tools and agent registered, to be copied. */
  readonly template: string;
  readonly agentId: string;
}

const openGround = async (): Promise<Ground> => {
  const destination = await openDestination();
  const template = await mkdtemp(join(tmpdir(), 'reprise-crash-'));
  // Opened as new, so that the tools are registered; then closed and kept.
  const rig = await openRig({ destination, scripts, newDir: template });
  const agentId = await makeAgent(rig.client, 'crash');
  await rig.close();
  return { destination, template, agentId };
};

/** Runs until the armed point kills the process; the message's id is kept, should its answer have been lost. */
const runUntilKilled = async (
  { destination, agentId }: Ground,
  dataDir: string,
  armed: string,
  title: string,
) => {
  const child = await startTwinProcess(
    { dataDir, scripts, environment: egressTo(destination.port), demoToken },
    { REPRISE_CRASH_AT: armed },
  );
  try {
    const { client } = child;
    const conversationId = await client.begin(agentId);
    const key = crypto.randomUUID();
    const said = await client.say(conversationId, title, { key }).catch(() => undefined);
    const signal = await until(`the process dies at ${armed}`, async () => {
      const ended = child.endedBy();
      if (ended !== undefined) return ended;
      // It may die while it is asked.
      const { items } = await client.openApprovals().catch(() => ({ items: [] }));
      for (const { requestId } of items) await approve(client, requestId).catch(() => undefined);
      return undefined;
    });
    return { conversationId, key, runId: said?.runId, signal };
  } finally {
    await child.kill();
  }
};

/** The tests of one group of points, a process killed in each. */
export const crashTests = (group: string): void => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await openGround();
  });
  afterAll(async () => {
    await ground.destination.close();
    await rm(ground.template, { recursive: true, force: true });
  });

  const trial = async (point: CrashPoint, { pass, unknown, lostReply }: Pass): Promise<void> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'reprise-crashed-'));
    await cp(ground.template, dataDir, { recursive: true });
    const title = `Killed at ${point} ${pass}`;
    if (lostReply)
      await ground.destination.fault({
        service: 'crm',
        operation: 'create_opportunity',
        match: { title },
        mode: 'drop_reply_after_write',
      });
    const killed = await runUntilKilled(ground, dataDir, `${point}:${pass}`, title);
    expect(killed.signal).toBe('SIGKILL');
    const { destination } = ground;
    const rig = await openRig({ destination, dataDir, scripts });
    try {
      const { client } = rig;
      // The answer to the message may have been lost with the process; the message was not. Where it was answered, asking
      // again with the same key gives the same answer; else the key counts as in flight until the function's time is over.
      const [stored] = await client.runs(killed.conversationId);
      const runId = stored?.runId ?? '';
      if (killed.runId !== undefined) {
        const again = await client.say(killed.conversationId, title, { key: killed.key });
        expect([killed.runId, again.runId]).toEqual([runId, runId]);
      }
      const { state, undetermined } = await answerUntilEnd(client, destination, runId);
      expect(state).toMatchObject({ reason: 'done' });
      expect(undetermined.map(({ tool }) => tool.name)).toEqual(unknown ? [unknown] : []);
      expect(undetermined.every(({ effect }) => effect === 'undetermined')).toBe(true);
      const actions = await client.actions(runId);
      expect(actions.map(({ tool }) => tool.name)).toEqual([write, irreversible]);
      for (const action of actions) {
        // The destination knows no keys: what is sent twice is there twice.
        const effects = await destination.effectsOf(action.actionId);
        expect(effects).toHaveLength(action.effect === 'confirmed' ? 1 : 0);
        expect(['confirmed', 'not_performed']).toContain(action.effect);
        expect(action.attempts).toBe(1);
      }
      expect(await client.runs(killed.conversationId)).toHaveLength(1);
      const events = await client.events(killed.conversationId);
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    } finally {
      await rig.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  };

  describe.concurrent(`killed with -9 in ${group}`, () => {
    for (const point of pointsOf(group))
      for (const one of cases[point]) {
        const outcome = one.unknown
          ? 'one action is undetermined and not sent again'
          : 'it goes on';
        test(`${one.when}: ${outcome}`, () => trial(point, one));
      }
  });
};
