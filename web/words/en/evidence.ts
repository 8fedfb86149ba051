// Words of what a journal, a decided request and a contract tell, in English: one for each value that the store can hold.
import type {
  AttemptEnd,
  Contract,
  Decision,
  Observation,
  PersonRequest,
  RequestDecision,
} from '../../api/types.ts';

type EndHow = AttemptEnd['how'];
type Milestone = AttemptEnd['milestone'];
type Says = Observation['says'];
type Source = Observation['source'];

const requestKinds: { [K in PersonRequest['on']]: string } = {
  approval: 'Approval',
  question: 'Question',
  skill: 'Skill',
  recovery: 'Recovery',
};
const requestDecisions: { [K in RequestDecision['kind']]: string } = {
  approved: 'approved',
  refused: 'refused',
  changes_requested: 'changes requested',
  answered: 'answered',
  declined: 'declined',
  granted: 'granted',
  settled: 'settled',
  expired: 'expired',
  voided: 'voided',
};
const decisions: { [K in Decision['kind']]: string } = {
  attach: 'Result attached',
  not_performed: 'Not performed',
  repeat: 'Repeat with the same key',
  wait: 'Wait',
  suspend: 'Suspended',
  abandon: 'Abandoned',
  reissue: 'Reissued as a new intention',
};
const ends: { [H in EndHow]: string } = {
  replied: 'the destination replied',
  not_transmitted: 'nothing was transmitted',
  unknown: 'no reply that says anything',
  asked: 'the destination asked for more',
  lost: 'its owner never reported',
};
const milestones: { [M in Milestone]: string } = {
  prepared: 'prepared',
  transmitted: 'transmitted',
  accepted: 'accepted',
  executed: 'executed',
  confirmed: 'confirmed',
};
const says: { [S in Says]: string } = {
  confirms: 'confirms the effect',
  accepts: 'accepts the call',
  in_progress: 'says it is still running',
  asked: 'asks for more',
  disproves: 'disproves the effect',
  nothing: 'proves neither way',
};
const sources: { [S in Source]: string } = {
  reply: 'Reply',
  look_up: 'Look-up',
  webhook: 'Webhook',
  person: 'A person’s word',
  transport: 'Transport',
};
const toolEffects: { [E in Contract['effect']]: string } = {
  read: 'reads only',
  write: 'writes',
  irreversible: 'irreversible',
};

export const evidence = {
  requestKinds,
  requestDecisions,
  decisions,
  ends,
  milestones,
  says,
  sources,
  toolEffects,
};
