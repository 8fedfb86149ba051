// Paths of the run machine: which states an execution goes through, for each answer that its functions can give.
import { describe, expect, test } from 'vitest';
import { act, asking, done, failing, parkAtMs, settled, tell, wait } from './story.ts';

const admit = [{ step: 0, parkAtMs }];
const finish = [{ next: 'end' }];
const park = [{ ended: 'parked' }];
const once = { admit, think: [act('act_1'), done], finish };
/** Around the one call of a step. */
const around = (...inner: string[]) => [
  ...['Admit', 'Think', 'Choose', 'Act'],
  ...inner,
  ...['Think', 'Choose', 'Finish', 'Ended?', 'Ended'],
];

describe('A call', () => {
  test('that is settled at once goes through Perform alone', async () => {
    const story = await tell('run', { ...once, perform: [settled] });
    await story.start();
    expect(await story.end()).toMatchObject({
      status: 'SUCCEEDED',
      path: around('Perform', 'Settled?', 'Settled'),
    });
  });

  test('is handed over by reference: the payload carries ids and the segment, no more', async () => {
    const story = await tell('run', { ...once, perform: [settled] });
    await story.start();
    await story.end();
    const performed = story.calls.find(({ name }) => name === 'perform');
    expect(Object.keys(performed?.payload ?? {}).toSorted()).toEqual(
      ['actionId', 'conversationId', 'runId', 'schema', 'segment'].toSorted(),
    );
  });

  test('that may still be running is looked at again when its deadline has passed', async () => {
    const story = await tell('run', { ...once, perform: [wait(17), settled] });
    await story.start();
    await story.at('WaitForDeadline');
    const beforeMs = story.rig.clock.now();
    const { path } = await story.end();
    expect(story.rig.clock.now() - beforeMs).toBe(17_000);
    expect(path).toEqual(
      around('Perform', 'Settled?', 'WaitForDeadline', 'Perform', 'Settled?', 'Settled'),
    );
  });

  test.each([
    ['approval', 'AwaitApproval'],
    ['question', 'AwaitAnswer'],
    ['skill', 'AwaitSkill'],
    ['recovery', 'AwaitRecovery'],
  ] as const)(
    'that needs a person (%s) waits in %s, and its wake-up leads to Perform',
    async (on, state) => {
      const story = await tell('run', { ...once, perform: [asking(on), settled] });
      await story.start();
      await story.at(state);
      story.decide();
      await story.wake();
      const { status, path } = await story.end();
      expect(status).toBe('SUCCEEDED');
      expect(path).toEqual(
        around(
          ...['Perform', 'Settled?', state, 'ReadDecision', 'Decided?'],
          ...['Perform', 'Settled?', 'Settled'],
        ),
      );
    },
  );

  test('answered before the wait was bound goes straight on to the decision', async () => {
    const story = await tell('run', { ...once, perform: [asking('approval'), settled] });
    story.decide();
    await story.start();
    const { path } = await story.end();
    expect(path).toEqual(
      around(
        ...['Perform', 'Settled?', 'AwaitApproval', 'ReadDecision', 'Decided?'],
        ...['Perform', 'Settled?', 'Settled'],
      ),
    );
  });

  test('woken without a decision waits half a minute and enters the wait again', async () => {
    const story = await tell('run', {
      ...once,
      perform: [asking('approval'), asking('approval'), settled],
    });
    await story.start();
    await story.at('AwaitApproval');
    await story.wake();
    await story.at('Pause');
    await story.rig.clock.advance(30_000);
    await story.at('AwaitApproval', 2);
    story.decide();
    await story.wake();
    const { path } = await story.end();
    expect(path).toEqual(
      around(
        ...['Perform', 'Settled?', 'AwaitApproval', 'ReadDecision', 'Decided?', 'Pause'],
        ...['Perform', 'Settled?', 'AwaitApproval', 'ReadDecision', 'Decided?'],
        ...['Perform', 'Settled?', 'Settled'],
      ),
    );
  });

  test('whose request expires is handed to Perform, which records that', async () => {
    const expiresAtMs = Date.parse('2027-01-01T01:00:00Z');
    const story = await tell('run', {
      ...once,
      perform: [asking('approval', 'req_1', expiresAtMs), settled],
    });
    await story.start();
    await story.at('AwaitApproval');
    const { path } = await story.end();
    expect(story.rig.clock.now()).toBeGreaterThanOrEqual(expiresAtMs);
    expect(path).toEqual(
      around(
        ...['Perform', 'Settled?', 'AwaitApproval', 'ReadDecision', 'Decided?'],
        ...['Perform', 'Settled?', 'Settled'],
      ),
    );
  });

  test('unanswered at the execution’s parking time parks the run', async () => {
    const parked = { next: 'park', step: 1 };
    const story = await tell('run', {
      ...once,
      think: [act('act_1'), parked],
      perform: [asking('approval')],
      park,
    });
    await story.start();
    await story.at('AwaitApproval');
    const { status, path } = await story.end();
    expect(status).toBe('SUCCEEDED');
    expect(path).toEqual([
      ...['Admit', 'Think', 'Choose', 'Act'],
      ...['Perform', 'Settled?', 'AwaitApproval', 'ReadDecision', 'Decided?', 'Settled'],
      ...['Think', 'Choose', 'Park', 'Ended'],
    ]);
    const thought = story.calls.filter(({ name }) => name === 'think');
    expect(thought.map(({ payload }) => payload.parked)).toEqual([false, true]);
    expect(story.calls.find(({ name }) => name === 'park')?.payload.why).toBe('waiting');
  });
});

describe('When Perform throws', () => {
  test.each(['TryAgain', 'Defect', 'Sandbox.Timedout', 'Lambda.Unknown', 'Runtime.ExitError'])(
    '%s is no retry: a pause, then another look',
    async (name) => {
      const story = await tell('run', { ...once, perform: [failing(name), settled] });
      await story.start();
      const { status, path } = await story.end();
      expect(status).toBe('SUCCEEDED');
      expect(path).toEqual(
        around('Perform', 'Patience', 'WaitALittle', 'Perform', 'Settled?', 'Settled'),
      );
    },
  );

  test('the pauses double up to a minute, and after twelve the run is told that it is stuck', async () => {
    const failed = { next: 'finish', step: 1, reason: 'failed', detail: 'Stuck.' };
    const story = await tell('run', {
      ...once,
      think: [act('act_1'), failed],
      perform: [failing('Defect')],
    });
    await story.start();
    const beforeMs = story.rig.clock.now();
    const { status, path } = await story.end();
    expect(status).toBe('SUCCEEDED');
    expect(path.filter((state) => state === 'Perform')).toHaveLength(13);
    expect(path.filter((state) => state === 'WaitALittle')).toHaveLength(12);
    expect(path.slice(-6)).toEqual(['Settled', 'Think', 'Choose', 'Finish', 'Ended?', 'Ended']);
    const thought = story.calls.filter(({ name }) => name === 'think');
    expect(thought.map(({ payload }) => payload.stuck)).toEqual([false, true]);
    expect(story.rig.clock.now() - beforeMs).toBe((1 + 2 + 4 + 8 + 16 + 32 + 6 * 60) * 1_000);
  });

  test('RunFenced ends the call and leaves the end to whoever took over', async () => {
    const story = await tell('run', {
      ...once,
      think: [act('act_1'), failing('RunFenced')],
      perform: [failing('RunFenced')],
    });
    await story.start();
    expect(await story.end()).toMatchObject({
      status: 'SUCCEEDED',
      path: ['Admit', 'Think', 'Choose', 'Act', 'Perform', 'Settled', 'Think', 'Superseded'],
    });
    expect(story.calls.map(({ name }) => name)).not.toContain('finish');
  });
});

describe('A step of several calls', () => {
  test('each goes its own way: one runs at once while another waits for its approval', async () => {
    const story = await tell('run', {
      ...once,
      think: [act('act_1', 'act_2'), done],
      perform: [
        ({ actionId }) => (actionId === 'act_1' ? asking('approval') : settled),
        ({ actionId }) => (actionId === 'act_1' ? asking('approval') : settled),
        settled,
      ],
    });
    await story.start();
    await story.at('AwaitApproval');
    const performed = story.calls.filter(({ name }) => name === 'perform');
    expect(performed.map(({ payload }) => payload.actionId).toSorted()).toEqual(['act_1', 'act_2']);
    story.decide();
    await story.wake();
    const { status, path } = await story.end();
    expect(status).toBe('SUCCEEDED');
    expect(path.filter((state) => state === 'Perform')).toHaveLength(3);
    expect(path.filter((state) => state === 'Think')).toHaveLength(2);
  });

  test('a step without an action of its own goes back to Think', async () => {
    const story = await tell('run', { ...once, think: [act(), done], perform: [settled] });
    await story.start();
    const { path } = await story.end();
    expect(path).toEqual(around());
  });
});

describe('The ways to an end', () => {
  test('an answer without calls ends the run', async () => {
    const story = await tell('run', { admit, think: [done], finish });
    await story.start();
    expect(await story.end()).toMatchObject({
      status: 'SUCCEEDED',
      path: ['Admit', 'Think', 'Choose', 'Finish', 'Ended?', 'Ended'],
    });
    expect(story.calls.at(-1)?.payload).toMatchObject({ reason: 'done', detail: '' });
  });

  test('Finish refuses while a message waits: one more step', async () => {
    const story = await tell('run', {
      admit,
      think: [done, done],
      finish: [{ next: 'think' }, { next: 'end' }],
    });
    await story.start();
    expect((await story.end()).path).toEqual([
      ...['Admit', 'Think', 'Choose', 'Finish', 'Ended?'],
      ...['Think', 'Choose', 'Finish', 'Ended?', 'Ended'],
    ]);
  });

  test('the event budget continues the run in another execution', async () => {
    const story = await tell('run', {
      admit,
      think: [{ next: 'continue', step: 7 }],
      park: [{ ended: 'continued' }],
    });
    await story.start();
    expect((await story.end()).path).toEqual(['Admit', 'Think', 'Choose', 'Park', 'Ended']);
    expect(story.calls.at(-1)?.payload.why).toBe('budget');
  });

  test('a model that asks to be called later is waited for by the machine, in pieces that Think sizes', async () => {
    const later = (waitSeconds: number) => ({
      next: 'wait',
      step: 0,
      waitSeconds,
      modelTries: 1,
      modelNotBeforeMs: 17_000,
    });
    const story = await tell('run', { admit, think: [later(10), later(7), done], finish });
    await story.start();
    await story.at('WaitForModel');
    const beforeMs = story.rig.clock.now();
    const { path } = await story.end();
    expect(story.rig.clock.now() - beforeMs).toBe(17_000);
    const waits = ['Think', 'Choose', 'WaitForModel', 'Think', 'Choose', 'WaitForModel'];
    expect(path).toEqual(['Admit', ...waits, 'Think', 'Choose', 'Finish', 'Ended?', 'Ended']);
    const thoughts = story.calls.filter(({ name }) => name === 'think');
    expect(thoughts.map(({ payload }) => payload.modelTries)).toEqual([0, 1, 1]);
    expect(thoughts.map(({ payload }) => payload.modelNotBeforeMs)).toEqual([0, 17_000, 17_000]);
  });

  test('Think that fails for good ends the run as failed, with the error in words', async () => {
    const story = await tell('run', { admit, think: [failing('Defect')], finish });
    await story.start();
    expect((await story.end()).path).toEqual(['Admit', 'Think', 'Finish', 'Ended?', 'Ended']);
    expect(story.calls.at(-1)?.payload).toMatchObject({
      reason: 'failed',
      detail: expect.stringMatching(
        /^The next step could not be taken: .* failed \(Defect\)\. This step sent nothing; .* are held\. Send/,
      ),
    });
  });

  test('Think that says TryAgain is asked again', async () => {
    const story = await tell('run', { admit, think: [failing('TryAgain'), done], finish });
    await story.start();
    await story.end();
    expect(story.calls.map(({ name }) => name)).toEqual(['admit', 'think', 'think', 'finish']);
  });

  test.each([
    ['Admit', 'NotAdmitted', { admit: [failing('Defect')] }],
    ['Finish', 'NotEnded', { admit, think: [done], finish: [failing('Defect')] }],
    ['Park', 'NotEnded', { admit, think: [{ next: 'park', step: 1 }], park: [failing('Defect')] }],
  ])(
    '%s that fails for good fails the execution by name, and the sweep sees it',
    async (state, error, answers) => {
      const story = await tell('run', answers);
      await story.start();
      const ended = await story.end();
      expect(ended).toMatchObject({ status: 'FAILED', error });
      expect(ended.path.slice(-2)).toEqual([state, error]);
      expect(story.rig.changes.at(-1)).toMatchObject({ status: 'FAILED', error });
    },
  );

  test.each([
    ['Admit', { admit: [failing('RunFenced')] }],
    ['Finish', { admit, think: [done], finish: [failing('RunFenced')] }],
    ['Park', { admit, think: [{ next: 'park', step: 1 }], park: [failing('RunFenced')] }],
  ])('%s of an older segment ends quietly', async (state, answers) => {
    const story = await tell('run', answers);
    await story.start();
    const ended = await story.end();
    expect(ended.status).toBe('SUCCEEDED');
    expect(ended.path.slice(-2)).toEqual([state, 'Superseded']);
  });
});
