// Words of the matter itself, in English: states, kinds and reasons, one for each value that the store can hold.
import type { Disposition, Effect, PersonRequest, RunEnd, RunState } from '../../api/types.ts';

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
  cut_off: 'cut off',
  withheld: 'withheld',
  no_answer: 'no answer',
  withdrawn: 'withdrawn',
};
const waitsFor: { [K in PersonRequest['on']]: string } = {
  approval: 'an approval',
  question: 'an answer',
  skill: 'a skill',
  recovery: 'a recovery decision',
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
  idle: 'no run yet',
};
