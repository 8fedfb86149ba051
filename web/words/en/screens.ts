// The words of each screen, in English.

import { pluralIn } from '../../base/plural.ts';
import { conversations } from './conversations.ts';

const plural = pluralIn('en');

const thread = {
  label: 'Thread',
  back: 'All conversations',
  empty: 'Nothing was said yet.',
  you: 'you',
  run: (number: number) => `Run ${number}`,
  step: (step: number) => `Step ${step}`,
  earlier: 'Show earlier runs',
  newItems: (count: number) => plural(count, { one: '# new', other: '# new' }),
  toLatest: 'To the latest',
  writing: 'The agent is writing…',
  thinking: 'The agent is thinking…',
  fates: {
    waiting: 'queued: read at the next step',
    started: 'started the run',
    held: 'held: the run it waited for has ended',
    withdrawn: 'withdrawn',
    sending: 'sending…',
  },
  takenAt: (step: number) => `read at step ${step}`,
  withdraw: 'Withdraw',
  edit: 'Edit',
  sendAgain: 'Send it now',
  facts: 'Facts the agent was told',
  told: 'What the agent was told',
  neverAction: 'This call never became an action; nothing was sent.',
  openRun: 'Run view',
  connection: {
    connecting: 'Connecting…',
    live: 'Live',
    polling: 'Reading every second',
    lost: 'Connection lost; trying again',
    gone: 'No longer followed',
  },
};

const composer = {
  label: 'Message',
  placeholder: 'Say what is to be done…',
  placeholderSteer: 'Say something to the agent at work; it reads it at its next step…',
  send: 'Send',
  steer: 'Send to the run',
  hint: 'Ctrl/Cmd + Enter',
  stop: 'Stop',
  stopping: 'Stopping…',
  tooLong: (max: number) => `At most ${max.toLocaleString('en')} characters.`,
};

const runLine = {
  running: (step: number, limit: number) => `Working, step ${step} of at most ${limit}`,
  waitingFor: (what: string) => `Waiting for ${what}`,
  goesOn: 'Decided: the run goes on.',
  stopping: 'Stopping: nothing new is sent; what was sent is awaited.',
  review: 'Review',
  answer: 'Answer',
  grant: 'Grant or refuse',
  recover: 'Decide',
  doneDetail: (steps: string, time: string) => `${steps}, ${time}`,
  goOn: 'Ask it to continue',
  stoppedEffects: 'What happened before it stopped:',
  stoppedNothing: 'Nothing had been sent.',
  seeWhy: 'See what blocked it',
  unresolved: (count: number) =>
    plural(count, { one: '# action is not settled', other: '# actions are not settled' }),
  usage: (input: string, output: string) => `${input} tokens read, ${output} written`,
};

const call = {
  destination: 'Destination',
  account: 'Account',
  apiVersion: 'API version',
  tool: 'Tool',
  version: (version: number) => `version ${version}`,
  arguments: 'Arguments',
  result: 'Result',
  error: 'Error',
  noResult: 'No result yet.',
  reference: 'Reference at the destination',
  id: 'Action',
  digest: 'Digest',
  journal: 'Journal',
  planned: 'Planned and written down',
  wholeResult: 'Show the whole result',
  cutCopy: (bytes: string) => `The agent was given a cut copy; the whole has ${bytes}.`,
  attempt: (attempt: number) => `Attempt ${attempt}`,
  engaged: 'engaged',
  deadline: 'may be under way until',
  authorised: {
    plan: 'authorised by the plan',
    approval: 'authorised by an approval',
    verdict: 'authorised by a verdict',
    decision: 'authorised by a decision',
    answer: 'authorised by an answer',
  },
  covered: 'Coverage',
  seenAt: 'Reference',
  assertion: 'The agent’s assertion; the evidence is in the calls above.',
  asText: 'Exact text',
  hidden: (code: string) => `hidden character ${code}`,
  shownOf: (shown: string, all: string) => `${shown} of ${all} characters shown`,
  because: 'Reason',
  openAction: 'Action page',
};

const inbox = {
  title: 'Inbox',
  empty: 'Nothing needs you.',
  emptyHint:
    'Questions, approvals, skill requests and undetermined actions of all conversations appear here.',
  open: 'Open in the thread',
  count: (count: number) => plural(count, { one: '# open request', other: '# open requests' }),
  fresh: (count: number) => plural(count, { one: '# new request', other: '# new requests' }),
};

export const screens = {
  conversations,
  thread,
  composer,
  runLine,
  call,
  inbox,
};
