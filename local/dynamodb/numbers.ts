// Arithmetic of the service: decimal numbers of up to 38 digits, in text.
// Owns: sums and differences, and the refusal of results that do not fit.

import { invalid } from './answers.ts';
import { BigNumber } from './dynalite.ts';

const digitsMax = 38;
const exponentMax = 125;
const exponentMin = -130;

const fitting = (number: BigNumber): string => {
  const isZero = number.c.length === 1 && number.c[0] === 0;
  if (!isZero && number.e > exponentMax)
    throw invalid(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  if (!isZero && number.e < exponentMin)
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  if (number.c.length > digitsMax)
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  return isZero ? '0' : number.toFixed();
};

/** One number plus (or minus) another; throws when AWS could not store the result. */
export const sum = (one: string, other: string): string => fitting(new BigNumber(one).plus(other));

export const difference = (one: string, other: string): string =>
  fitting(new BigNumber(one).minus(other));
