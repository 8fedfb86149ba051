// AWS's DynamoDB Local as an oracle. Registered only where REPRISE_DYNAMODB_LOCAL names the folder
// of DynamoDBLocal.jar (beside its DynamoDBLocal_lib) and Java is on the path; the jar is not part
// of this repository.

import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TwinAnswer } from '../../../local/dynamodb/index.ts';
import type { Item } from '../../../local/dynamodb/values.ts';
import { asciiTexts, type Call, generator, type Range, seeded, type Write } from './generator.ts';
import { inOrder, rangeRequest, writeRequest } from './render.ts';
import { openThings, settled, things } from './twin.ts';

const jarFolder = process.env.REPRISE_DYNAMODB_LOCAL;
const TableName = 'Things';
const calls = 3000;

const freePort = (): Promise<number> =>
  new Promise((found, failed) => {
    const server = createServer().on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });

type Ask = (operation: string, body: unknown) => Promise<TwinAnswer>;

const ask =
  (port: number): Ask =>
  async (operation, body) => {
    const credential = 'Credential=oracle/20260101/us-east-1/dynamodb/aws4_request';
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

const start = async (
  folder: string,
): Promise<{ readonly java: ChildProcess; readonly asked: Ask }> => {
  const port = await freePort();
  const library = `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`;
  const jar = ['-jar', join(folder, 'DynamoDBLocal.jar'), '-inMemory', '-port', String(port)];
  const java = spawn('java', [library, ...jar], { cwd: folder, stdio: 'ignore' });
  const asked = ask(port);
  const until = Date.now() + 30_000;
  for (;;) {
    const answer = await asked('ListTables', {}).catch(() => undefined);
    if (answer?.status === 200) return { java, asked };
    if (Date.now() > until || java.exitCode !== null)
      throw new Error(`DynamoDB Local in ${folder} did not start`);
    await new Promise((again) => setTimeout(again, 100));
  }
};

type WriteCall = Exclude<Call, { call: 'range' }>;

const requestOf = (call: WriteCall): [string, Record<string, unknown>] => {
  const told = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  if (call.call === 'write')
    return [
      `${call.write.kind}Item`,
      {
        ...writeRequest(TableName, call.write),
        ...(call.returns ? { ReturnValues: call.returns } : {}),
        ...told,
      },
    ];
  const items = call.writes.map((write) => ({
    [write.kind]: { ...writeRequest(TableName, write), ...told },
  }));
  return ['TransactWriteItems', { TransactItems: items }];
};

/** AWS refuses these before it looks at conditions, DynamoDB Local afterwards. */
const namesTwice = (writes: readonly Write[]): boolean => {
  const keys = writes.map((write) => {
    const { pk, sk } = write.kind === 'Put' ? write.item : write.key;
    return JSON.stringify([pk, sk]);
  });
  return new Set(keys).size < keys.length;
};

/** All items of a range, page by page. */
const readAll = async (asked: Ask, range: Range): Promise<Item[]> => {
  const items: Item[] = [];
  let page: unknown;
  do {
    const { status, body } = await asked('Query', rangeRequest(TableName, range, page));
    expect({ status, body }).toMatchObject({ status: 200 });
    items.push(...(body.Items as Item[]));
    page = body.LastEvaluatedKey;
  } while (page !== undefined);
  return items;
};

/**
 * What must agree. Not: wording; where a transaction reports an update that cannot be applied;
 * capacity, which DynamoDB Local reports unasked; UPDATED_OLD and UPDATED_NEW of nested paths,
 * where it returns the whole attribute.
 */
const comparable = ({ status, body }: TwinAnswer, returns: unknown): unknown => {
  const { Attributes } = body;
  if (status === 200)
    return {
      status,
      attributes: String(returns).startsWith('UPDATED')
        ? Object.keys(Attributes ?? {}).sort()
        : settled(Attributes),
    };
  const error = String(body.__type).split('#').at(-1);
  const reasons = body.CancellationReasons as { Code: string; Item?: unknown }[] | undefined;
  const codes = reasons?.map(({ Code }) => Code) ?? [];
  if (error === 'ValidationException' || codes.includes('ValidationError'))
    return { status, error: 'ValidationException' };
  const reported = reasons?.map(({ Code, Item }) => [Code, settled(Item ?? {})]);
  return { status, error, item: settled(body.Item ?? {}), reasons: reported };
};

/**
 * Registers the comparison; texts are ASCII, as DynamoDB Local's `size()` counts characters and
 * AWS's bytes.
 */
export const differenceTest = (): void => {
  if (jarFolder === undefined) return;
  it(`agree with DynamoDB Local (${calls} calls)`, { timeout: 300_000 }, async () => {
    const { java, asked } = await start(jarFolder);
    const { twin } = openThings();
    const twinAsked: Ask = async (operation, body) => twin.handle(operation, structuredClone(body));
    try {
      await asked('CreateTable', things);
      const { next } = generator(seeded(5), asciiTexts);
      for (let count = 1; count <= calls; count += 1) {
        const call = next();
        const label = `call ${count}`;
        if (call.call === 'range') {
          // DynamoDB Local loses items between pages of an index when sort keys are equal.
          const range = call.range.index ? { ...call.range, limit: undefined } : call.range;
          const theirs = inOrder(range, await readAll(asked, range));
          const ours = inOrder(range, await readAll(twinAsked, range));
          expect([label, range, ours]).toEqual([label, range, theirs]);
          continue;
        }
        if (call.call === 'transaction' && namesTwice(call.writes)) continue;
        const [operation, request] = requestOf(call);
        const theirs = comparable(await asked(operation, request), request.ReturnValues);
        const ours = comparable(await twinAsked(operation, request), request.ReturnValues);
        expect([label, request, ours]).toEqual([label, request, theirs]);
      }
    } finally {
      twin.close();
      java.kill('SIGKILL');
    }
  });
};
