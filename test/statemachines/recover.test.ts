// Paths of the recover machine: one round of one action.
import { expect, test } from 'vitest';
import { asking, conversationId, failing, runId, settled, tell, wait } from './story.ts';

const actionId = 'act_00000000000000000000000001';
const input = { schema: 1, actionId, round: 2 };
const verified = (next: 'wait' | 'perform' | 'end', waitSeconds = 1) => ({
  next,
  waitSeconds,
  runId,
  conversationId,
});

test('what is known at once ends the round', async () => {
  const story = await tell('recover', { verify: [verified('end')] });
  await story.start(input);
  expect(await story.end()).toMatchObject({
    status: 'SUCCEEDED',
    path: ['Verify', 'Verdict', 'Ended'],
  });
  expect(story.calls).toEqual([{ name: 'verify', payload: input }]);
});

test('what may still be running is looked at when its time has passed', async () => {
  const story = await tell('recover', { verify: [verified('wait', 40), verified('end')] });
  await story.start(input);
  await story.at('WaitAndLook');
  const beforeMs = story.rig.clock.now();
  const { path } = await story.end();
  expect(story.rig.clock.now() - beforeMs).toBe(40_000);
  expect(path).toEqual(['Verify', 'Verdict', 'WaitAndLook', 'Verify', 'Verdict', 'Ended']);
});

test('an authorised repeat goes to Perform as the recovery’s, and what became of it is Verify’s to say', async () => {
  const story = await tell('recover', {
    verify: [verified('perform'), verified('end')],
    perform: [settled],
  });
  await story.start(input);
  expect((await story.end()).path).toEqual([
    ...['Verify', 'Verdict', 'Perform', 'Performed', 'Verify', 'Verdict', 'Ended'],
  ]);
  const performed = story.calls.find(({ name }) => name === 'perform');
  expect(performed?.payload).toMatchObject({ by: 'recover', actionId, runId, conversationId });
});

test('a Perform that must wait is followed by a look, not by another Perform', async () => {
  const story = await tell('recover', {
    verify: [verified('perform'), verified('end')],
    perform: [wait(9)],
  });
  await story.start(input);
  expect((await story.end()).path).toEqual([
    ...['Verify', 'Verdict', 'Perform', 'Performed', 'WaitAndLook', 'Verify', 'Verdict', 'Ended'],
  ]);
});

test('a Perform that needs an approval ends the round: the answer starts the next', async () => {
  const story = await tell('recover', {
    verify: [verified('perform')],
    perform: [asking('approval')],
  });
  await story.start(input);
  expect((await story.end()).path).toEqual(['Verify', 'Verdict', 'Perform', 'Performed', 'Ended']);
});

test.each(['Sandbox.Timedout', 'Lambda.Unknown', 'Defect', 'RunFenced'])(
  'a Perform that ends with %s is not called again: Verify looks first',
  async (name) => {
    const story = await tell('recover', {
      verify: [verified('perform'), verified('end')],
      perform: [failing(name)],
    });
    await story.start(input);
    expect((await story.end()).path).toEqual([
      ...['Verify', 'Verdict', 'Perform', 'WaitAndLook', 'Verify', 'Verdict', 'Ended'],
    ]);
    expect(story.calls.filter((call) => call.name === 'perform')).toHaveLength(1);
  },
);

test('Verify may be asked again after any failure of the service, since it never sends', async () => {
  const story = await tell('recover', { verify: [failing('TryAgain'), verified('end')] });
  await story.start(input);
  await story.end();
  expect(story.calls).toHaveLength(2);
});

test('Verify that fails for good fails the execution by name', async () => {
  const story = await tell('recover', { verify: [failing('Defect')] });
  await story.start(input);
  expect(await story.end()).toMatchObject({
    status: 'FAILED',
    error: 'NotVerified',
    path: ['Verify', 'NotVerified'],
  });
});
