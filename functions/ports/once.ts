// The once port: remembers what a request was answered, by its key, so that its repeat gets the same answer.
// It is a convenience, never the permission: what a request creates has a derived id and is put conditionally.
import type { Json } from '../core/base/json.ts';

/** Plain JSON, small; of what a person wrote nothing, since it is kept for as long as the key. */
export interface RememberedAnswer {
  readonly status: number;
  readonly body: Json;
}

export type Once =
  | { readonly kind: 'answer'; readonly answer: RememberedAnswer; readonly replayed: boolean }
  /** Another request with this key is being handled. */
  | { readonly kind: 'in_flight' }
  /** The key was used with another payload. */
  | { readonly kind: 'other_payload' };

export interface OnceMemory {
  /**
   * Runs `make`, or returns what it returned for this key before. When `make` throws nothing is remembered and the error is
   * thrown on. `payload` is a digest of what was sent.
   */
  once(key: string, payload: string, make: () => Promise<RememberedAnswer>): Promise<Once>;
}
