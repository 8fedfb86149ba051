// The functions that AWS adds to JSONata, and the ones it takes away or that must follow the twin's clock.
// Owns: their meaning and limits.
import { createHash, randomUUID } from 'node:crypto';
import jsonata from 'jsonata';

/** What an expression may depend on besides its variables. */
export interface Surroundings {
  nowMs(): number;
  random(): number;
}

const rangeItemsMax = 1000;

const algorithms: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

const partition = (list: readonly unknown[] | undefined, size: number): unknown => {
  if (list === undefined) return undefined;
  const width = Math.floor(size);
  if (!(width > 0)) throw new Error('The chunk size of $partition must be a positive number.');
  return Array.from({ length: Math.ceil(list.length / width) }, (_, chunk) =>
    list.slice(chunk * width, (chunk + 1) * width),
  );
};

const range = (first: number, last: number, step: number): unknown => {
  if (step === 0) throw new Error('The step of $range must not be zero.');
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  if (count > rangeItemsMax)
    throw new Error(`$range can make at most ${rangeItemsMax} items, not ${count}.`);
  const numbers = Array.from({ length: count }, (_, index) => first + index * step);
  // The service returns a sequence: one number stands for itself, none for nothing.
  return numbers.length > 1 ? numbers : numbers[0];
};

const hash = (text: string | undefined, algorithm: string): unknown => {
  if (text === undefined) return undefined;
  const name = algorithms[algorithm];
  if (name === undefined) {
    const known = Object.keys(algorithms).join(', ');
    throw new Error(`$hash does not know the algorithm "${algorithm}"; it knows ${known}.`);
  }
  return createHash(name).update(text, 'utf8').digest('hex');
};

/** A number in [0, 1) that depends on the seed alone. */
const seeded = (seed: number): number =>
  createHash('sha256').update(String(seed)).digest().readUInt32BE(0) / 2 ** 32;

const parse = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

const fromMillis = jsonata('$z ? $fromMillis($t, $p, $z) : $fromMillis($t, $p)');

const now = (surroundings: Surroundings, picture?: string, zone?: string): unknown => {
  const atMs = surroundings.nowMs();
  if (picture === undefined) return new Date(atMs).toISOString();
  return fromMillis.evaluate(undefined, { t: atMs, p: picture, z: zone ?? false });
};

/** Prepares a compiled expression; called once for each. */
export const addFunctions = (expression: jsonata.Expression, surroundings: Surroundings): void => {
  expression.registerFunction('partition', partition, '<a?n:a>');
  expression.registerFunction('range', range, '<nnn:x>');
  expression.registerFunction('hash', hash, '<s?s:s>');
  expression.registerFunction(
    'random',
    (seed?: number) => (seed === undefined ? surroundings.random() : seeded(seed)),
    '<n?:n>',
  );
  expression.registerFunction('uuid', () => randomUUID(), '<:s>');
  expression.registerFunction('parse', parse, '<s?:x>');
  expression.registerFunction(
    'now',
    (picture?: string, zone?: string) => now(surroundings, picture, zone),
    '<s?s?:s>',
  );
  expression.registerFunction('millis', () => surroundings.nowMs(), '<:n>');
  expression.assign('eval', undefined);
};
