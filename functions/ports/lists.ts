// What one workspace holds, in pages, beside the store's own lists: every run, every message, requests open and closed.
// For reading only; each list comes from an index, so an item may show a moment later than it was written.
import type { Message } from '../core/records/conversation.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { Run } from '../core/records/run.ts';
import type { Page } from './store.ts';

export interface PageWanted {
  /** At most this many; a page can hold fewer and still have a next one. */
  readonly limit: number;
  /** `next` of the page before; or an ISO instant to begin before (in lists that are newest first). */
  readonly cursor?: string | undefined;
}

export interface WorkspaceLists {
  /** By when they started, newest first. */
  runs(workspace: string, wanted: PageWanted): Promise<Page<Run>>;
  /** By when they were sent, newest first. */
  messages(workspace: string, wanted: PageWanted): Promise<Page<Message>>;
  /** Undecided, by when they were opened, oldest first. */
  openRequests(workspace: string, wanted: PageWanted): Promise<Page<PersonRequest>>;
  /** Decided, by when, newest first. */
  closedRequests(workspace: string, wanted: PageWanted): Promise<Page<PersonRequest>>;
}
