// One value per name of a manifest list, typed so that none can be missing.

/** Makes a value for each name. */
export const forEvery = <Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): { readonly [Each in Name]: Value } =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as { readonly [Each in Name]: Value };

/** `execution-ended` → `ExecutionEnded`: a manifest name as a construct id. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
