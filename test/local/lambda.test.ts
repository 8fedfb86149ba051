// The twin's Lambda: what callers see of functions that return, throw, run too long or are too many at once.
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { crashPoints } from '../../functions/core/base/crash-points.ts';
import { simulatedClock } from '../../local/base/clock.ts';
import { crashFromEnvironment } from '../../local/lambda/crash.ts';
import { eventually, handling, testFunction, twinForTest } from './twin-for-tests.ts';

const errorOf = (payload: string): { errorType: string; errorMessage: string; trace?: string[] } =>
  JSON.parse(payload);

describe('an invocation', () => {
  it('gets a copy of its payload and a Lambda context', async () => {
    const sent = { list: [1], gone: undefined };
    const twin = await twinForTest({
      functions: { echo: testFunction({ timeoutMs: 3_000, memoryMb: 256 }) },
      handlers: {
        echo: handling((event, context) => ({
          event,
          name: context.functionName,
          arn: context.invokedFunctionArn,
          memory: context.memoryLimitInMB,
          inTime: context.getRemainingTimeInMillis() <= 3_000,
        })),
      },
    });
    const { payload, functionError } = await twin.invoke('echo', sent);
    expect(functionError).toBeUndefined();
    expect(JSON.parse(payload)).toEqual({
      event: { list: [1] },
      name: 'echo',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:echo',
      memory: '256',
      inTime: true,
    });
  });

  it('that throws answers with the error’s name, message and trace', async () => {
    const twin = await twinForTest({
      functions: { breaks: testFunction() },
      handlers: {
        breaks: handling(() => {
          throw new RangeError('too far');
        }),
      },
    });
    const answer = await twin.invoke('breaks', {});
    expect(answer.functionError).toBe('Unhandled');
    const error = errorOf(answer.payload);
    expect(error).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
    expect(error.trace?.[0]).toBe('RangeError: too far');
  });

  it('of a function whose module is missing says which module, and the twin starts all the same', async () => {
    const twin = await twinForTest({ functions: { absent: testFunction() } });
    const error = errorOf((await twin.invoke('absent', {})).payload);
    expect(error.errorType).toBe('Runtime.ImportModuleError');
    expect(error.errorMessage).toContain('functions/none.ts');
  });

  it('of an unknown function is refused with 404', async () => {
    const twin = await twinForTest();
    await expect(twin.invoke('nobody', {})).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
      status: 404,
    });
  });

  it('over the reserved concurrency is refused with 429, and later accepted', async () => {
    const gate = Promise.withResolvers<void>();
    const twin = await twinForTest({
      functions: { scarce: testFunction({ reservedConcurrency: 1 }) },
      handlers: { scarce: handling(() => gate.promise) },
    });
    const first = twin.invoke('scarce', {});
    await expect(twin.invoke('scarce', {})).rejects.toMatchObject({
      code: 'TooManyRequestsException',
      status: 429,
    });
    gate.resolve();
    await first;
    expect((await twin.invoke('scarce', {})).functionError).toBeUndefined();
  });

  it('that answers more than 6 MB fails as on AWS', async () => {
    const twin = await twinForTest({
      functions: { loud: testFunction() },
      handlers: { loud: handling(() => 'x'.repeat(7_000_000)) },
    });
    const { payload } = await twin.invoke('loud', {});
    expect(errorOf(payload).errorType).toBe('Function.ResponseSizeTooLarge');
  });
});

describe('a timeout', () => {
  it('answers as AWS does and shuts every port of the invocation, and of no other', async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 1));
    const gate = Promise.withResolvers<void>();
    const after = Promise.withResolvers<{ open: boolean; refused: string }>();
    const twin = await twinForTest({
      clock,
      functions: {
        slow: testFunction({ timeoutMs: 3_000, tables: { Conversations: ['write'] } }),
        quick: testFunction({ tables: { Conversations: ['read'] } }),
      },
      handlers: {
        slow: handling(async (_event, _context, substrate) => {
          const client = new DynamoDBClient({ ...substrate.aws('dynamodb') });
          await gate.promise;
          const item = { pk: { S: 'late' }, sk: { S: 'late' } };
          const refused = await client
            .send(new PutItemCommand({ TableName: 'Conversations', Item: item }))
            .then(
              () => 'sent',
              (cause: Error) => cause.name,
            );
          after.resolve({ open: substrate.open(), refused });
        }),
        quick: handling((_event, _context, substrate) => substrate.open()),
      },
    });
    const answer = twin.invoke('slow', {});
    await clock.advance(3_000);
    const { functionError, payload, requestId } = await answer;
    expect(functionError).toBe('Unhandled');
    expect(errorOf(payload)).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${requestId} Error: Task timed out after 3.00 seconds`,
    });
    gate.resolve();
    expect(await after.promise).toEqual({ open: false, refused: 'InvocationOver' });
    expect((await twin.invoke('quick', {})).payload).toBe('true');
    const client = new DynamoDBClient({ ...twin.substrate('quick').aws('dynamodb') });
    const key = { pk: { S: 'late' }, sk: { S: 'late' } };
    const stored = await client.send(new GetItemCommand({ TableName: 'Conversations', Key: key }));
    expect(stored.Item).toBeUndefined();
  });
});

describe('Invoke over the wire', () => {
  it('answers RequestResponse and DryRun, retries an Event twice, and then keeps it as undelivered', async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 1));
    let calls = 0;
    const twin = await twinForTest({
      clock,
      functions: { fails: testFunction({ invokesTools: true }) },
      handlers: {
        fails: handling(() => {
          calls += 1;
          throw new Error('no');
        }),
      },
    });
    const client = new LambdaClient({ ...twin.substrate('fails').aws('lambda') });
    const FunctionName = 'arn:aws:lambda:us-east-1:000000000000:function:fails:live';
    const waited = await client.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
    expect(waited).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
    const dry = new InvokeCommand({ FunctionName, InvocationType: 'DryRun' });
    expect((await client.send(dry)).StatusCode).toBe(204);
    calls = 0;
    const event = new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: '{"a":1}' });
    expect((await client.send(event)).StatusCode).toBe(202);
    for (let tries = 0; tries < 5; tries += 1) await clock.advance(120_000);
    await eventually(() => twin.undelivered().length === 1);
    expect(calls).toBe(3);
    expect(twin.undelivered()[0]).toMatchObject({ input: '{"a":1}', attempts: 3 });
  });

  it('forwards functions of another account to AWS_ENDPOINT_URL_LAMBDA', async () => {
    const other = await twinForTest({
      place: { region: 'us-east-1', account: '111111111111' },
      functions: { theirs: testFunction() },
      handlers: { theirs: handling((event) => ({ theirs: event })) },
    });
    const twin = await twinForTest({ processEnvironment: { AWS_ENDPOINT_URL_LAMBDA: other.url } });
    const theirs = 'arn:aws:lambda:us-east-1:111111111111:function:theirs';
    expect((await twin.invoke(theirs, { a: 1 })).payload).toBe('{"theirs":{"a":1}}');
    expect((await twin.invoke('theirs', { a: 2 })).payload).toBe('{"theirs":{"a":2}}');
    await expect(twin.invoke('nowhere', {})).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    });
  });
});

describe('crash points', () => {
  it('are inert unless armed, and kill at the pass that was asked for', async () => {
    const kills: string[] = [];
    const inert = crashFromEnvironment(undefined, () => kills.push('inert'));
    for (const point of crashPoints) await inert.at(point);
    const armed = crashFromEnvironment('perform.engaged:2', () => kills.push('armed'));
    await armed.at('perform.engaged');
    await armed.at('perform.settled');
    expect(kills).toEqual([]);
    void armed.at('perform.engaged');
    expect(kills).toEqual(['armed']);
  });

  it('refuse a name that is no point', () => {
    expect(() => crashFromEnvironment('perform.nowhere')).toThrow('perform.nowhere');
    expect(() => crashFromEnvironment('perform.engaged:0')).toThrow('counted from 1');
  });
});
