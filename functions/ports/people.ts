// What people's lists need beside the store: how far each has read, and what was decided by whom. For reading only, save the marks.

import type { SkillVersion } from '../core/answers/skill.ts';
import type { ConversationId, RunId } from '../core/base/ids.ts';
import type { ApprovalMandate, Decision } from '../core/records/change.ts';
import type { Conversation, ReadMark } from '../core/records/conversation.ts';
import type { Grant } from '../core/records/grant.ts';
import type { MandateRecord, StandingMandate, ToolBar } from '../core/records/mandate.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { Run } from '../core/records/run.ts';
import type { AgentRevision } from '../core/registry/agent.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { Page } from './store.ts';

/** Something that a person, a machine or the system decided, and its place in the list. */
export type Audited = { readonly place: string } & Decided;
export type Decided =
  | { readonly kind: 'request'; readonly item: PersonRequest }
  | { readonly kind: 'decision'; readonly item: Decision }
  | { readonly kind: 'grant'; readonly item: Grant }
  /** An approval that was taken back. */
  | { readonly kind: 'mandate'; readonly item: ApprovalMandate }
  /** One change of a permission or a bar. */
  | { readonly kind: 'mandate-record'; readonly item: MandateRecord }
  /** A permission or a bar from before its changes had records: the newest of them stands for it. */
  | { readonly kind: 'standing'; readonly item: StandingMandate }
  | { readonly kind: 'bar'; readonly item: ToolBar }
  | { readonly kind: 'agent'; readonly item: AgentRevision }
  | { readonly kind: 'tool'; readonly item: ToolVersion }
  | { readonly kind: 'skill'; readonly item: SkillVersion };

export interface People {
  /** How far this person has read each of these conversations; those never read are left out. */
  readMarks(
    subject: string,
    conversationIds: readonly ConversationId[],
  ): Promise<readonly ReadMark[]>;
  /** Raises the person's number; a lower one than is kept changes nothing. */
  putReadMark(mark: ReadMark): Promise<void>;
  conversations(ids: readonly ConversationId[]): Promise<readonly Conversation[]>;
  runs(ids: readonly RunId[]): Promise<readonly Run[]>;
  /** Newest decision first. `cursor` is a place; the page begins beyond it. */
  decided(workspace: string, limit: number, cursor?: string): Promise<Page<Audited>>;
}
