// The words of what people do beyond answering: barring, revoking, restoring; and of the audit, in English.
import type { auditKinds } from '../../../functions/api/schemas/audit-kinds.ts';
import { pluralIn } from '../../base/plural.ts';

const plural = pluralIn('en');

type AuditKind = (typeof auditKinds)[number];

const bar = {
  title: 'Bar',
  open: 'The tool is not barred.',
  barred: (name: string) => `Barred by ${name}`,
  bar: 'Bar this tool…',
  barNow: 'Bar it',
  barTitle: (tool: string) => `Bar ${tool} for everybody?`,
  barMeans: [
    'No attempt of this tool opens any more in this workspace, whoever approved or decided it: calls of agents, repeats and reissues alike.',
    'What was sent is not undone. Look-ups go on. An administrator can let it be used again.',
  ],
  unbar: 'Let it be used again…',
  unbarNow: 'Let it be used',
  unbarTitle: (tool: string) => `Let ${tool} be used again?`,
  unbarMeans: ['Attempts of this tool may open again, under the permissions that stand.'],
  stops:
    'While it is barred no attempt of this tool opens, whoever decided it. What was sent is not undone.',
  what: { barred: 'barred', unbarred: 'let again', revoked: 'revoked', restored: 'restored' },
  history: 'Changes',
};

const mandates = {
  title: 'Permissions to use tools',
  hint: 'An agent may use the tools of its revision until somebody revokes that.',
  empty: 'It has no tool.',
  tool: 'Tool',
  state: 'State',
  stands: 'stands',
  revoked: 'revoked',
  last: 'Last change',
  never: 'never changed',
  act: 'Change',
  revoke: (tool: string) => `Revoke ${tool}…`,
  revokeNow: 'Revoke it',
  revokeTitle: (tool: string) => `Revoke the permission to use ${tool}?`,
  revokeMeans: [
    'From now on this agent opens no attempt of this tool, not even a repeat of one that was sent. Other agents keep theirs.',
    'What was sent is not undone. An administrator can restore it.',
  ],
  restore: (tool: string) => `Restore ${tool}…`,
  restoreNow: 'Restore it',
  restoreTitle: (tool: string) => `Restore the permission to use ${tool}?`,
  restoreMeans: ['Attempts of this tool by this agent may open again.'],
  endTitle: 'End this standing permission?',
  endMeans: [
    'Like calls ask for an approval of their own again, and no attempt opens under it any more.',
    'What was sent is not undone. It cannot be restored: it is given again with an approval.',
  ],
};

const taking = {
  take: 'Take the approval back…',
  takeFurther: 'Allow no further attempt…',
  takeNow: 'Take it back',
  takeTitle: 'Take this approval back?',
  unused: 'Nothing was sent under it yet, and nothing will be.',
  used: (count: number) =>
    plural(count, {
      one: '# attempt was made under it. What was sent is not called back and may still take effect.',
      other:
        '# attempts were made under it. What was sent is not called back and may still take effect.',
    }),
  further: 'Only further attempts are prevented, repeats too.',
  withGrant: 'What was remembered with it ends too.',
  taken: (name: string) => `Taken back by ${name}`,
};

const why = {
  title: 'Why it needs an approval',
  irreversible: 'It cannot be taken back: such a call always needs one.',
  always: 'The tool’s policy asks for one at every call.',
  condition:
    'The tool’s policy asks for one unless this is false of the arguments (also when it cannot be worked out):',
  likeness:
    'It looks like an action that may still take effect, or like one of a run that failed or was stopped.',
  reissue: 'A person decided to send it anew, as a new intention.',
  earlier: 'What changed since its earlier proposal',
  earlierHint: 'The agent proposed this tool before in this run, and it was not let through:',
  wanted: 'The exact arguments you want (JSON, if you like)',
  wantedHint:
    'Sent to the agent as text. It may propose them; you then approve, or not, exactly what it proposes.',
  wantedWords: 'Propose it again with exactly these arguments:',
  tooLong: (most: string) => `Together at most ${most} characters.`,
};

const kinds: { readonly [K in AuditKind]: string } = {
  answer: 'Answers',
  decision: 'Decisions',
  approval: 'Approvals taken back',
  grant: 'Standing permissions',
  permission: 'Permissions to use tools',
  bar: 'Barred tools',
  registration: 'Tools, skills and agents made or changed',
};

type Sentence = (who: string, what: string) => string;
const sentences: { readonly [kind in AuditKind]: { readonly [decision: string]: Sentence } } = {
  answer: {
    approved: (who, what) => `${who} approved ${what}`,
    refused: (who, what) => `${who} refused: ${what}`,
    changes_requested: (who, what) => `${who} asked for changes to ${what}`,
    answered: (who) => `${who} answered a question`,
    declined: (who) => `${who} declined to answer a question`,
    granted: (who) => `${who} granted a skill`,
    settled: (who, what) => `${who} closed the recovery of ${what}: it is settled`,
    expired: (_, what) => `Nobody answered in time: ${what}`,
    voided: (_, what) => `No longer needed: ${what}`,
  },
  decision: {
    attach: (who, what) => `${who} attached a result to ${what}`,
    not_performed: (who, what) => `${who} recorded that ${what} was not performed`,
    repeat: (who, what) => `${who} had ${what} repeated under the same key`,
    wait: (who, what) => `${who} decided to wait for ${what}`,
    suspend: (who, what) => `${who} suspended ${what} and let the run go on`,
    abandon: (who, what) => `${who} abandoned ${what}`,
    reissue: (who, what) =>
      `${who} asked for ${what} to be sent anew, as a new intention that waits for its approval`,
  },
  approval: { revoked: (who, what) => `${who} took the approval of ${what} back` },
  grant: {
    granted: (who, what) => `${who} allowed like calls of ${what}`,
    revoked: (who, what) => `${who} ended the standing permission for ${what}`,
  },
  permission: {
    revoked: (who, what) => `${who} revoked the permission to use ${what}`,
    restored: (who, what) => `${who} restored the permission to use ${what}`,
  },
  bar: {
    barred: (who, what) => `${who} barred ${what} for everybody`,
    unbarred: (who, what) => `${who} let ${what} be used again`,
  },
  registration: {
    registered: (who, what) => `${who} registered ${what}`,
    new_version: (who, what) => `${who} made a new version of ${what}`,
    new_revision: (who, what) => `${who} made a new revision of ${what}`,
  },
};

/** What was registered, named with what it is. */
const registered = {
  tool: (name: string) => `the tool ${name}`,
  skill: (name: string) => `the skill ${name}`,
  agent: (name: string) => `the agent ${name}`,
};

const audit = {
  title: 'Audit',
  hint: 'Who decided or changed what, and when, newest first. It is read from the records themselves and cannot be changed.',
  kind: 'What',
  kinds,
  by: 'Who',
  anybody: 'Anybody',
  me: 'Me',
  tool: 'Tool',
  until: 'Not after',
  empty: 'Nothing was decided or changed yet.',
  noneFits: 'Nothing fits.',
  noneYet: 'Nothing fits among what was read so far.',
  further: 'Look further back',
  fresh: (count: number) => plural(count, { one: '# new entry', other: '# new entries' }),
  sentences,
  other: (who: string, decision: string) => `${who}: ${decision}`,
  registered,
  numbered: (version: number) => `number ${version}`,
  links: {
    request: 'Request',
    action: 'Action',
    conversation: 'Conversation',
    run: 'Run',
    agent: 'Agent',
    tool: 'Tool',
    skill: 'Skill',
  },
};

export const acts = {
  reason: 'Reason (kept, and shown to others)',
  bar,
  mandates,
  taking,
  why,
  audit,
};
