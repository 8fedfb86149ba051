// Each kind of thing: its place in the page, the call that reads it, and itself in words. Owns: that table.
import { getText, paths, sheetPath } from '../api/calls.ts';
import { callPlace } from '../api/faults.ts';
import type { AgentRevision, Observation, PersonRequest } from '../api/types.ts';
import type { AllWords } from '../words/later.ts';
import { writerOf } from '../words/writer.ts';
import { actionMarkdown } from './action-markdown.ts';
import { runMarkdown } from './export.ts';
import { claimId, type Kind, sheetId, stepId, type Things } from './thing-kinds.ts';

export type Fact = readonly [name: string, value: string | undefined];

export interface Form<Of> {
  /** In the page. */
  readonly place: (of: Of) => string;
  /** In the API. */
  readonly path: (of: Of) => string;
  /** Where that answer holds more than the thing: which part of it, as jq takes it. */
  readonly pick?: (of: Of) => string;
  readonly title: (of: Of, words: AllWords) => string;
  readonly facts?: (of: Of, words: AllWords) => readonly Fact[];
  /** Somebody's text, quoted. */
  readonly text?: (of: Of, words: AllWords) => string | undefined;
  /** In place of the JSON and the Markdown made of the above. */
  readonly json?: (of: Of) => unknown;
  readonly markdown?: (of: Of, words: AllWords) => string | Promise<string>;
}

const inAction = (actionId: string, at: string): string => `/action/${actionId}?at=${at}`;
const inItems = (name: string, id: string): string => `.items[] | select(.${name}=="${id}")`;
const inJournal = (list: string, name: string, id: string): string =>
  `.journal.${list}[] | select(.${name}=="${id}")`;

const configurationOf: Form<AgentRevision> = {
  place: ({ agentId, revision }) => `/agents/${agentId}?revision=${revision}`,
  path: ({ agentId }) => `${paths.agent(agentId)}/revisions`,
  pick: ({ revision }) => `.items[] | select(.revision==${revision})`,
  title: ({ configuration, revision }, words) =>
    `${configuration.name}: ${words.run.revision} ${revision}`,
  facts: ({ createdAt, createdBy, configuration: { model, tools } }, words) => [
    [words.run.when, createdAt],
    [words.by('').trim(), createdBy],
    [words.run.model, JSON.stringify(model)],
    [words.nav.tools, tools.map(({ name, version }) => `${name} ${version}`).join(', ')],
  ],
  text: ({ configuration }) => configuration.prompt,
};

const journalFacts = (
  { account, environment, coverage, reference }: Partial<Observation>,
  words: AllWords,
): readonly Fact[] => [
  [words.call.account, account === undefined ? undefined : `${account} · ${environment}`],
  [words.call.covered, coverage],
  [words.call.reference, reference],
];

const requestText = (request: PersonRequest): string | undefined => {
  switch (request.on) {
    case 'question':
      return request.message;
    case 'skill':
      return request.reason;
    case 'recovery':
      return request.because;
    case 'approval':
      return undefined;
  }
};

export const forms: { readonly [K in Kind]: Form<Things[K]> } = {
  conversation: {
    place: ({ conversationId }) => `/c/${conversationId}`,
    path: ({ conversationId }) => paths.conversation(conversationId),
    title: ({ title }, words) => title || words.conversations.untitled,
    facts: ({ createdAt, createdBy }, words) => [
      [words.run.started, createdAt],
      [words.by('').trim(), createdBy.name],
    ],
  },
  message: {
    place: ({ conversationId, messageId }) => `/c/${conversationId}?at=${messageId}`,
    path: ({ conversationId }) => `${paths.conversation(conversationId)}/messages`,
    pick: ({ messageId }) => inItems('messageId', messageId),
    title: ({ author, at }) => `${author.name}, ${at}`,
    text: ({ text }) => text,
  },
  run: {
    place: ({ run }) => `/run/${run.runId}`,
    path: ({ run }) => paths.run(run.runId),
    title: ({ run }, words) => words.run.title(run.number),
    json: ({ run }) => run,
    markdown: runMarkdown,
  },
  faultMark: {
    place: callPlace,
    path: ({ runId, markId }) => `${paths.run(runId)}/fault-marks/${markId}`,
    title: ({ tool }, { faults, colon }) => `${faults.marked}${colon}${tool}`,
    facts: ({ at, by, kind, step, call, revision }, words) => [
      [words.run.when, at],
      [words.by('').trim(), by.name],
      [words.run.call, words.faults.call(step, call + 1)],
      [words.run.revision, String(revision)],
      [words.faults.kind, kind && words.faults.kinds[kind]],
    ],
    text: ({ note }) => note,
  },
  step: {
    place: (step) => `/run/${step.runId}?at=${stepId(step)}`,
    path: ({ runId, step }) => `${paths.run(runId)}/steps?afterStep=${step - 1}&limit=1`,
    pick: () => '.items[0]',
    title: ({ step }, words) => words.thread.step(step),
    facts: ({ at, usage, calls }, words) => [
      [words.run.when, at],
      [words.run.model, usage.model],
      [words.run.call, calls.map(({ name }) => name).join(', ') || undefined],
    ],
    text: ({ text }) => text || undefined,
  },
  action: {
    place: ({ actionId }) => `/action/${actionId}`,
    path: ({ actionId }) => paths.action(actionId),
    title: ({ tool }) => tool.name,
    markdown: actionMarkdown,
  },
  request: {
    place: ({ requestId }) => `/request/${requestId}`,
    path: ({ requestId }) => paths.request(requestId),
    pick: () => '.request',
    title: ({ on }, words) => words.requestKinds[on],
    facts: ({ openedAt, decidedAt, decision, decidedBy, actionId }, words) => [
      [words.run.started, openedAt],
      [words.call.id, actionId],
      [
        words.run.ended,
        decision &&
          `${words.approval.decidedBy(words.requestDecisions[decision.kind], decidedBy?.name ?? '')}, ${decidedAt}`,
      ],
    ],
    text: requestText,
  },
  attempt: {
    place: ({ actionId, attemptId }) => inAction(actionId, attemptId),
    path: ({ actionId }) => paths.action(actionId),
    pick: ({ attemptId }) => inJournal('attempts', 'attemptId', attemptId),
    title: ({ attempt }, words) =>
      `${words.call.attempt(attempt)}${words.colon}${words.call.engaged}`,
    facts: ({ engagedAt, deadlineAtMs, actionId }, words) => [
      [words.run.when, engagedAt],
      [words.call.deadline, new Date(deadlineAtMs).toISOString()],
      [words.call.id, actionId],
    ],
  },
  observation: {
    place: ({ actionId, observationId }) => inAction(actionId, observationId),
    path: ({ actionId }) => paths.action(actionId),
    pick: ({ observationId }) => inJournal('observations', 'observationId', observationId),
    title: ({ source, says }, words) => `${words.sources[source]}${words.colon}${words.says[says]}`,
    facts: (seen, words) => [
      [words.run.when, seen.at],
      [words.by('').trim(), writerOf(seen, words)],
      ...journalFacts(seen, words),
      [words.call.id, seen.actionId],
    ],
    text: ({ because }, words) => words.said(because),
  },
  decision: {
    place: ({ actionId, decisionId }) => inAction(actionId, decisionId),
    path: ({ actionId }) => paths.action(actionId),
    pick: ({ decisionId }) => inJournal('decisions', 'decisionId', decisionId),
    title: ({ kind }, words) => words.decisions[kind],
    facts: ({ at, by, actionId }, words) => [
      [words.run.when, at],
      [words.by('').trim(), by.name],
      [words.call.id, actionId],
    ],
    text: ({ reason, evidence }) => reason ?? evidence?.what,
  },
  claim: {
    place: (claim) => inAction(claim.actionId, claimId(claim)),
    path: ({ actionId }) => paths.action(actionId),
    pick: () => '.claim',
    title: ({ holder }, words) =>
      holder === undefined ? words.desk.nobody : words.desk.holder(holder.name),
    facts: ({ since, until, actionId, fence }, words) => [
      [words.run.started, since],
      [words.run.ended, until],
      [words.call.id, actionId],
      ['fence', String(fence)],
    ],
  },
  sheet: {
    place: ({ actionId }) => inAction(actionId, sheetId(actionId)),
    path: ({ actionId }) => sheetPath(actionId, 'json'),
    title: (_, words) => words.desk.sheet,
    json: async ({ actionId }) => JSON.parse(await getText(sheetPath(actionId, 'json'))),
    markdown: ({ actionId }) => getText(sheetPath(actionId, 'md')),
  },
  agent: {
    ...configurationOf,
    place: ({ agentId }) => `/agents/${agentId}`,
    path: ({ agentId }) => paths.agent(agentId),
    pick: () => '.',
  },
  revision: configurationOf,
  tool: {
    place: ({ registration, version }) => `/tools/${registration.name}/${version}`,
    path: ({ registration, version }) => `${paths.tool(registration.name)}/versions/${version}`,
    title: ({ registration, version }, words) =>
      `${registration.name}, ${words.call.version(version)}`,
    facts: ({ createdAt, registration: { contract } }, words) => [
      [words.run.when, createdAt],
      [words.call.destination, Object.values(contract.destination).join(' · ')],
      [words.run.state, words.toolEffects[contract.effect]],
    ],
    text: ({ registration }) => registration.description,
  },
  skill: {
    place: ({ content, version }) => `/skills/${content.name}/${version}`,
    path: ({ content, version }) => paths.skill(content.name, version),
    title: ({ content, version }, words) => `${content.name}, ${words.call.version(version)}`,
    facts: ({ createdAt, content }, words) => [
      [words.run.when, createdAt],
      [words.nav.tools, content.tools.map(({ name }) => name).join(', ') || undefined],
    ],
    text: ({ content }) => content.instructions,
  },
  routine: {
    place: ({ routineId }) => `/routines/${routineId}`,
    path: ({ routineId }) => paths.routine(routineId),
    title: ({ name }) => name,
    facts: ({ schedule, zone, state }, words) => [
      [words.run.when, `${schedule} (${zone})`],
      [words.run.state, words.routines.states[state]],
    ],
    text: ({ message }) => message,
  },
  occurrence: {
    place: ({ routineId, occurrenceId }) => `/routines/${routineId}?at=${occurrenceId}`,
    path: ({ routineId }) => `${paths.routine(routineId)}/occurrences`,
    pick: ({ occurrenceId }) => inItems('occurrenceId', occurrenceId),
    title: ({ dueAt, cause }, words) => `${dueAt}, ${words.routines.causes[cause]}`,
    facts: ({ outcome, run }, words) => [
      [
        words.routines.outcome,
        outcome.kind === 'skipped'
          ? words.routines.skipped(words.routines.because[outcome.because])
          : outcome.kind === 'missed'
            ? words.routines.missedOut
            : words.routines.how[outcome.how],
      ],
      [words.run.conversation, run?.runId],
    ],
  },
  audit: {
    place: ({ id, at }) => `/audit?until=${at}&at=${id}`,
    path: ({ at }) => `/v1/audit?until=${at}`,
    pick: ({ id }) => inItems('id', id),
    title: ({ at, by, decision }) => `${at}, ${by.name}: ${decision}`,
    facts: ({ tool, agentId, actionId, requestId }, words) => [
      [words.call.tool, tool],
      [words.nav.agents, agentId],
      [words.call.id, actionId],
      [words.nav.inbox, requestId],
    ],
    text: ({ reason }) => reason,
  },
};
