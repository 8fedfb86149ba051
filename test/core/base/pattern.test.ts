// Regular expressions that people write: which ones could take for ever, and how much text the others may read.
import { describe, expect, test } from 'vitest';
import { BoundedPattern, explodes } from '../../../functions/core/base/pattern.ts';

describe('A pattern whose time doubles with each character', () => {
  test.each([
    '(a+)+b',
    '((a+))+b',
    '(?:(?:x|a*))*b',
    '(a|a)*b',
    '(a|ab|b)*c',
    '([a-z]|[a-f0-9])+!',
    '(.|\\n|x)+y',
    '(\\w|_)+!',
    '(a|)+b',
    '(a?){40}b',
    '(a|aa){30}c',
    '^(?<word>\\w+\\s?)*$',
    '(\\d{1,3}\\.?){8}x',
  ])('is found: %s', (source) => {
    expect(explodes(source)).toBe(true);
  });
});

describe('An ordinary pattern', () => {
  test.each([
    '@acme\\.example$',
    '^[^@]+@[^@]+\\.[a-z]{2,}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '(foo|bar)+',
    '(?:ab){2,5}',
    '(\\d{3}-){2}\\d+',
    '([a-z]|[0-9])+',
    '(?:[^"\\\\]|\\\\.)*"',
    '^\\+?[()\\d ]+$',
    '[(a+)+]',
    '\\(a+\\)+',
    '(refund|payment) of .*',
    '^(?=.*x)(?!y)a?b?c?$',
    '(a+)?b',
    '',
    '|a',
  ])('is taken: %s', (source) => {
    expect(explodes(source)).toBe(false);
  });
});

describe('How much a pattern may read', () => {
  test.each([
    ['@acme\\.example$', 'x'.repeat(100_000), false],
    ['^[^@]+@[^@]+\\.[a-z]{2,}$', `${'x'.repeat(200)}@acme.example`, true],
    ['refund.*now', `a refund, ${'please '.repeat(500)}now`, true],
    ['b+', 'a'.repeat(10_000), false],
  ])('%s matches as it would anyway', (source, text, matches) => {
    expect(new BoundedPattern(source).test(text)).toBe(matches);
  });

  test.each([
    ['a+b', 'a'.repeat(100_000)],
    ['.*,.*,.*,x', ','.repeat(20_000)],
    ['^\\s*\\s*\\s*x', ' '.repeat(20_000)],
    [`${'a?'.repeat(40)}${'a'.repeat(40)}`, 'a'.repeat(39)],
    [`^${'(a|aa|ab)'.repeat(30)}c`, 'a'.repeat(60)],
    ['(a+)+b', 'a'],
    ['^x|a+b', 'a'.repeat(20_000)],
  ])('%s is not tried on a text that would take it too long', (source, text) => {
    expect(() => new BoundedPattern(source).test(text)).toThrow('too long');
  });
});
