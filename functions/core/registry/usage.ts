// What a model call cost, by the agent's price table. Owns: that arithmetic, exact, on integers.
// Tested in test/functions/adapters/model-choice.test.ts.
import type { Price } from './agent.ts';

export interface TokenCounts {
  /** All tokens read, those from the cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
}

/** A decimal as an integer over a power of ten. */
interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

const decimalOf = (text: string): Decimal => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new TypeError(`"${text}" is no decimal number.`);
  const [whole = '0', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), places: fraction.length };
};

const plus = (a: Decimal, b: Decimal): Decimal => {
  const places = Math.max(a.places, b.places);
  const scaled = (one: Decimal): bigint => one.units * 10n ** BigInt(places - one.places);
  return { units: scaled(a) + scaled(b), places };
};

const times = (price: string, tokens: number): Decimal => {
  const { units, places } = decimalOf(price);
  return { units: units * BigInt(tokens), places };
};

const textOf = ({ units, places }: Decimal): string => {
  const digits = units.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

/** Prices are per million tokens. */
const perMillionPlaces = 6;

/** The amount in the price's currency as a decimal string, unrounded. Without a price for cached tokens they cost as others. */
export const amountOf = (tokens: TokenCounts, price: Price): string => {
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens);
  const parts = [
    times(price.inputPerMillion, tokens.inputTokens - cached),
    times(price.cachedInputPerMillion ?? price.inputPerMillion, cached),
    times(price.outputPerMillion, tokens.outputTokens),
  ];
  const sum = parts.reduce(plus);
  return textOf({ units: sum.units, places: sum.places + perMillionPlaces });
};

/** The sum of two amounts of one currency. Throws a TypeError for what is no decimal number. */
export const addAmounts = (a: string, b: string): string =>
  textOf(plus(decimalOf(a), decimalOf(b)));
