// Readers' marks of the calls where an agent went wrong: for people to read and change. Nothing else reads them.

import type { AgentId, ConversationId, FaultMarkId, RunId } from '../core/base/ids.ts';
import type { Versioned } from '../core/records/change.ts';
import type { FaultMark } from '../core/records/fault-mark.ts';
import type { Page } from './store.ts';

/** Where a mark lies. */
export interface FaultPlace {
  readonly conversationId: ConversationId;
  readonly runId: RunId;
  readonly markId: FaultMarkId;
}

export interface FaultMarks {
  get(place: FaultPlace): Promise<Versioned<FaultMark> | undefined>;
  /** `rev` is the one it was made from; 0 for a new one. 'conflict': somebody else was faster, nothing was written. */
  put(mark: FaultMark, rev: number): Promise<'put' | 'conflict'>;
  /** Those of a conversation, or of one of its runs; by run, those taken back included. Consistent. */
  of(
    conversationId: ConversationId,
    runId: RunId | undefined,
    limit: number,
    cursor?: string,
  ): Promise<Page<FaultMark>>;
  /** Those that stand on calls of an agent, newest first. */
  ofAgent(
    workspace: string,
    agentId: AgentId,
    limit: number,
    cursor?: string,
  ): Promise<Page<FaultMark>>;
}
