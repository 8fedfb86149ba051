// Histories of Map and Parallel have the events, ids and previous ids that AWS records: each branch is a chain of its own.
import { expect, it } from 'vitest';
import { invoke, type Line, openRig, outline, Thrown } from './rig.ts';

const detail = (history: readonly Line[], id: number): Readonly<Record<string, unknown>> =>
  history.find((line) => line.id === id)?.details ?? {};

const _failing = (): never => {
  throw new Thrown('Boom', 'It went wrong.');
};

it('a Map with one iteration at a time chains each iteration to the end of the one before', async () => {
  const rig = openRig();
  const inner = { Each: { Type: 'Pass', Assign: { seen: '{% $limit %}' }, End: true } };
  const { history, output } = await rig.run({
    StartAt: 'Set',
    States: {
      Set: { Type: 'Pass', Assign: { limit: 42, list: ['a', 'b'] }, Next: 'All' },
      All: {
        Type: 'Map',
        Items: '{% $list %}',
        MaxConcurrency: 1,
        ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: 'Each', States: inner },
        End: true,
      },
    },
  });
  expect(output).toEqual(['a', 'b']);
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 PassStateEntered',
    '3<2 PassStateExited',
    '4<3 MapStateEntered',
    '5<4 MapStateStarted',
    '6<5 MapIterationStarted',
    '7<6 PassStateEntered',
    '8<7 PassStateExited',
    '9<8 MapIterationSucceeded',
    '10<8 MapIterationStarted',
    '11<10 PassStateEntered',
    '12<11 PassStateExited',
    '13<12 MapIterationSucceeded',
    '14<13 MapStateSucceeded',
    '15<13 MapStateExited',
    '16<15 ExecutionSucceeded',
  ]);
  expect(detail(history, 3)).toMatchObject({
    assignedVariables: { limit: '42', list: '["a","b"]' },
    assignedVariablesDetails: { truncated: false },
  });
  expect(detail(history, 5)).toEqual({ length: 2 });
  expect(detail(history, 10)).toEqual({ name: 'All', index: 1 });
});

it('an unbounded Map starts all iterations, schedules all their tasks, then starts them', async () => {
  const rig = openRig();
  const { history } = await rig.run(
    {
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: {
            StartAt: 'Call',
            States: {
              Call: { Type: 'Task', Resource: invoke, Arguments: { FunctionName: 'f' }, End: true },
            },
          },
          End: true,
        },
      },
    },
    [1, 2],
  );
  expect(outline(history).slice(2, 11)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted',
    '5<3 MapIterationStarted',
    '6<4 TaskStateEntered',
    '7<6 TaskScheduled',
    '8<5 TaskStateEntered',
    '9<8 TaskScheduled',
    '10<7 TaskStarted',
    '11<9 TaskStarted',
  ]);
});

it('a Map over something that is no array fails before it starts', async () => {
  const rig = openRig();
  const { history, cause } = await rig.run({
    StartAt: 'All',
    States: {
      All: {
        Type: 'Map',
        Items: "{% {'a': 1} %}",
        ItemProcessor: { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } },
        End: true,
      },
    },
  });
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 MapStateEntered',
    '3<0 EvaluationFailed',
    '4<3 MapStateFailed',
    '5<4 ExecutionFailed',
  ]);
  expect(cause).toContain(
    "returned an unexpected result type. Expected 'array', but was 'object' for value: {\"a\":1}",
  );
});

it('a Parallel whose branch fails is failed, then left when it is caught', async () => {
  const rig = openRig();
  const branch = { StartAt: 'B', States: { B: { Type: 'Fail', Error: 'E', Cause: 'C' } } };
  const { history, output } = await rig.run({
    StartAt: 'P',
    States: {
      P: {
        Type: 'Parallel',
        Branches: [branch],
        Catch: [{ ErrorEquals: ['E'], Next: 'Rest' }],
        End: true,
      },
      Rest: { Type: 'Pass', End: true },
    },
  });
  expect(output).toEqual({ Error: 'E', Cause: 'C' });
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 ParallelStateEntered',
    '3<2 ParallelStateStarted',
    '4<3 FailStateEntered',
    '5<4 ParallelStateFailed',
    '6<5 ParallelStateExited',
    '7<6 PassStateEntered',
    '8<7 PassStateExited',
    '9<8 ExecutionSucceeded',
  ]);
});

it('a Map whose tasks time out fails with one iteration and aborts the others', async () => {
  const rig = openRig();
  rig.lambda = () => new Promise(() => undefined);
  const arn = await rig.start(
    await rig.machine({
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: {
            StartAt: 'Call',
            States: {
              Call: {
                Type: 'Task',
                Resource: invoke,
                Arguments: { FunctionName: 'f' },
                TimeoutSeconds: 5,
                End: true,
              },
            },
          },
          End: true,
        },
      },
    }),
    [1, 2],
  );
  await rig.clock.advance(5000);
  const { history, error } = await rig.ended(arn);
  expect(error).toBe('States.Timeout');
  expect(outline(history).slice(9)).toEqual([
    '10<7 TaskStarted',
    '11<9 TaskStarted',
    '12<10 TaskTimedOut',
    '13<11 TaskTimedOut',
    '14<12 MapIterationFailed',
    '15<12 TaskStateAborted',
    '16<12 MapIterationAborted',
    '17<12 TaskStateAborted',
    '18<12 MapStateFailed',
    '19<18 ExecutionFailed',
  ]);
});

it('a Map that retries starts over without having failed', async () => {
  const rig = openRig();
  const arn = await rig.start(
    await rig.machine({
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'E' } } },
          Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 1, MaxAttempts: 1 }],
          End: true,
        },
      },
    }),
    [1],
  );
  await rig.clock.advance(1000);
  const { history } = await rig.ended(arn);
  expect(outline(history).slice(2)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted',
    '5<4 FailStateEntered',
    '6<5 MapIterationFailed',
    '7<5 MapStateStarted',
    '8<7 MapIterationStarted',
    '9<8 FailStateEntered',
    '10<9 MapIterationFailed',
    '11<9 MapStateFailed',
    '12<11 ExecutionFailed',
  ]);
});
