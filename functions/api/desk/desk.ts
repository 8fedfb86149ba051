// Brings together what a decision about an action is made on: contracts, evidence, mandate, claim; and says which decisions a
// person may take, each refusal with its reason, fact and date. Owns: those reads, and the words beside core's rules.

import { Defect } from '../../core/base/errors.ts';
import type { Action } from '../../core/records/action.ts';
import { foldAction } from '../../core/records/folded.ts';
import {
  type DeskCase,
  decisionKinds,
  type Forbidden,
  permissionFor,
} from '../../core/recover/desk.ts';
import { askUser, requestSkill } from '../../core/registry/ask-user.ts';
import type { ToolVersion } from '../../core/registry/tool.ts';
import type { Journal, Leave } from '../../ports/store.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import type { Caller } from '../identity/identity.ts';
import type { Language } from '../problems/language.ts';
import { type Problem, problem } from '../problems/problems.ts';
import { reasonOf } from '../problems/words-desk.ts';
import type { DecisionView } from '../schemas/schemas.ts';

export interface Desk {
  readonly desk: DeskCase;
  readonly journal: Journal;
  readonly leave: Leave;
}

/** The tools that Reprise itself provides are in no registry. */
const ourOwn = (name: string): ToolVersion | undefined =>
  [askUser, requestSkill].find(({ registration }) => registration.name === name);

export const deskFor = async (world: ApiWorld, caller: Caller, action: Action): Promise<Desk> => {
  const { store, registry, clock } = world;
  const { name, version } = action.tool;
  const [journal, leave, pinned, newest] = await Promise.all([
    store.journal(action.actionId),
    store.leave(action),
    registry.tool(action.workspace, name, version),
    registry.newestTool(action.workspace, name),
  ]);
  const tool = pinned ?? ourOwn(name);
  if (tool === undefined)
    throw new Defect(`Version ${version} of the tool ${name} of ${action.actionId} is missing.`);
  return {
    journal,
    leave,
    desk: {
      action: foldAction(action, journal, new Date(clock.now()).toISOString()),
      pinned: tool.registration.contract,
      current: (newest ?? tool).registration.contract,
      attempts: journal.attempts,
      observations: journal.observations,
      claim: leave.claim?.item,
      approval: leave.approval,
      mandateRevokedAt: leave.approval?.revokedAt ?? leave.mandateRevokedAt,
      barredAt: leave.barredAt,
      subject: caller.author.subject,
      nowMs: clock.now(),
    },
  };
};

/** Which decisions this caller may take now. */
export const decisionViews = (desk: DeskCase, language: Language): readonly DecisionView[] =>
  decisionKinds.map((kind) => {
    const permission = permissionFor(desk, kind);
    if (permission.allowed) return { kind, allowed: true };
    const { because, at, until } = permission;
    return {
      kind,
      allowed: false,
      because,
      reason: reasonOf(permission, language),
      ...(at === undefined ? {} : { at }),
      ...(until === undefined ? {} : { until }),
    };
  });

/** What is not allowed now, with the fact and the date behind it. */
export const forbiddenProblem = (forbidden: Forbidden): Problem => {
  const { because, fact, at, until } = forbidden;
  return problem('decision-not-allowed', forbidden, {
    members: {
      because,
      fact,
      ...(at === undefined ? {} : { at }),
      ...(until === undefined ? {} : { until }),
    },
  });
};
