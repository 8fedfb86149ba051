// The ways in which Powertools idempotency lets an effect run a second time, each provoked on the real package around our Perform.
// In every one the guard does let the second delivery in, and the destination's list still has one effect: the permission to send
// is the ledger's (L2, L3).
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import middy, { type MiddlewareObj } from '@middy/core';
import { expect, test } from 'vitest';
import type { PerformInput } from '../../../functions/core/records/machine-input.ts';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import { type PerformOutput, perform } from '../../../functions/run/perform.ts';
import { answered, context, openPerformRig, type PerformRig, replyLost } from './perform-rig.ts';

interface GuardRecord {
  readonly id: { readonly S: string };
  readonly status: { readonly S: string };
}

const records = ({ twin }: PerformRig): GuardRecord[] => {
  const { body } = twin.handle('Scan', { TableName: 'Idempotency' });
  return Object(body).Items;
};

/** As time would: the records' lease and their whole life are over. */
const expire = (rig: PerformRig): void => {
  for (const { id } of records(rig))
    rig.twin.handle('UpdateItem', {
      TableName: 'Idempotency',
      Key: { id },
      UpdateExpression: 'SET in_progress_expiration = :past, expiration = :past',
      ExpressionAttributeValues: { ':past': { N: '1' } },
    });
};

/** Whether Perform's own guard would let another delivery of the attempt in. */
const letsIn = async ({ world, input }: PerformRig): Promise<boolean> => {
  const key = { actionId: input.actionId, attempt: 1 };
  return (await world.guarded(key, context, async () => undefined)) === 'ran';
};

const layer = ({ client }: PerformRig) =>
  new DynamoDBPersistenceLayer({ tableName: 'Idempotency', awsSdkV3Client: client });

/** Perform under the middleware that we do not use. */
const underMiddleware = (
  rig: PerformRig,
  options: {
    readonly config?: ConstructorParameters<typeof IdempotencyConfig>[0];
    readonly before?: MiddlewareObj<PerformInput, PerformOutput | undefined>;
    readonly handle?: (input: PerformInput) => Promise<PerformOutput | undefined>;
    readonly remainingMs?: number;
  } = {},
) => {
  const chain = middy<PerformInput, PerformOutput | undefined>(options.handle ?? rig.perform);
  if (options.before) chain.use(options.before);
  chain.use(
    makeHandlerIdempotent({
      persistenceStore: layer(rig),
      keyPrefix: 'outer',
      config: new IdempotencyConfig({ eventKeyJmesPath: 'actionId', ...options.config }),
    }),
  );
  const { remainingMs } = options;
  const given =
    remainingMs === undefined
      ? context
      : { ...context, getRemainingTimeInMillis: () => remainingMs };
  return (input: PerformInput = rig.input) => chain(input, given);
};

const outerRecords = (rig: PerformRig): string[] =>
  records(rig)
    .filter(({ id }) => id.S.startsWith('outer'))
    .map(({ status }) => status.S);

/** A destination that holds its answer until it is let go. */
const holding = (rig: PerformRig): ((report?: ToolReport) => void) => {
  let release: (report: ToolReport) => void = () => undefined;
  const held = new Promise<ToolReport>((done) => {
    release = done;
  });
  rig.seen.after = () => held;
  return (report = { kind: 'unknown', because: 'Too late.', milestone: 'transmitted' }) =>
    release(report);
};

const untilSent = async (rig: PerformRig): Promise<void> => {
  await expect.poll(() => rig.effects).toHaveLength(1);
};

/** After the attempt's deadline and its skew. */
const later = (rig: PerformRig): void => {
  rig.seen.aheadMs += 30_000;
};

const expectOne = async (rig: PerformRig, effect: string): Promise<void> => {
  expect(rig.effects).toHaveLength(1);
  const action = await rig.action();
  expect(action).toMatchObject({ attempts: 1, effect });
  expect((await rig.journal()).attempts).toHaveLength(1);
};

test('1 the handler throws after the effect: the outcome is unknown, and nothing is sent again', async () => {
  const rig = await openPerformRig();
  rig.seen.after = () => {
    throw new Error('socket hang up');
  };
  await rig.perform();
  later(rig);
  await rig.perform();
  await expectOne(rig, 'undetermined');
});

test('2 the guard cannot save its success: its record stays in progress and expires; the ledger knows', async () => {
  const rig = await openPerformRig();
  rig.seen.failing = (operation, table) => operation === 'UpdateItem' && table === 'Idempotency';
  expect(await rig.perform()).toMatchObject({ outcome: 'settled' });
  expect(records(rig).map(({ status }) => status.S)).toEqual(['INPROGRESS']);
  rig.seen.failing = () => false;
  expire(rig);
  expect(await letsIn(rig)).toBe(true);
  await rig.perform();
  await expectOne(rig, 'confirmed');
});

test('3 the invocation dies after the effect: when its record has expired the next one only looks', async () => {
  const rig = await openPerformRig();
  holding(rig);
  void rig.perform();
  await untilSent(rig);
  expire(rig);
  later(rig);
  await rig.perform();
  await expectOne(rig, 'undetermined');
  expire(rig);
  expect(await letsIn(rig)).toBe(true);
});

test('4 middleware: a duplicate deletes the running holder’s record, and a third runs beside it', async () => {
  const rig = await openPerformRig();
  const release = holding(rig);
  const call = underMiddleware(rig);
  const first = call();
  await untilSent(rig);
  await expect(call()).rejects.toThrow();
  expect(outerRecords(rig)).toEqual([]);
  expect(await call()).toMatchObject({ outcome: 'wait' });
  release(await answered({} as never));
  await first;
  await expectOne(rig, 'confirmed');
});

test('5 middleware: saving the success fails, the record is deleted, the next one runs', async () => {
  const rig = await openPerformRig();
  const call = underMiddleware(rig);
  rig.seen.failing = (operation, table) => operation === 'UpdateItem' && table === 'Idempotency';
  await expect(call()).rejects.toThrow();
  rig.seen.failing = () => false;
  expect(outerRecords(rig)).toEqual([]);
  await call();
  await expectOne(rig, 'confirmed');
});

test('6 middleware: an early timeout throws while the handler still runs', async () => {
  const rig = await openPerformRig();
  const release = holding(rig);
  await expect(underMiddleware(rig, { remainingMs: 200 })()).rejects.toThrow();
  await untilSent(rig);
  await underMiddleware(rig)();
  release(await answered({} as never));
  await expect.poll(async () => (await rig.action()).effect).toBe('confirmed');
  await expectOne(rig, 'confirmed');
});

test('7 middleware: a later step fails, and the completed record is deleted', async () => {
  const rig = await openPerformRig();
  const failing: MiddlewareObj<PerformInput, PerformOutput | undefined> = {
    after: () => {
      throw new Error('A later middleware failed.');
    },
  };
  await expect(underMiddleware(rig, { before: failing })()).rejects.toThrow();
  expect(outerRecords(rig)).toEqual([]);
  await underMiddleware(rig)();
  await expectOne(rig, 'confirmed');
});

test('8 middleware: another payload under the same key deletes the completed record', async () => {
  const rig = await openPerformRig();
  const call = underMiddleware(rig, { config: { payloadValidationJmesPath: 'segment' } });
  await call();
  await expect(call({ ...rig.input, segment: 2 })).rejects.toThrow();
  expect(outerRecords(rig)).toEqual([]);
  await call();
  await expectOne(rig, 'confirmed');
});

test('9 the key is missing: by default it always runs; our guard refuses, and nothing is sent', async () => {
  const rig = await openPerformRig();
  const always = makeIdempotent((input: PerformInput) => rig.perform(input), {
    persistenceStore: layer(rig),
    config: new IdempotencyConfig({ eventKeyJmesPath: 'nothing' }),
  });
  rig.seen.after = replyLost;
  await always(rig.input);
  await always(rig.input);
  expect(rig.effects).toHaveLength(1);
  let sent = 0;
  const keyless = rig.world.guarded(JSON.parse('{}'), context, async () => {
    sent += 1;
  });
  await expect(keyless).rejects.toThrow();
  expect(sent).toBe(0);
});

test('10 without a Lambda context the record has no lease: when it has expired as a whole, the next one runs', async () => {
  const rig = await openPerformRig();
  holding(rig);
  const bare = makeIdempotent((input: PerformInput) => rig.perform(input), {
    persistenceStore: layer(rig),
    keyPrefix: 'outer',
    config: new IdempotencyConfig({ eventKeyJmesPath: 'actionId' }),
  });
  void bare(rig.input);
  await untilSent(rig);
  await expect(bare(rig.input)).rejects.toThrow();
  expire(rig);
  later(rig);
  await bare(rig.input);
  await expectOne(rig, 'undetermined');
});

test('11 middleware: a handler that returns undefined runs again on replay', async () => {
  const rig = await openPerformRig();
  let runs = 0;
  const call = underMiddleware(rig, {
    handle: async (input) => {
      runs += 1;
      await rig.perform(input);
      return undefined;
    },
  });
  await call();
  await call();
  expect(runs).toBe(2);
  await expectOne(rig, 'confirmed');
});

test('12 a completed record outlives its time, and the next one runs', async () => {
  const rig = await openPerformRig();
  rig.seen.after = replyLost;
  await rig.perform();
  expect(await letsIn(rig)).toBe(false);
  expire(rig);
  expect(await letsIn(rig)).toBe(true);
  expire(rig);
  await rig.perform();
  await expectOne(rig, 'undetermined');
});

test('13 the guard lapses while the first still sends: another delivery is let in, and the ledger keeps it from sending', async () => {
  const rig = await openPerformRig();
  const release = holding(rig);
  // This one looked before the first had engaged, and comes to its guard when that has lapsed in mid-send.
  let lapsed: () => void = () => undefined;
  const untilLapsed = new Promise<void>((done) => {
    lapsed = done;
  });
  let entered = 0;
  const slow: typeof rig.world = {
    ...rig.world,
    guarded: async (key, given, send) => {
      await untilLapsed;
      return rig.world.guarded(key, given, async () => {
        entered += 1;
        await send();
      });
    },
  };
  const second = perform(slow, rig.input, context);
  const first = rig.perform();
  await untilSent(rig);
  expect(records(rig).map(({ status }) => status.S)).toEqual(['INPROGRESS']);
  expire(rig);
  lapsed();
  expect(await second).toMatchObject({ outcome: 'wait' });
  expect(entered).toBe(1);
  expect(await rig.action()).toMatchObject({ effect: 'engaged', attempts: 1 });
  // It lapses once more, after the attempt's time: whoever is let in now looks, and closes it on what is known.
  expire(rig);
  later(rig);
  await rig.perform();
  expect(await rig.action()).toMatchObject({ effect: 'undetermined' });
  release(await answered({} as never));
  await first;
  await expectOne(rig, 'confirmed');
});
