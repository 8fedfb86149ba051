// Holds docs/contracts.md against the product: its blocks are registered with the API, its fields are the schema's, and each row of
// its last table is decided by the verdict itself.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { referenceOf } from '../../../../functions/core/base/ids.ts';
import { JsonObject } from '../../../../functions/core/base/json.ts';
import { skewMs } from '../../../../functions/core/base/limits.ts';
import { actionDigest } from '../../../../functions/core/records/action.ts';
import { fold, type Observation } from '../../../../functions/core/records/evidence.ts';
import { missProves, readLookUp } from '../../../../functions/core/recover/look-up.ts';
import { verdictFor } from '../../../../functions/core/recover/verdict.ts';
import { Contract } from '../../../../functions/core/registry/contract.ts';
import { checkRegistration } from '../../../../functions/core/registry/contract-check.ts';
import { withPreset } from '../../../../functions/core/registry/presets.ts';
import { ToolRegistration } from '../../../../functions/core/registry/tool.ts';
import {
  actionId,
  attemptOf,
  endOf,
  isoAt,
  nowMs,
  runWith,
  seen,
  timeoutMs,
  undetermined,
} from '../../../core/samples.ts';
import { openRig, type Rig } from '../rig.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/contracts.md'), 'utf8');
const blocks = [...page.matchAll(/^```json\n(.*?)\n^```/gms)].map(([, text = '']) =>
  JsonObject.parse(JSON.parse(text)),
);
const whole = (name: string): ToolRegistration =>
  ToolRegistration.parse(blocks.find((block) => block.name === name));
const read = whole('ticket_find');
const write = whole('ticket_open');
const { effect, destination } = write.contract;

/** A part of a contract, in the page's own tool. */
const registrationOf = (part: JsonObject): unknown =>
  part.name !== undefined
    ? part
    : {
        ...(part.effect === 'read' ? read : write),
        // Only an MCP tool asks.
        ...(part.asksBeforeActing === undefined
          ? {}
          : { transport: { kind: 'mcp', url: 'https://tickets.example/mcp', tool: 'open' } }),
        contract: { effect, destination, ...part },
      };
const partWith = (...names: string[]): JsonObject => {
  const found = blocks.find(
    (block) => Object.keys(block).toSorted().join() === names.toSorted().join(),
  );
  if (found === undefined)
    throw new Error(`No block of the page declares ${names.join(', ')} and nothing else.`);
  return found;
};

describe('The blocks of docs/contracts.md', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  });
  afterAll(() => rig.close());

  test.each(
    blocks.map(
      (block, index) => [JSON.stringify(block.name ?? Object.keys(block)), block, index] as const,
    ),
  )('%s: is registered', async (_, block, index) => {
    const registration = ToolRegistration.parse(registrationOf(block));
    expect(checkRegistration(registration).refusals).toEqual([]);
    const body = { ...registration, name: `${registration.name}_${index}` };
    const reply = await rig.call({ method: 'POST', path: '/v1/tools', body });
    expect({ status: reply.status, errors: reply.body.errors }).toEqual({ status: 201 });
  });

  test('the complete example leaves nothing open but its verification', async () => {
    for (const body of [read, write]) {
      const reply = await rig.call({ method: 'POST', path: '/v1/tools', body });
      expect(reply.status).toBe(201);
      expect(reply.body.notes).toEqual(
        body === read ? [] : [expect.objectContaining({ code: 'no_automatic_repeat' })],
      );
    }
  });
});

const Node = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
});

/** Names of fields, and the words that they take. What the trials write of themselves under `trials` is their report's. */
const wordsIn = (schema: unknown): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(wordsIn);
  const node = Node.safeParse(schema);
  if (!node.success) return [];
  const { properties = {}, enum: values = [], const: value, ...rest } = node.data;
  return [
    ...Object.keys(properties),
    ...[...values, value].filter((word) => typeof word === 'string'),
    ...Object.entries(properties).flatMap(([name, of]) => (name === 'trials' ? [] : wordsIn(of))),
    ...Object.values(rest).flatMap(wordsIn),
  ];
};
const words = [...new Set(wordsIn(z.toJSONSchema(Contract, { io: 'input' })))].toSorted();

test('docs/contracts.md names every field of a contract, and every word that one takes', () => {
  expect(words).toEqual(expect.arrayContaining(['onRepeat', 'finishes_failed_work', 'settleMs']));
  const missing = words.filter(
    (word) => !page.includes(`"${word}"`) && !page.includes(`\`${word}\``),
  );
  expect(missing).toEqual([]);
});

const verified = partWith('verification', 'repeatWindowMs');
const key = partWith('key', 'preset');
const lookUp = { key: write.contract.key, lookUp: write.contract.lookUp };
const natural = partWith('lookUp');
const subject = { subject: 'Printer', queue: 'it' };
const shown = { id: 'T-1', external_id: referenceOf(actionId), ...subject };

interface Lost {
  readonly declared: object;
  /** What the look-up answers: the tickets it finds, or anything else for a failed one. */
  readonly answers?: unknown;
}

/** The verdict after a lost reply, late enough for a miss to count. */
const afterLost = ({ declared, answers }: Lost) => {
  const parsed = ToolRegistration.parse({
    ...write,
    contract: { effect, destination, ...declared },
  });
  const { contract } = withPreset(parsed);
  const content = { tool: { name: write.name, version: 1 }, destination, arguments: subject };
  const sent = undetermined({ ...content, digest: actionDigest(content) }, contract);
  const attempts = [attemptOf(1, 2)];
  const lateMs = nowMs + timeoutMs + skewMs + (contract.lookUp?.settleMs ?? 0);
  const observations: Observation[] = [seen(4, 'nothing')];
  if (contract.lookUp !== undefined && answers !== undefined) {
    const body = { tickets: JsonObject.parse({ answers }).answers ?? [] };
    const reading = readLookUp(contract.lookUp, sent, { status: 200, body });
    const proves =
      reading.result === 'miss' &&
      missProves(contract.lookUp, contract.verification, nowMs + timeoutMs, lateMs);
    const says = reading.result === 'hit' ? 'confirms' : proves ? 'disproves' : 'nothing';
    const more = { source: 'look_up', lookUp: reading.result, about: 'all' } as const;
    observations.push(seen(5, says, { ...more, by: 'verify', at: isoAt(lateMs) }));
  }
  const ends = [endOf(1, 3)];
  const { effect: now } = fold({ attempts, ends, observations });
  const { verdict } = verdictFor({
    action: { ...sent, effect: now, head: 3 + observations.length },
    pinned: contract,
    current: contract,
    attempts,
    ends,
    observations,
    mandateStands: true,
    claimed: false,
    claimFence: 0,
    run: runWith(),
    nowMs: lateMs,
  });
  return `${now}, ${verdict}`;
};

const partial = {
  ...lookUp,
  ...verified,
  lookUp: { ...lookUp.lookUp, coverage: { ...lookUp.lookUp?.coverage, complete: false } },
};
const unkeyed = { ...lookUp, key: { ...write.contract.key, onRepeat: 'error' } };
const person = 'undetermined, person';
const rows: { readonly [row: string]: readonly (readonly [of: Lost, becomes: string])[] } = {
  'a write, nothing else': [[{ declared: {} }, person]],
  '`preset` `http`, `success`, `disproof`': [
    [{ declared: { preset: 'http', ...verified } }, person],
    [{ declared: { ...partWith('success', 'disproof'), ...verified } }, person],
  ],
  '`key` of kind `reference`': [[{ declared: { ...partWith('key'), ...verified } }, person]],
  '`key`, not verified': [[{ declared: key }, person]],
  '`key`, verified': [[{ declared: { ...key, ...verified } }, 'undetermined, authorise']],
  '`key` with `onRepeat` `error`': [
    [{ declared: { ...verified, key: { ...write.contract.key, onRepeat: 'error' } } }, person],
  ],
  '`lookUp` by reference: a hit that matches': [
    [{ declared: lookUp, answers: [shown] }, 'confirmed, done'],
    [{ declared: partial, answers: [shown] }, 'confirmed, done'],
  ],
  '… a hit that differs, or a search that keeps failing': [
    [{ declared: { ...lookUp, ...verified }, answers: [{ ...shown, queue: 'hr' }] }, person],
    // The first of the failures: asked again, the key notwithstanding.
    [{ declared: { ...lookUp, ...verified }, answers: 'no list' }, 'undetermined, wait'],
  ],
  '… a miss, not verified or not `complete`': [
    [{ declared: lookUp, answers: [] }, person],
    [{ declared: partial, answers: [] }, person],
  ],
  '… a miss, verified and `complete`': [
    [{ declared: { ...lookUp, ...verified }, answers: [] }, 'not_performed, authorise'],
    [{ declared: { ...unkeyed, ...verified }, answers: [] }, 'not_performed, authorise'],
  ],
  '`lookUp` by `natural`': [
    [{ declared: { ...natural, ...verified }, answers: [shown] }, person],
    [{ declared: { ...natural, ...verified }, answers: [] }, person],
  ],
  '`key` and `lookUp`': [
    [{ declared: { ...lookUp, ...verified } }, 'undetermined, look'],
    [{ declared: partial, answers: [] }, person],
  ],
};

describe('The last table of docs/contracts.md', () => {
  const [, table = ''] = page.split('## What happens after a lost reply');
  const declared = [...table.matchAll(/^\| (?!you declare)(.+?) \|/gm)].map(([, row = '']) => row);

  test('has a case for every row; a read is never undetermined', () => {
    expect(declared).toEqual(['a read', ...Object.keys(rows)]);
  });

  test.each(Object.entries(rows))('%s: becomes what the page says', (_, cases) => {
    for (const [lost, becomes] of cases) expect(afterLost(lost)).toBe(becomes);
  });
});
