// A client's way to the twin's DynamoDB without text in between: middleware that hands the input over and gives the output
// back. An AWS SDK command costs more than what it asks of the twin: serialising, endpoint, headers, parsing.
// Owns: when that way may be taken. What holds bytes goes the ordinary one, and so does, once more, what was refused (nothing
// of it was kept): there the SDK makes its exceptions and decides on retries. Laws: L3 (nothing is done for an invocation that is over).
import type { AwsTransport } from '../../functions/wiring/substrate.ts';
import type { DynamoTwin } from '../dynamodb/index.ts';
import { requireOpenScope } from '../lambda/scope.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Binary values are bytes for the SDK and base64 on the wire. */
const holdsBytes = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  if (value instanceof Uint8Array) return true;
  for (const name in value) if (holdsBytes(Reflect.get(value, name))) return true;
  return false;
};

const bytesOf = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'));

/** Turns the base64 of an answer into bytes, where it stands. */
const decode = (value: unknown): void => {
  if (!isObject(value)) return;
  if ('B' in value && typeof value.B === 'string') value.B = bytesOf(value.B);
  else if ('BS' in value && Array.isArray(value.BS)) value.BS = value.BS.map(bytesOf);
  else for (const name in value) decode(Reflect.get(value, name));
};

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);
const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

type Plugin = NonNullable<AwsTransport['plugin']>;

/** `take` answers one call of the DynamoDB API. */
export const shortcutTo = (take: DynamoTwin['take']): Plugin => ({
  applyToStack: (stack) => {
    stack.add(
      (next, context) => async (args) => {
        const operation = (context.commandName ?? '').replace(/Command$/, '');
        const isRead = reads.has(operation);
        if (!isRead && !(writes.has(operation) && !holdsBytes(args.input))) return next(args);
        requireOpenScope();
        const { status, body } = await take(operation, args.input);
        // A call that was under way when its invocation ended was made, but its answer reaches nobody.
        requireOpenScope();
        if (status !== 200) return next(args);
        decode(body);
        const $metadata = { httpStatusCode: 200, attempts: 1, totalRetryDelay: 0 };
        return { response: undefined, output: { ...body, $metadata } };
      },
      { name: 'shortcut', step: 'initialize', priority: 'high', override: true },
    );
  },
});
