// Read marks and the audit on DynamoDB. Owns: the mark's condition, and joining three tables' lists into one by time.
// Tested in test/functions/api/lists/inbox.test.ts.
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { Defect } from '../../core/base/errors.ts';
import { type ItemKind, itemSchemas } from '../../core/records/change.ts';
import { type Conversation, ReadMark } from '../../core/records/conversation.ts';
import type { Run } from '../../core/records/run.ts';
import type { Audited, Decided, People } from '../../ports/people.ts';
import type { Page } from '../../ports/store.ts';
import { type Attributes, auditKey, keyAttributes, parseItem } from './codec.ts';
import { keys } from './keys.ts';
import { listedPage, placeIn } from './listed.ts';
import { readKeys, type StoreParts } from './read-keys.ts';
import { registeredOf } from './registered.ts';

const readMarkOf = (attributes: Attributes): ReadMark =>
  ReadMark.parse(JSON.parse(attributes.doc?.S ?? 'null'));

const putReadMark = async ({ client, tables }: StoreParts, mark: ReadMark): Promise<void> => {
  const key = keys.readMark(mark.conversationId, mark.subject);
  try {
    await client.send(
      new PutItemCommand({
        TableName: tables[key.table],
        Item: {
          ...keyAttributes(key),
          kind: { S: 'read-mark' },
          readNumber: { N: String(mark.number) },
          doc: { S: JSON.stringify(mark) },
        },
        ConditionExpression: 'attribute_not_exists(pk) OR readNumber < :number',
        ExpressionAttributeValues: { ':number': { N: String(mark.number) } },
      }),
    );
  } catch (error) {
    // Another client of the same person has read as far or further.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};

const isKind = (kind: string): kind is ItemKind => Object.hasOwn(itemSchemas, kind);

const decidedOf = (attributes: Attributes): Decided => {
  const kind = attributes.kind?.S ?? '';
  const registered = registeredOf(kind, attributes);
  if (registered !== undefined) return registered;
  if (!isKind(kind)) throw new Defect(`The audit lists an item of kind ${kind}.`);
  switch (kind) {
    case 'request':
      return { kind, item: parseItem(kind, attributes).item };
    case 'decision':
      return { kind, item: parseItem(kind, attributes).item };
    case 'grant':
      return { kind, item: parseItem(kind, attributes).item };
    case 'mandate':
      return { kind, item: parseItem(kind, attributes).item };
    case 'mandate-record':
      return { kind, item: parseItem(kind, attributes).item };
    case 'standing':
      return { kind, item: parseItem(kind, attributes).item };
    case 'bar':
      return { kind, item: parseItem(kind, attributes).item };
    default:
      throw new Defect(`The audit lists an item of kind ${kind}.`);
  }
};

const decidedIn = async (
  parts: StoreParts,
  table: 'Requests' | 'Ledger' | 'Registry',
  workspace: string,
  limit: number,
  cursor: string | undefined,
) => {
  const page = await listedPage(parts, table, auditKey(workspace), { limit, cursor });
  return {
    audited: page.items.map((item): Audited => ({ place: placeIn(item), ...decidedOf(item) })),
    to: page.next,
  };
};

/** One page of all lists: what is beyond any list's page comes with the next one, however few items that page had. */
const decided = async (
  parts: StoreParts,
  workspace: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page<Audited>> => {
  const lists = await Promise.all([
    decidedIn(parts, 'Requests', workspace, limit, cursor),
    decidedIn(parts, 'Ledger', workspace, limit, cursor),
    decidedIn(parts, 'Registry', workspace, limit, cursor),
  ]);
  const all = lists
    .flatMap(({ audited }) => audited)
    .toSorted((a, b) => (a.place < b.place ? 1 : -1));
  // So far all lists were looked at; an index may name what is not there any more, and a page is short then.
  const to = lists
    .flatMap((list) => list.to ?? [])
    .toSorted()
    .at(-1);
  const known = to === undefined ? all : all.filter(({ place }) => place >= to);
  const shown = known.slice(0, limit);
  return {
    items: shown,
    next: known.length > limit ? shown.at(-1)?.place : to,
  };
};

export const peopleFrom = (parts: StoreParts): People => ({
  readMarks: async (subject, ids) =>
    (
      await readKeys(
        parts,
        [...new Set(ids)].map((id) => keys.readMark(id, subject)),
      )
    ).map(readMarkOf),
  putReadMark: (mark) => putReadMark(parts, mark),
  conversations: async (ids) => {
    const items = await readKeys(parts, [...new Set(ids)].map(keys.conversation));
    return items.map((item): Conversation => parseItem('conversation', item).item);
  },
  runs: async (ids) => {
    const items = await readKeys(parts, [...new Set(ids)].map(keys.run));
    return items.map((item): Run => parseItem('run', item).item);
  },
  decided: (workspace, limit, cursor) => decided(parts, workspace, limit, cursor),
});
