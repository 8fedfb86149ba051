// Standing permissions and barred tools: read and changed by people, checked by every engage.

import type { Changed } from '../core/answers/permissions.ts';
import type { RequestId } from '../core/base/ids.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Grant } from '../core/records/grant.ts';
import type { StandingMandate, ToolBar } from '../core/records/mandate.ts';

export interface Mandates {
  /** Undefined when nobody has ever touched it: it stands. */
  standing(
    workspace: string,
    agentId: string,
    tool: string,
  ): Promise<Versioned<StandingMandate> | undefined>;
  /** Undefined when nobody has ever barred it. */
  bar(workspace: string, tool: string): Promise<Versioned<ToolBar> | undefined>;
  /** What was granted with an approval. */
  grant(
    workspace: string,
    agentId: string,
    requestId: RequestId,
  ): Promise<Versioned<Grant> | undefined>;
  /**
   * With the records of what changed, all or none. `rev` is the one it was made from; 0 for the first. 'conflict': somebody else
   * was faster, nothing was written.
   */
  putStanding(changed: Changed<StandingMandate>, rev: number): Promise<'put' | 'conflict'>;
  putBar(changed: Changed<ToolBar>, rev: number): Promise<'put' | 'conflict'>;
}
