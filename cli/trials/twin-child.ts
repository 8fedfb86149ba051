// The twin of the trials as a process of its own, so that it can be killed as `kill -9` does: starts on the folder it is
// told, answers what the trials ask of it, and runs until it dies. Owns: its clock, and the three things that no API does:
// putting the clock forward, changing a stored action behind the product's back, and withdrawing an authorisation.
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  keyAttributes,
  parseItem,
} from '../../functions/adapters/dynamodb/codec.ts';
import { keys } from '../../functions/adapters/dynamodb/keys.ts';
import { Action } from '../../functions/core/action.ts';
import { JsonObject } from '../../functions/core/json.ts';
import { startTwin, type Twin } from '../../local/twin.ts';
import { jumpingClock } from './clock.ts';
import type { Ask, Orders, Word } from './twin-process.ts';

const orders: Orders = JSON.parse(process.argv[2] ?? '{}');
const clock = jumpingClock(orders.aheadMs);

const say = (word: Word): void => void process.send?.(word);

const ledgerOf = (twin: Twin) => {
  const substrate = twin.substrate('perform');
  return {
    client: new DynamoDBClient({ ...substrate.aws('dynamodb') }),
    table: substrate.environment.REPRISE_LEDGER_TABLE ?? 'Ledger',
  };
};

const storedAction = async (twin: Twin, actionId: string): Promise<Attributes> => {
  const { client, table } = ledgerOf(twin);
  const Key = keyAttributes(keys.action(actionId));
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key, ConsistentRead: true }),
  );
  if (Item === undefined) throw new Error(`There is no action ${actionId}.`);
  return Item;
};

/** Withdraws what the action acts under: its approval, or the agent's standing permission to use the tool. */
const withdraw = async (twin: Twin, actionId: string): Promise<void> => {
  const { client, table } = ledgerOf(twin);
  const { item } = parseItem('action', await storedAction(twin, actionId));
  const key =
    item.mandate.kind === 'approval'
      ? keys.approvalMandate(item.mandate.requestId)
      : keys.standingMandate(item.workspace, item.agentId, item.tool.name);
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: keyAttributes(key),
      UpdateExpression: 'SET revokedAt = :at',
      ExpressionAttributeValues: { ':at': { S: new Date(clock.now()).toISOString() } },
    }),
  );
};

/** Changes an action's stored arguments and nothing else, as somebody with access to the table could. */
const tamper = async (twin: Twin, actionId: string, change: JsonObject): Promise<void> => {
  const { client, table } = ledgerOf(twin);
  const Item = await storedAction(twin, actionId);
  const { item } = parseItem('action', Item);
  const changed = Action.parse({ ...item, arguments: { ...item.arguments, ...change } });
  await client.send(
    new PutItemCommand({
      TableName: table,
      Item: { ...Item, doc: { S: JSON.stringify(changed) } },
      ConditionExpression: 'rev = :rev',
      ExpressionAttributeValues: { ':rev': Item.rev ?? { N: '0' } },
    }),
  );
};

const answer = async (twin: Twin, ask: Ask): Promise<string> => {
  switch (ask.do) {
    case 'token':
      return twin.token(ask.person);
    case 'jump':
      clock.jump(ask.byMs);
      return '';
    case 'tamper':
      await tamper(twin, ask.actionId, JsonObject.parse(ask.change));
      return '';
    case 'withdraw':
      await withdraw(twin, ask.actionId);
      return '';
    case 'close':
      await twin.close();
      return '';
  }
};

const serve = async (): Promise<void> => {
  const { dataDir, scripts, environment, secrets } = orders;
  const twin = await startTwin({
    dataDir,
    port: 0,
    synchronous: 'NORMAL',
    clock,
    scripts,
    environment,
    secrets,
    processEnvironment: {},
  });
  process.on('message', (ask: Ask) => {
    answer(twin, ask)
      .then((text) => say({ to: ask.number, text }))
      .catch((cause: unknown) =>
        say({ to: ask.number, trouble: cause instanceof Error ? cause.message : String(cause) }),
      );
  });
  say({ url: twin.url });
};

process.once('disconnect', () => process.exit(0));
// Functions run in this process. An error that one of them leaves behind would end only its sandbox on AWS.
process.on('unhandledRejection', () => undefined);
serve().catch((cause: unknown) => {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exit(1);
});
