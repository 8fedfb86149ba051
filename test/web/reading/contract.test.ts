// What the tool's screen says that a contract proves is what a reply is then read by: for a preset that is not written out too.
import { expect, test } from 'vitest';
import { readReply } from '../../../functions/core/perform/reply.ts';
import { Contract } from '../../../functions/core/registry/contract.ts';
import { contractRows } from '../../../web/agents/contract-rows.ts';
import { en } from '../../../web/words/en/first.ts';
import { laterWords } from '../../../web/words/later.ts';

const contractOf = (preset: 'http' | 'none') =>
  Contract.parse({
    effect: 'write',
    preset,
    destination: { provider: 'desk', account: 'acme', environment: 'test', apiVersion: '1' },
  });

const rowsOf = (preset: 'http' | 'none') =>
  contractRows(contractOf(preset), {
    words: en,
    later: laterWords.en,
    length: (ms) => `${ms} ms`,
  });

const said = (preset: 'http' | 'none', field: 'success' | 'disproof') => {
  const row = rowsOf(preset).find((one) => one.field === field);
  return { says: row?.says.join(' ') ?? '', means: row?.means.join(' ') ?? '' };
};

const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
const read = (preset: 'http' | 'none', says: string): readonly string[] =>
  statuses
    .filter((status) => readReply(contractOf(preset), { status, body: {} }).says === says)
    .map(String);

const named = (text: string): readonly string[] => text.match(/\b\d{3}\b/g) ?? [];

test('the preset http names the statuses that prove something, and none it does not', () => {
  expect(named(said('http', 'success').says)).toEqual(read('http', 'confirms'));
  expect(named(said('http', 'disproof').says)).toEqual(read('http', 'disproves'));
  expect(said('http', 'success').means).not.toContain('No reply proves');
  expect(said('http', 'disproof').means).not.toContain('No answer proves');
});

test('without a preset nothing is declared, and nothing is proven', () => {
  expect(said('none', 'success')).toMatchObject({ says: 'Nothing declared.' });
  expect(said('none', 'disproof')).toMatchObject({ says: 'Nothing declared.' });
  expect([...read('none', 'confirms'), ...read('none', 'disproves')]).toEqual([]);
});
