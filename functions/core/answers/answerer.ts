// Who is asked: the role that may answer a request, and the person in charge where one is named. Owns: that rule, for the API
// that checks it and for the events that tell them. Laws: L13.
// Tested in test/functions/api/lists/inbox.test.ts.
import type { PersonRequest } from '../records/request.ts';

export interface Answerer {
  /** The least role that may answer. */
  readonly role: 'member' | 'approver' | 'recoverer' | 'admin';
  /** In charge until somebody claims it (a contract's default recoverer). */
  readonly recoverer?: string;
}

export const answererOf = (request: PersonRequest): Answerer => {
  switch (request.on) {
    case 'approval':
      return { role: request.role === 'approver' ? 'approver' : 'admin' };
    case 'question':
      return { role: 'member' };
    case 'skill':
      return { role: 'approver' };
    case 'recovery':
      return {
        role: 'recoverer',
        ...(request.recoverer === undefined ? {} : { recoverer: request.recoverer }),
      };
  }
};

/** What goes out with an event that asks somebody: whom, and until when. No texts (L18). */
export interface Notice extends Answerer {
  readonly expiresAt?: string;
}

export const noticeOf = (request: PersonRequest): Notice => ({
  ...answererOf(request),
  ...(request.expiresAtMs === undefined
    ? {}
    : { expiresAt: new Date(request.expiresAtMs).toISOString() }),
});
