// The twin of the trials as a process of its own, so that it can be killed as `kill -9` does: starts on the folder it is
// told, answers what the trials ask of it, and runs until it dies. Owns: its clock, and the two things that no API does:
// putting the clock forward, and changing a stored action behind the product's back.
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Attributes,
  keyAttributes,
  parseItem,
} from '../../functions/adapters/dynamodb/codec.ts';
import { keys } from '../../functions/adapters/dynamodb/keys.ts';
import { JsonObject } from '../../functions/core/base/json.ts';
import { Action } from '../../functions/core/records/action.ts';
import { startTwin, type Twin } from '../../local/twin.ts';
import { type JumpingClock, jumpingClock } from './clock.ts';
import type { Ask, Orders, Word } from './twin-process.ts';

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

/**
 * Changes an action's stored arguments and nothing else, as somebody with access to the table could. Gives '' when it did,
 * and why not when an attempt is open or somebody was faster.
 */
const tamper = async (twin: Twin, actionId: string, change: JsonObject): Promise<string> => {
  const { client, table } = ledgerOf(twin);
  const Item = await storedAction(twin, actionId);
  const { item, rev } = parseItem('action', Item);
  if (item.engaged !== undefined) return 'engaged';
  if (item.told !== undefined) return 'over';
  const changed = Action.parse({ ...item, arguments: { ...item.arguments, ...change } });
  try {
    await client.send(
      new PutItemCommand({
        TableName: table,
        // A new revision, so that an attempt which is being opened reads the action again.
        Item: { ...Item, doc: { S: JSON.stringify(changed) }, rev: { N: String(rev + 1) } },
        ConditionExpression: 'rev = :rev',
        ExpressionAttributeValues: { ':rev': { N: String(rev) } },
      }),
    );
    return '';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'moved';
    throw error;
  }
};

const answer = async (twin: Twin, clock: JumpingClock, ask: Ask): Promise<string> => {
  switch (ask.do) {
    case 'token':
      return twin.token(ask.person);
    case 'jump':
      clock.jump(ask.byMs);
      return '';
    case 'tamper':
      return tamper(twin, ask.actionId, JsonObject.parse(ask.change));
    case 'close':
      await twin.close();
      return '';
  }
};

const serve = async (orders: Orders): Promise<void> => {
  const { dataDir, scripts, environment, secrets, crashAt } = orders;
  const clock = jumpingClock(orders.aheadMs);
  const twin = await startTwin({
    dataDir,
    port: 0,
    synchronous: 'NORMAL',
    clock,
    scripts,
    environment,
    secrets,
    processEnvironment: { REPRISE_CRASH_AT: crashAt },
  });
  process.on('message', (ask: Ask) => {
    answer(twin, clock, ask)
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
process.once('message', (orders: Orders) => {
  serve(orders).catch((cause: unknown) => {
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exit(1);
  });
});
