// The words of routines, in English.
import type { OccurrenceView, RoutineView } from '../../api/types.ts';
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');
type Outcome = OccurrenceView['outcome'];
type Because = Extract<Outcome, { kind: 'skipped' }>['because'];

const states: { [S in RoutineView['state']]: string } = {
  active: 'active',
  paused: 'paused',
  deleted: 'deleted',
};
const overlaps: { [O in RoutineView['overlap']]: string } = {
  skip: 'leave this one out',
  steer: 'say it to the run in progress',
  queue: 'let it wait for the end',
};
const because: { [B in Because]: string } = {
  run_active: 'the run before was still in progress',
  queue_full: 'too many already waited',
  too_many_messages: 'too many messages waited',
  paused: 'the routine was paused',
  deleted: 'the routine was deleted',
  not_due: 'it was not due any more',
  agent_missing: 'the agent is missing',
  conversation_missing: 'the conversation is missing',
};
const how = { started: 'started a run', steered: 'said to the run in progress', queued: 'queued' };
const causes: { [C in OccurrenceView['cause']]: string } = {
  due: 'due',
  now: 'asked for',
  retry: 'tried again',
};

export const routines = {
  title: 'Routines',
  hint: 'Messages said on a schedule. Each due time fires at most once and leaves a record.',
  new: 'New routine',
  empty: 'There is no routine yet.',
  emptyHint: 'Make one: what is to be said, to which agent, and when.',
  next: 'Next',
  never: 'not due any more',
  state: 'State',
  states,
  zone: 'Zone',
  name: 'Name',
  agent: 'Agent',
  message: 'What is said',
  when: 'When',
  plain: {
    at: (when: string, time: string) => `${when}, ${time}`,
    weekly: (day: string) => `Every ${day}`,
    monthly: (day: number) => `Every month on day ${day}`,
    interval: {
      minutes: (count: number) => plural(count, { one: 'Every minute', other: 'Every # minutes' }),
      hours: (count: number) => plural(count, { one: 'Every hour', other: 'Every # hours' }),
      days: (count: number) => plural(count, { one: 'Every day', other: 'Every # days' }),
    },
  },
  kinds: {
    daily: 'Every day',
    weekdays: 'On weekdays',
    weekly: 'Every week',
    monthly: 'Every month',
    interval: 'Every so often',
    once: 'Once',
    own: 'Own expression',
  },
  time: 'At',
  day: 'On',
  days: {
    MON: 'Monday',
    TUE: 'Tuesday',
    WED: 'Wednesday',
    THU: 'Thursday',
    FRI: 'Friday',
    SAT: 'Saturday',
    SUN: 'Sunday',
  },
  dayOfMonth: 'Day of the month',
  every: 'Every',
  unit: 'Unit',
  units: { minutes: 'minutes', hours: 'hours', days: 'days' },
  date: 'Date and time in the zone',
  expression: 'cron(…), rate(…) or at(…), as EventBridge Scheduler has them',
  overlap: 'When the run before is still in progress',
  overlaps,
  missed: 'When a time could not be kept',
  missedPolicies: { skip: 'leave it out', one: 'make up for the newest, within an hour' },
  conversation: 'Conversation',
  ownConversation: 'a new one for each firing',
  fixedConversation: 'always the same',
  preview: 'The next five',
  precision: 'To the minute: the Scheduler may fire up to a minute late.',
  warning: 'Change of the clocks',
  save: 'Save the routine',
  change: 'Change',
  pause: 'Pause',
  resume: 'Resume',
  runNow: 'Run now',
  remove: 'Delete',
  removeSure: 'Delete it for good',
  history: 'History',
  historyEmpty: 'It has not fired yet.',
  due: 'Due',
  cause: 'Cause',
  causes,
  outcome: 'What became of it',
  how,
  skipped: (reason: string) => `left out: ${reason}`,
  because,
  missedOut: 'could not happen in time',
  retry: 'Try again',
  notScheduled: 'The change is on its way to the Scheduler.',
};
