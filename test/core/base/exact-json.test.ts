// Numbers as JSON writes them: kept, or seen to be unkept. Laws: L6, L22.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keptAsText,
  parseExact,
  parseKept,
  parseWritten,
  unkeptWords,
} from '../../../functions/core/base/exact-json.ts';
import { canonicalJson, type Json } from '../../../functions/core/base/json.ts';

describe('a number', () => {
  test.each([
    ['1.0', '1'],
    ['1e2', '100'],
    ['0.1', '0.1'],
    ['-0', '0'],
    ['-0.0e5', '0'],
    ['0e99999999999', '0'],
    ['9007199254740992', '9007199254740992'],
    ['12345678901234567000', '12345678901234567000'],
    ['123456789012345000000000', '1.23456789012345e+23'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157E+308', '1.7976931348623157e+308'],
    ['0.30000000000000004', '0.30000000000000004'],
  ])('%s passes in canonical form', (written, canonical) => {
    const { value, unkept } = parseExact(`{"id":${written}}`);
    expect(unkept).toEqual([]);
    expect(canonicalJson(value)).toBe(`{"id":${canonical}}`);
    expect(canonicalJson(parseKept(written))).toBe(canonical);
  });

  test.each([
    '9007199254740993',
    '1234567890123456789',
    '-12345678901234567890',
    '1e400',
    '-1e400',
    '1e-400',
    '0.12345678901234567890',
    '1.00000000000000000001',
    '123456789012345678.5',
  ])('%s is named in arguments, and kept as its own text in a reply', (written) => {
    const { value, unkept } = parseExact(`{"of":[{"id":${written}}]}`);
    expect(unkept).toEqual([{ path: 'of.0.id', is: 'number', text: written }]);
    expect(value).toEqual({ of: [{ id: written }] });
    expect(unkeptWords(unkept)).toContain(
      `Give it as text where the tool takes text: "${written}".`,
    );
    expect(parseKept(`[${written}]`)).toEqual([written]);
    expect(JSON.stringify(parseWritten(`[${written}]`))).toBe(`[${written}]`);
  });
});

describe('arguments', () => {
  test.each([
    ['half a character', String.raw`{"a":"x\ud83d"}`, 'a', 'half'],
    ['half a character in a name', String.raw`{"\udc00":1}`, String.raw`\udc00`, 'half'],
    ['a name that objects lose', '{"a":{"__proto__":{"b":1}}}', 'a.__proto__', 'name'],
    ['that name in escapes', String.raw`{"\u005f_proto__":1}`, '__proto__', 'name'],
    ['too deep', `${'['.repeat(5_000_000)}`, '', 'depth'],
  ])('%s is named', (_title, text, path, is) => {
    expect(parseExact(text).unkept).toMatchObject([{ path, is }]);
  });

  test('whole characters in escapes, and escapes that are none, pass', () => {
    const text = String.raw`{"a":"\ud83d\ude00 \\ud83d 12345678901234567890 1e400"}`;
    expect(parseExact(text)).toEqual({ value: JSON.parse(text), unkept: [] });
  });
});

test('a reply keeps half a character as the escape it was written as, so that two stay two', () => {
  expect(parseKept(String.raw`["x\ud83d","x\ud83e"]`)).toEqual([
    String.raw`x\ud83d`,
    String.raw`x\ud83e`,
  ]);
});

test('reading twice changes nothing more', () => {
  const once = keptAsText(String.raw`{"a":[1e400,"\ud83d"],"-0":-0}`);
  expect(keptAsText(once)).toBe(once);
});

test.each(['{', '{"a":}', '01', '[1,]', 'NaN', '+1', '.5', '1.', '"', '12345678901234567890x'])(
  'what is no JSON stays none: %s',
  (text) => {
    expect(() => parseKept(text)).toThrow(SyntaxError);
    expect(() => parseExact(text)).toThrow(SyntaxError);
  },
);

/** A decimal as a whole number and a power of ten: the same for every way of writing it. */
const decimal = (text: string): string => {
  const [, sign, whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + part);
  if (digits === 0n) return '0';
  const bare = String(digits).replace(/0+$/, '');
  return `${sign}${bare}e${Number(power) - part.length + (String(digits).length - bare.length)}`;
};

const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 25n }).map(String)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/)),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: -420, max: 420 }).map((power) => `e${power}`),
    ),
  )
  .map((parts) => parts.join(''));

test('every number is the same decimal afterwards, or kept as it was written', () => {
  fc.assert(
    fc.property(numbers, (text) => {
      const [kept] = parseKept(`[${text}]`) as readonly Json[];
      const { unkept } = parseExact(`[${text}]`);
      if (typeof kept === 'number') {
        expect(decimal(canonicalJson(kept).replace('+', ''))).toBe(decimal(text));
        expect(unkept).toEqual([]);
      } else {
        expect(kept).toBe(text);
        expect(unkept).toEqual([{ path: '0', is: 'number', text }]);
        expect(
          decimal(
            String(Number(text))
              .replace('+', '')
              .replace(/-?Infinity|NaN/, '0'),
          ),
        ).not.toBe(decimal(text));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('any other JSON is read as it always was', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const plain: unknown = JSON.parse(text);
      expect(parseKept(text)).toEqual(JSON.parse(JSON.stringify(plain)));
    }),
  );
});
