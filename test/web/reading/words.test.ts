// The two dictionaries say the same: no word is left empty or untranslated by mistake, and French keeps its spaces.
import { expect, test } from 'vitest';
import { pluralIn } from '../../../web/base/plural.ts';
import { en } from '../../../web/words/en/first.ts';
import { fr } from '../../../web/words/fr/first.ts';
import { laterWords } from '../../../web/words/later.ts';
import { writerOf } from '../../../web/words/writer.ts';

type Leaf = readonly [path: string, value: unknown];
const leaves = (value: object, at = ''): Leaf[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]): Leaf[] =>
    typeof inner === 'object' && inner !== null
      ? leaves(inner, `${at}${name}.`)
      : [[`${at}${name}`, inner]],
  );

/** Every text, functions called with plain arguments. */
const texts = (of: object): ReadonlyMap<string, string> =>
  new Map(
    leaves(of).map(([path, value]) => [
      path,
      typeof value === 'function' ? String(value('2', 3, 4)) : String(value),
    ]),
  );

/** What comes with the first load, and what comes with the screens that are loaded later. */
const english = texts({ first: en, later: laterWords.en });
const french = texts({ first: fr, later: laterWords.fr });

test('both languages have the same words', () => {
  expect([...french.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  for (const [path, text] of [...english, ...french]) expect(text.trim(), path).not.toBe('');
});

test('few words are the same in both, and those on purpose', () => {
  const same = [...english].filter(([path, text]) => french.get(path) === text);
  expect(same.length / english.size).toBeLessThan(0.12);
});

test('French has a no-break space before : ; ? ! and inside its quotation marks', () => {
  for (const [path, text] of french) {
    expect(text, path).not.toMatch(/ [:;?!»]|« /);
    expect(text, path).not.toMatch(/[a-zé][;?!](?!\w)/);
  }
});

test('plurals follow each language: nothing is one in French and many in English', () => {
  const forms = { one: '# pas', many: '# de pas', other: '# pas (s)' };
  expect(pluralIn('fr')(0, forms)).toBe('0 pas');
  expect(pluralIn('en')(0, forms)).toBe('0 pas (s)');
  expect(pluralIn('fr')(1_000_000, forms)).toMatch(/ de pas$/);
});

test('sentences that Reprise stores are shown in French, and other texts as they are', () => {
  expect(fr.said('The agent gave its answer.')).toBe('L’agent a donné sa réponse.');
  expect(fr.said('The destination answered 201.')).toBe('La destination a répondu 201.');
  expect(fr.said('Ana says hello.')).toBe('Ana says hello.');
  expect(en.said('The agent gave its answer.')).toBe('The agent gave its answer.');
});

test('who wrote into a journal is a person’s name, or what the part of the system did', () => {
  const author = { name: 'Ana' };
  expect(writerOf({ by: 'usr_1', author }, laterWords.fr)).toBe('Ana');
  expect(writerOf({ by: 'verify' }, laterWords.fr)).toBe('Reprise, en vérifiant l’issue');
  expect(writerOf({ by: 'perform' }, laterWords.en)).toBe('Reprise, when it sent the call');
  expect(writerOf({ by: 'constructor' }, laterWords.en)).toBe('constructor');
});
