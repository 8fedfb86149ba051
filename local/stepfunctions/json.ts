// JSON values as the state machine sees them, and their size as the service counts it.
// Owns: nothing.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The largest input, output, argument or variable, in bytes of UTF-8 (AWS quota). */
export const payloadBytesMax = 262_144;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON type's name as the service's error messages spell it. */
export const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Whether a JSON text is over the payload quota; counts bytes only when characters cannot decide. */
export const isOversized = (text: string): boolean => {
  if (text.length > payloadBytesMax) return true;
  return text.length * 3 > payloadBytesMax && Buffer.byteLength(text) > payloadBytesMax;
};

/** An ISO-8601 date and time with its offset, as the service wants it. */
export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));

const hasValue = (value: unknown): boolean => value !== undefined && typeof value !== 'function';

const cleanObject = (value: object): JsonObject => {
  const copy: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (hasValue(inner)) Object.defineProperty(copy, key, plainProperty(clean(inner)));
  }
  return copy;
};

/** `__proto__` is an ordinary key of JSON; assignment would lose it. */
const plainProperty = (value: Json): PropertyDescriptor => ({
  value,
  enumerable: true,
  writable: true,
  configurable: true,
});

/**
 * A copy that is nothing but JSON: JSONata marks its arrays with hidden properties that would change how the next
 * expression sees them, and its objects can hold functions.
 */
export const clean = (value: unknown): Json => {
  if (value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  // JSON has no such numbers; the service writes their names.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((inner) => (hasValue(inner) ? clean(inner) : null));
  return typeof value === 'object' ? cleanObject(value) : null;
};
