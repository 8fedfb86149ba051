// The functions that AWS adds to JSONata, and the ones it takes away or that must follow the twin's clock.
// Owns: their meaning and limits.
import { createHash, randomUUID } from 'node:crypto';
import jsonata from 'jsonata';

/** What an expression may depend on besides its variables. */
export interface Surroundings {
  nowMs(): number;
  random(): number;
}

/** The most numbers that the service's memory limit lets `$range` make. */
const rangeItemsMax = 360_145;

const algorithms: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};

/** Undefined for no list, an empty one, or chunks of nothing, as on AWS. */
const partition = (list: readonly unknown[] | undefined, size: number | undefined): unknown => {
  const width = Math.trunc(size ?? 0);
  if (list === undefined || list.length === 0 || width === 0) return undefined;
  if (width < 0) throw new Error('The chunk size of $partition must not be negative.');
  return Array.from({ length: Math.ceil(list.length / width) }, (_, chunk) =>
    list.slice(chunk * width, (chunk + 1) * width),
  );
};

/** A sequence, as on AWS: one number stands for itself, none (a step the wrong way) for nothing. */
const range = (first?: number, last?: number, step?: number): unknown => {
  const [from, to, by] = [first, last, step].map((value) => Math.trunc(value ?? 0));
  if (from === undefined || to === undefined || !by || first === undefined) return undefined;
  const count = Math.max(0, Math.floor((to - from) / by) + 1);
  if (count > rangeItemsMax)
    throw new Error(
      'Expression evaluation memory limit exceeded: Check for excessive memory usage',
    );
  const numbers = Array.from({ length: count }, (_, index) => from + index * by);
  return numbers.length > 1 ? numbers : numbers[0];
};

const hash = (text: string | undefined, algorithm: string | undefined): unknown => {
  if (text === undefined || algorithm === undefined) return undefined;
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
  expression.registerFunction('partition', partition, '<a?n?:x>');
  expression.registerFunction('range', range, '<n?n?n?:x>');
  expression.registerFunction('hash', hash, '<s?s?:s>');
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
