// The words of requests and recoveries, in English: they come with the first one that is shown.

const approval = {
  title: 'This needs your approval',
  exact: 'Exactly this will run, once:',
  approve: 'Approve',
  refuse: 'Refuse…',
  refuseNow: 'Refuse',
  change: 'Request changes…',
  changeNow: 'Send the request',
  reason: 'Reason (the agent is told)',
  what: 'What must change? (the agent is told)',
  role: (role: string) => `Needs the role ${role}.`,
  noRole: (role: string) => `You do not have the role ${role}, which this approval asks for.`,
  expires: 'Expires',
  expiresThen: '; nothing is sent then.',
  remember: 'Do not ask again for like calls',
  rememberHint: 'Never for what cannot be taken back, never for look-alikes.',
  rememberScope: 'For',
  rememberScopes: { run: 'this run', agent: 'this agent, until revoked' },
  condition: 'When this holds over the arguments (JSONata)',
  lookAlike: 'Looks like an action that is not settled',
  lookAlikeHint: 'Approving sends a second one. Compare them:',
  field: 'Field',
  this: 'This action',
  other: 'The other',
  same: 'same',
  decidedBy: (decision: string, name: string) => `${decision} by ${name}`,
  alreadyDecided: (name: string) => `${name} was faster.`,
  digestNote: 'What runs is byte for byte what this digest covers.',
  voided: 'No longer needed',
};

const recovery = {
  title: 'The outcome is not known',
  looking: 'The system still looks for the outcome. You need not do anything yet.',
  hint: 'Look at the destination. What you find decides; the call is not sent again by itself.',
  inCharge: (name: string) => `In charge until somebody claims it: ${name}.`,
  released: 'The run no longer waits for it; the action still needs somebody.',
  openAction: 'Open the action',
  claim: 'Claim it',
  claimHint:
    'While you hold it, nobody else, human or machine, opens an attempt. Then you may decide.',
  yours: 'You hold it until',
  heldBy: (name: string) => `${name} holds it until`,
  lapsed: (name: string) => `${name} let it lapse at`,
  nobody: 'Nobody holds it.',
  renew: 'Renew for 30 minutes',
  giveBack: 'Give it back',
  takeOver: 'Take over…',
  takeOverNow: 'I have read this: take over',
  changed: 'Read what is known before you take it over:',
  changedSince: (name: string) => `Written since ${name} took it:`,
  nothingSince: (name: string) => `Nothing was written since ${name} took it.`,
  soon: 'Your claim lapses soon.',
  decide: 'Decide',
  refusedBecause: 'not now',
  kinds: {
    attach: 'It happened: attach a result',
    not_performed: 'It did not happen: state the proof',
    repeat: 'Repeat with the same key',
    wait: 'Wait until…',
    suspend: 'Suspend: the run goes on',
    abandon: 'Abandon, with a reason',
    reissue: 'New explicit intention…',
  },
  kindMeans: {
    attach: 'Your evidence confirms the effect. Nothing is sent.',
    not_performed: 'Your evidence shows that nothing happened. Nothing is sent.',
    repeat:
      'The same action is sent once more under the same key, which the destination still honours.',
    wait: 'Nothing happens until then; then the system looks again.',
    suspend:
      'The agent is told that the outcome is not known and goes on. The action stays undetermined.',
    abandon: 'Nobody pursues it any more. The effect stays open to evidence.',
    reissue:
      'A new action with a new identity. If the original did happen, it then happened twice.',
  },
  what: 'What did you see?',
  whatHint: 'The object, the record or the log line',
  where: 'Where?',
  whereHint: 'Link or place in the destination, with account and environment',
  when: 'When did you look?',
  coverage: 'How far did the search go?',
  coverageHint: 'Account, environment, archived objects, read rights, period',
  reference: 'The destination’s own reference',
  optional: 'optional',
  reason: 'Reason',
  affirm: 'Recipient, content and permission still stand',
  until: 'Until when?',
  risk: 'Which risk do you accept?',
  riskHint: 'The original may have happened already',
  record: 'Record the decision',
};

const question = {
  title: 'A question for you',
  send: 'Answer',
  decline: 'Decline…',
  declineNow: 'Decline',
  declineReason: 'Reason (the agent is told)',
  optional: 'optional',
  choose: 'Choose…',
  expires: 'Expires',
  afterwards: {
    default: 'then the defaults are taken.',
    continue: 'then the agent goes on without an answer.',
    stop: 'then the run stops asking and the agent is told.',
  },
  noteOnMessage: 'A message in the thread does not answer it.',
};

const skill = {
  title: 'The agent asks for a skill',
  asks: (name: string) => `It asks for the skill “${name}”.`,
  brings: 'It brings these tools:',
  noTools: 'It brings no tools.',
  forRun: 'Grant for this run',
  forAgent: 'Grant for the agent (new revision)',
};

/** What somebody may do, by the names that a token carries; a role of somebody's own keeps its name. */
const roles = {
  viewer: 'viewer',
  member: 'member',
  approver: 'approver',
  recoverer: 'recoverer',
  admin: 'admin',
};

export const requests = { approval, recovery, question, skill, roles };
