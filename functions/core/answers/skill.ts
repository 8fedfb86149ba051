// A skill: a named bundle of instructions and tools that an agent may be granted. Owns: its schema and its answer: the grant for
// this run or for the agent, or the refusal. Laws: L13, L15 (a skill granted during a run is the only exception, and an event).
// Tested in test/scenario/people/grants.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { closeRequests, system } from '../pausing/close-request.ts';
import { replaceRun } from '../pausing/waiting.ts';
import type { Action } from '../records/action.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation } from '../records/conversation.ts';
import type { PersonRequest, RequestDecision } from '../records/request.ts';
import type { Run } from '../records/run.ts';
import { toldExpired, toldGranted, toldNotGranted } from '../records/told.ts';
import { type AgentRevision, withSkill } from '../registry/agent.ts';
import { SkillName, ToolName } from '../registry/tool.ts';

export const SkillContent = z.strictObject({
  name: SkillName,
  /** Always visible to the model. */
  description: z.string().min(1).max(1_024),
  /** Shown once granted. */
  instructions: z.string().min(1).max(50_000),
  tools: z
    .array(z.strictObject({ name: ToolName, version: z.int().positive().optional() }))
    .default([]),
});
export type SkillContent = z.infer<typeof SkillContent>;

export const SkillVersion = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  version: z.int().positive(),
  content: SkillContent.extend({
    tools: z.array(z.strictObject({ name: ToolName, version: z.int().positive() })),
  }),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  /** Who that is, where a person did it. */
  author: Author.optional(),
});
export type SkillVersion = z.infer<typeof SkillVersion>;

export interface AnsweringSkill {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  readonly request: Versioned<PersonRequest>;
  readonly answer:
    | { readonly kind: 'grant'; readonly scope: 'run' }
    /** With the agent's newest revision: the next one has the skill outright. */
    | { readonly kind: 'grant'; readonly scope: 'agent'; readonly newest: AgentRevision }
    | { readonly kind: 'refuse'; readonly reason: string }
    | { readonly kind: 'expire' };
  readonly by: Author;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type SkillOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | {
      readonly kind: 'refused';
      readonly because: 'already_decided' | 'expired' | 'not_a_skill_request';
      readonly request: PersonRequest;
    };

const decisionOf = (answer: AnsweringSkill['answer']): RequestDecision => {
  switch (answer.kind) {
    case 'grant':
      return { kind: 'granted', scope: answer.scope };
    case 'refuse':
      return { kind: 'refused', reason: answer.reason };
    case 'expire':
      return { kind: 'expired' };
  }
};

type SkillRequest = Extract<PersonRequest, { on: 'skill' }>;

const actionAfter = (answering: AnsweringSkill, request: SkillRequest): Action => {
  const { answer, by, nowIso } = answering;
  const { item } = answering.action;
  const head = item.head + 1;
  if (answer.kind === 'grant')
    return { ...item, head, told: toldGranted(request.skill, by.name), settledAt: nowIso };
  const because = answer.kind === 'refuse' ? answer.reason : 'Nobody answered in time.';
  return {
    ...item,
    head,
    disposition: { kind: 'refused', because, by: by.subject, author: by, at: nowIso },
    told:
      answer.kind === 'refuse'
        ? toldNotGranted(request.skill, by.name, because)
        : toldExpired(item),
    settledAt: nowIso,
  };
};

/** What has become of a skill since it was asked for: another version is in the agent, or none. */
export interface SkillSince {
  /** In the agent's newest revision; undefined: it was taken out. */
  readonly version: number | undefined;
}

/** Undefined: the agent has the very version that was asked for. `asked` is the revision that the run keeps. */
export const skillSince = (
  request: SkillRequest,
  asked: AgentRevision | undefined,
  newest: AgentRevision,
): SkillSince | undefined => {
  const entryIn = (revision: AgentRevision | undefined) =>
    revision?.configuration.skills.find(({ name }) => name === request.skill);
  const now = entryIn(newest);
  if (now === undefined) return entryIn(asked) === undefined ? undefined : { version: undefined };
  return now.version === request.version ? undefined : { version: now.version };
};

/** The same request for the version that the agent has by now: whoever grants it has that one on view. */
export const skillAskedAnew = (
  conversation: Versioned<Conversation>,
  { item, rev }: Versioned<PersonRequest>,
  { version, content }: SkillVersion,
): Change => ({
  conversation,
  events: [],
  writes:
    item.on === 'skill'
      ? [
          {
            do: 'replace',
            kind: 'request',
            item: { ...item, version, tools: content.tools.map(({ name }) => name) },
            rev,
          },
        ]
      : [],
});

export interface RevokingSkill {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly request: Versioned<PersonRequest>;
  readonly by: Author;
  readonly reason: string;
  readonly nowIso: string;
}

/** Takes a granted skill out of its run: the next step has it no more. What was sent with its tools stays sent. */
export const revokeSkill = (revoking: RevokingSkill): Change | undefined => {
  const { conversation, run, request, by, reason, nowIso } = revoking;
  const { item, rev } = request;
  if (item.on !== 'skill' || item.decision?.kind !== 'granted') return undefined;
  if (item.decision.revoked !== undefined) return undefined;
  const revoked = { at: nowIso, by, because: reason };
  const skills = run.item.skills.filter(({ name }) => name !== item.skill);
  return {
    conversation,
    events: [
      {
        type: 'action.decided',
        runId: item.runId,
        actionId: item.actionId,
        decision: 'grant_revoked',
        by: by.name,
      },
    ],
    writes: [
      {
        do: 'replace',
        kind: 'request',
        item: { ...item, decision: { ...item.decision, revoked } },
        rev,
      },
      ...replaceRun(run, { ...run.item, skills }),
    ],
  };
};

/** A grant for the agent is a new revision, in the same change; none when the newest has the skill outright already. */
const revisionOf = ({ answer, by, nowIso }: AnsweringSkill, request: SkillRequest): Write[] => {
  if (answer.kind !== 'grant' || answer.scope !== 'agent') return [];
  const { skill: name, version } = request;
  const item = withSkill(answer.newest, { name, version }, by, nowIso);
  return item === undefined ? [] : [{ do: 'revise-agent', item }];
};

export const answerSkill = (given: AnsweringSkill): SkillOutcome => {
  const request = given.request.item;
  const refused = { kind: 'refused', request } as const;
  if (request.on !== 'skill') return { ...refused, because: 'not_a_skill_request' };
  if (request.decision) return { ...refused, because: 'already_decided' };
  const late = request.expiresAtMs !== undefined && given.nowMs >= request.expiresAtMs;
  if (late && given.answer.kind !== 'expire') return { ...refused, because: 'expired' };
  const answering = given.answer.kind === 'expire' ? { ...given, by: system } : given;
  const { answer, run, by, nowIso } = answering;
  const action = actionAfter(answering, request);
  const granted = { name: request.skill, version: request.version };
  const skills =
    answer.kind === 'grant'
      ? [...run.item.skills.filter(({ name }) => name !== granted.name), granted]
      : run.item.skills;
  const closed = closeRequests(
    { item: { ...run.item, skills }, rev: run.rev },
    [{ request: answering.request, decision: decisionOf(answer) }],
    by,
    nowIso,
  );
  return {
    kind: 'change',
    action,
    change: {
      conversation: answering.conversation,
      events: [
        ...(answer.kind === 'grant'
          ? [
              {
                type: 'skill.granted' as const,
                runId: action.runId,
                skill: request.skill,
                by: by.name,
              },
            ]
          : []),
        ...closed.events,
      ],
      writes: [
        { do: 'replace', kind: 'action', item: action, rev: answering.action.rev },
        ...revisionOf(answering, request),
        ...closed.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
    },
  };
};
