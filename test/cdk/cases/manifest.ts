// The stack holds what the manifest lists, with its limits, and nothing more.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from '../../../functions/adapters/dynamodb/keys.ts';
import {
  environmentNames,
  type FunctionEntry,
  functionNames,
  functions,
  routes,
  schedules,
  streams,
  tableNames,
  tables,
} from '../../../functions/manifest.ts';
import { ofType, templateFor } from '../synthesis.ts';

const template = templateFor();
const Text = z.string();

const functionProperties = (name: string) => {
  const found = ofType(template, 'AWS::Lambda::Function').find(
    ([, made]) => made.Properties.FunctionName === `Reprise-${name}`,
  );
  if (found === undefined) throw new Error(`The template has no function ${name}.`);
  return { id: found[0], properties: found[1].Properties };
};

describe('functions', () => {
  test('there is one for each of the manifest and no other', () => {
    const made = ofType(template, 'AWS::Lambda::Function').map(([, each]) =>
      Text.parse(each.Properties.FunctionName),
    );
    expect(made.sort()).toEqual(functionNames.map((name) => `Reprise-${name}`).sort());
  });

  test.each(functionNames)('%s has the limits of the manifest', (name) => {
    const entry: FunctionEntry = functions[name];
    const { properties } = functionProperties(name);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: entry.memoryMb,
      Timeout: entry.timeoutMs / 1000,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
  });

  test.each(functionNames)('%s gets every setting, and nothing that disables a guard', (name) => {
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(functionProperties(name).properties.Environment);
    expect(Object.keys(Variables).sort()).toEqual(
      [
        ...Object.values(environmentNames),
        'NODE_OPTIONS',
        'POWERTOOLS_METRICS_NAMESPACE',
        'POWERTOOLS_SERVICE_NAME',
      ].sort(),
    );
  });

  test('each has its own role', () => {
    const roles = ofType(template, 'AWS::Lambda::Function').map(([, each]) =>
      JSON.stringify(each.Properties.Role),
    );
    expect(new Set(roles).size).toBe(functionNames.length);
  });

  test('concurrency is reserved on demand only: a new account has too little, and its deployment would fail', () => {
    for (const [, made] of ofType(template, 'AWS::Lambda::Function'))
      expect(made.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    const roomy = ofType(templateFor({ reservedConcurrency: true }), 'AWS::Lambda::Function');
    for (const name of functionNames) {
      const entry: FunctionEntry = functions[name];
      const made = roomy.find(([, each]) => each.Properties.FunctionName === `Reprise-${name}`);
      expect(made?.[1].Properties.ReservedConcurrentExecutions).toBe(entry.reservedConcurrency);
    }
  });
});

describe('tables', () => {
  test('there is one for each of the manifest and no other', () => {
    expect(
      ofType(template, 'AWS::DynamoDB::Table').map(([, made]) => made.Properties.TableName),
    ).toEqual(tableNames.map((name) => `Reprise-${name}`));
  });

  test.each(tableNames)('%s has its keys, indexes, stream and expiry', (name) => {
    const entry = tables[name];
    const found = ofType(template, 'AWS::DynamoDB::Table').find(
      ([, made]) => made.Properties.TableName === `Reprise-${name}`,
    );
    const properties = found?.[1].Properties ?? {};
    const hash = { AttributeName: entry.partitionKey, KeyType: 'HASH' };
    expect(properties.KeySchema).toEqual(
      entry.sortKey === undefined
        ? [hash]
        : [hash, { AttributeName: entry.sortKey, KeyType: 'RANGE' }],
    );
    expect(properties.GlobalSecondaryIndexes ?? []).toEqual(
      entry.indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    );
    for (const index of entry.indexes)
      expect(properties.AttributeDefinitions).toContainEqual({
        AttributeName: index.sortKey,
        AttributeType: index.sortKeyType,
      });
    expect('StreamSpecification' in properties).toBe(entry.stream);
    expect(properties.TimeToLiveSpecification).toEqual(
      entry.timeToLive === undefined
        ? undefined
        : { AttributeName: entry.timeToLive, Enabled: true },
    );
  });

  test('every ledger prefix that somebody may write is one the store uses', () => {
    const used = Object.values(keys)
      .map((key: (...parts: never[]) => { table: string; pk: string }) => key(...placeholders))
      .filter((key) => key.table === 'Ledger')
      .map((key) => `${key.pk.split('#')[0]}#`);
    const granted = functionNames.flatMap((name) => {
      const entry: FunctionEntry = functions[name];
      return entry.ledgerWritePrefixes ?? [];
    });
    expect([...new Set(granted)].sort()).toEqual([...new Set(used)].sort());
  });
});

const placeholders: never[] = [];

describe('routes', () => {
  const resources = new Map(
    ofType(template, 'AWS::ApiGateway::Resource').map(([id, made]) => [id, made.Properties]),
  );
  const Reference = z.object({ Ref: z.string() });
  const pathOf = (reference: unknown): string => {
    const parsed = Reference.safeParse(reference);
    const resource = parsed.success ? resources.get(parsed.data.Ref) : undefined;
    if (resource === undefined) return '';
    return `${pathOf(resource.ParentId)}/${Text.parse(resource.PathPart)}`;
  };

  test('each leads to its function, with or without a token, and there is no other', () => {
    const made = ofType(template, 'AWS::ApiGateway::Method').map(([, { Properties }]) => {
      const uri = JSON.stringify(Properties.Integration);
      return {
        method: Properties.HttpMethod,
        path: pathOf(Properties.ResourceId),
        function: functionNames.find((name) => uri.includes(`"${functionProperties(name).id}"`)),
        authorised: Properties.AuthorizationType === 'CUSTOM',
      };
    });
    const sorted = <Entry extends object>(entries: readonly Entry[]) =>
      entries
        .map((entry) => JSON.stringify(entry, ['method', 'path', 'function', 'authorised']))
        .sort();
    expect(sorted(made)).toEqual(sorted(routes));
  });

  test('only the live stream and those of other protocols are streamed, for longer than their functions last', () => {
    const streamed = ofType(template, 'AWS::ApiGateway::Method').filter(([, made]) =>
      JSON.stringify(made.Properties).includes('"ResponseTransferMode":"STREAM"'),
    );
    expect(streamed).toHaveLength(
      routes.filter((route) => route.function === 'stream' || route.function === 'clients').length,
    );
    for (const [, { Properties }] of streamed)
      expect(Properties).toMatchObject({ Integration: { TimeoutInMillis: 900_000 } });
    for (const name of ['stream', 'clients'] as const)
      expect(functions[name].timeoutMs).toBeLessThan(900_000);
  });

  test('the authoriser is asked for every request', () => {
    expect(ofType(template, 'AWS::ApiGateway::Authorizer').map(([, made]) => made)).toMatchObject([
      { Properties: { Type: 'REQUEST', AuthorizerResultTtlInSeconds: 0 } },
    ]);
  });
});

describe('schedules and streams', () => {
  test('each schedule calls its function at its rate', () => {
    const made = ofType(template, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => ({
      name: Properties.Name,
      rate: Properties.ScheduleExpression,
      calls: JSON.stringify(Properties.Target),
    }));
    expect(made).toEqual(
      schedules.map((entry) => ({
        name: `Reprise-${entry.name}`,
        rate: `rate(${entry.everyMinutes} minute${entry.everyMinutes === 1 ? '' : 's'})`,
        calls: expect.stringContaining(functionProperties(entry.function).id),
      })),
    );
  });

  test('each stream delivers its outbox entries, isolates poison and keeps what failed', () => {
    const made = ofType(template, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties,
    );
    expect(made).toMatchObject(
      streams.map((entry) => ({
        FunctionName: { Ref: functionProperties(entry.function).id },
        FilterCriteria: {
          Filters: [{ Pattern: expect.stringContaining(`"prefix":"${entry.partitionKeyPrefix}"`) }],
        },
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: expect.anything() },
      })),
    );
    expect(keys.outbox('x').pk).toBe('OUT#x');
  });
});
