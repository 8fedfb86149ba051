// How the demo's services word their answers: records as the API shows them, and failures with their code.

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

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What the work of an operation says: its answer and, if it changed something, what. */
export interface Done {
  readonly answer: Answer & { readonly body: Record<string, unknown> };
  readonly effect?: { readonly id: string; readonly reference?: string | undefined };
}
