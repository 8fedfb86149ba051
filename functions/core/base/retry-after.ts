// When somebody who refused for now says to come back. Owns: how that is read: milliseconds, seconds, or an HTTP date.

export interface RetryAfter {
  /** `retry-after-ms`. */
  readonly ms?: string | undefined;
  /** `retry-after`: seconds, or a date. */
  readonly after?: string | undefined;
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Epoch milliseconds before which nobody need ask again; undefined where nothing readable was said. */
export const retryAtMs = ({ ms, after }: RetryAfter, nowMs: number): number | undefined => {
  const span = ms?.trim() ?? '';
  if (/^\d{1,12}(\.\d{1,9})?$/.test(span)) return nowMs + Math.ceil(Number(span));
  const said = after?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(said)) return nowMs + Math.ceil(Number(said) * 1_000);
  const atMs = httpDate.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
};
