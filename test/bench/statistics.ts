// The numbers the benchmarks end in. Owns: nothing.

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
};

export const roundedTo = (value: number, digits: number): number => Number(value.toFixed(digits));
