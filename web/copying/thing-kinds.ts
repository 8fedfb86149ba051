// Every kind of thing that has an id, and the ids of those that the store keeps under another thing's.
import type {
  Action,
  AgentRevision,
  Attempt,
  AuditEntry,
  ClaimView,
  ConversationView,
  Decision,
  FaultMarkView,
  Message,
  Observation,
  OccurrenceView,
  PersonRequest,
  RoutineView,
  SkillVersion,
  Step,
  ToolVersion,
} from '../api/types.ts';
import type { Exported } from './export.ts';

/** The kinds, each with what is at hand of it where it is shown. */
export interface Things {
  readonly conversation: ConversationView;
  readonly message: Message;
  readonly run: Exported;
  readonly step: Step;
  readonly action: Action;
  readonly request: PersonRequest;
  readonly attempt: Attempt;
  readonly observation: Observation;
  readonly decision: Decision;
  readonly claim: ClaimView;
  readonly sheet: { readonly actionId: string };
  readonly agent: AgentRevision;
  readonly revision: AgentRevision;
  readonly tool: ToolVersion;
  readonly skill: SkillVersion;
  readonly routine: RoutineView;
  readonly occurrence: OccurrenceView;
  readonly audit: AuditEntry;
  readonly faultMark: FaultMarkView;
}
export type Kind = keyof Things;
export type Thing = {
  [K in Kind]: { readonly kind: K; readonly of: Things[K] };
}[Kind];

export const stepId = ({
  runId,
  step,
}: {
  readonly runId: string;
  readonly step: number;
}): string => `${runId}/${step}`;
export const claimId = ({ actionId, fence }: Pick<ClaimView, 'actionId' | 'fence'>): string =>
  `${actionId}/claim/${fence}`;
export const sheetId = (actionId: string): string => `${actionId}/sheet`;
export const revisionId = ({ agentId, revision }: AgentRevision): string =>
  `${agentId}/${revision}`;
