// How the demo's services word their answers: records as the API shows them, and failures with their code.
import type { Done } from './perform.ts';
import type { StoredRecord } from './store.ts';

/** The body of an unsuccessful answer; `details` says which field, where it is one. */
export const failure = (
  status: number,
  code: string,
  message: string,
  details?: unknown,
): Done['answer'] => ({ status, body: { error: { code, message, details } } });

/** A record as the API shows it. */
export const shownRecord = ({ id, reference, createdAtMs, body }: StoredRecord) => ({
  id,
  ...(reference === null ? {} : { reference }),
  ...body,
  created_at: new Date(createdAtMs).toISOString(),
});

export const missing = (kind: string, wanted: string) =>
  failure(
    404,
    'not_found',
    `There is no ${kind} ${wanted} in this account. Search for it, or correct the id.`,
  );
