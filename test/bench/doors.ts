// Stands at the doors of the twin's functions: wraps the real handlers, unchanged, and notes each invocation and each call
// they make to DynamoDB. Owns: what is counted as a read, a write and a written item.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { handlerFor as publish } from '../../functions/events/publish.ts';
import { handlerFor as admit } from '../../functions/run/admit.ts';
import { handlerFor as finish } from '../../functions/run/finish.ts';
import { handlerFor as park } from '../../functions/run/park.ts';
import { handlerFor as perform } from '../../functions/run/perform.ts';
import { handlerFor as think } from '../../functions/run/think.ts';
import type { AwsTransport, Substrate } from '../../functions/wiring/substrate.ts';
import type { HandlerFor } from '../../local/lambda/modules.ts';

export type WatchedName = 'admit' | 'think' | 'perform' | 'park' | 'finish' | 'publish';

/** One call to DynamoDB, as its body says it. */
export interface TableCall {
  readonly kind: 'read' | 'write';
  readonly operation: string;
  /** Puts, updates and deletes; condition checks write nothing. */
  readonly items: number;
  readonly bytes: number;
  /** Nothing but a piece of streamed text for readers. */
  readonly isDelta: boolean;
}

export interface Doors {
  invoked?(name: WatchedName, input: unknown): void;
  returned?(name: WatchedName, input: unknown, output: unknown): void;
  called?(name: WatchedName, call: TableCall): void;
}

const writes = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

const itemsIn = (operation: string, body: object): readonly object[] => {
  if (operation === 'TransactWriteItems') {
    const members: unknown = Reflect.get(body, 'TransactItems');
    return Array.isArray(members) ? members.filter((one) => !('ConditionCheck' in one)) : [];
  }
  if (operation !== 'BatchWriteItem') return [body];
  return Object.values(Object(Reflect.get(body, 'RequestItems'))).flat() as object[];
};

const tableCall = (operation: string, text: string): TableCall => {
  const isWrite = writes.has(operation);
  const items = isWrite ? itemsIn(operation, JSON.parse(text)) : [];
  return {
    kind: isWrite ? 'write' : 'read',
    operation,
    items: items.length,
    bytes: text.length,
    isDelta: isWrite && /"type":\{"S":"text\.(delta|reset)"\}/.test(text),
  };
};

const textOf = (body: unknown): string =>
  typeof body === 'string'
    ? body
    : body instanceof Uint8Array
      ? new TextDecoder().decode(body)
      : '';

type RequestHandler = DynamoDBClient['config']['requestHandler'];
const isHandler = (handler: AwsTransport['requestHandler']): handler is RequestHandler =>
  handler !== undefined && 'handle' in handler;

/** The same transport, which tells of each request before it goes through. */
const counted = (transport: AwsTransport, called: (call: TableCall) => void): AwsTransport => {
  const inner = transport.requestHandler;
  if (!isHandler(inner)) return transport;
  const handle: RequestHandler['handle'] = (request, options) => {
    const target = request.headers['x-amz-target'] ?? request.headers['X-Amz-Target'] ?? '';
    called(tableCall(target.slice(target.indexOf('.') + 1), textOf(request.body)));
    return inner.handle(request, options);
  };
  // Without the shortcut past it, every call goes through the request handler.
  const { plugin: _shortcut, ...settings } = transport;
  return { ...settings, requestHandler: { ...inner, handle } };
};

type Make = (substrate: Substrate) => (input: unknown, context: Context) => Promise<unknown>;

const originals: { readonly [Name in WatchedName]: Make } = {
  admit,
  think,
  perform,
  park,
  finish,
  publish,
};

/** Handlers for `startTwin` that report to `doors`; `change` may add to what they stand on. */
export const watchedHandlers = (
  doors: Doors,
  change: (substrate: Substrate) => Substrate,
): Readonly<Record<WatchedName, HandlerFor>> => {
  const watch =
    (name: WatchedName): HandlerFor =>
    (given) => {
      const { called } = doors;
      const substrate = change(given);
      const run = originals[name]({
        ...substrate,
        aws: (service) =>
          called !== undefined && service === 'dynamodb'
            ? counted(substrate.aws(service), (call) => called(name, call))
            : substrate.aws(service),
      });
      return async (input: unknown, context: Context) => {
        doors.invoked?.(name, input);
        const output = await run(input, context);
        doors.returned?.(name, input, output);
        return output;
      };
    };
  return {
    admit: watch('admit'),
    think: watch('think'),
    perform: watch('perform'),
    park: watch('park'),
    finish: watch('finish'),
    publish: watch('publish'),
  };
};
