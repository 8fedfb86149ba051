// Words of the matter itself, in English: states, kinds and reasons, one for each value that the store can hold.
import type {
  Attempt,
  AttemptEnd,
  Contract,
  Decision,
  Disposition,
  Effect,
  Observation,
  PersonRequest,
  RequestDecision,
  RunEnd,
  RunState,
} from '../api/types.ts';

export type EndHow = AttemptEnd['how'];
export type Milestone = AttemptEnd['milestone'];
export type Says = Observation['says'];
export type Source = Observation['source'];
export type AttemptNumber = Attempt['attempt'];

const effects: { [E in Effect]: string } = {
  not_sent: 'planned',
  engaged: 'attempt engaged',
  in_progress: 'still in progress',
  undetermined: 'undetermined',
  accepted: 'accepted',
  confirmed: 'confirmed',
  not_performed: 'not done, with proof',
};
const effectMeans: { [E in Effect]: string } = {
  not_sent: 'Nothing was sent yet.',
  engaged: 'The call was written down and may be on its way. Nobody else may send it.',
  in_progress: 'The destination says that it has not ended.',
  undetermined: 'It is not known whether it happened. It is neither repeated nor assumed.',
  accepted: 'The destination took it; that it was carried out is supposed, not proven.',
  confirmed: 'Evidence shows the effect.',
  not_performed: 'Evidence shows that nothing happened.',
};
const dispositions: { [D in Disposition['kind']]: string } = {
  open: 'nothing decided',
  refused: 'refused',
  stopped: 'stopped before sending',
  suspended: 'suspended',
  abandoned: 'abandoned',
  reissued: 'reissued',
};
const runStatus: { [S in RunState['status']]: string } = {
  running: 'running',
  waiting: 'waiting',
  stopping: 'stopping',
  finished: 'finished',
};
const runEnds: { [E in RunEnd]: string } = {
  done: 'done',
  step_limit: 'step limit reached',
  stopped: 'stopped',
  failed: 'failed',
};
const waitsFor: { [K in PersonRequest['on']]: string } = {
  approval: 'an approval',
  question: 'an answer',
  skill: 'a skill',
  recovery: 'a recovery decision',
};
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

export const domain = {
  effects,
  effectMeans,
  dispositions,
  waitingForPerson: 'planned, waiting for a person',
  unsentEnds: { answered: 'answered', no_result: 'without a result' },
  nothingSent: 'Nothing was sent.',
  contradicted: 'contradicted',
  contradictedMeans: 'The evidence disagrees. A person has to look.',
  runStatus,
  runEnds,
  waitsFor,
  requestKinds,
  requestDecisions,
  decisions,
  ends,
  milestones,
  says,
  sources,
  toolEffects,
  idle: 'no run yet',
};
