// Who may do what, written by hand from what the roles are for, and not from the table that the product uses: an oracle of its own.
// Dan looks on (viewer), Ben talks to agents (member), an approver says yes or no, a recoverer is on duty, a reporter is a program that says
// what it saw, an administrator sets up. Each sees everything of the workspace. Only an administrator is also everybody else.
export type Who = 'viewer' | 'member' | 'approver' | 'recoverer' | 'reporter' | 'admin';

const looking = `
  listAgents getAgent listAgentRevisions listTools getTool getToolVersion getToolBar listSkills getSkill getSkillVersion
  listConversations searchConversations getConversation readConversation readEvents listMessages
  listRuns listWorkspaceRuns getRun listSteps listRunActions getOverview
  listActions getAction getActionResult listDecisions listDesk summariseDesk getSheet getSheetSchema
  listRequests getRequest summariseInbox listMandates listGrants
  listFaultMarks listConversationFaultMarks listAgentFaultMarks getFaultMark
  listRoutines getRoutine listOccurrences previewSchedule
  runAgUi runAiSdk resumeAiSdk`;
const talking = `
  createConversation postMessage withdrawMessage stopRun continueRun
  markFault changeFaultMark takeBackFaultMark
  pauseRoutine resumeRoutine runRoutine retryOccurrence`;
/** The request in question is an approval that names no other role. */
const approving = 'answerRequest answerInConversation revokeApproval revokeGrant';
const recovering = `
  takeClaim releaseClaim renewClaim endClaim decideAction lookAgain revokeMandate barTool`;
const reporting = 'addObservation';
const settingUp = `
  createAgent reviseAgent registerTool registerToolVersion registerSkill registerSkillVersion restoreMandate unbarTool
  readAudit createRoutine changeRoutine deleteRoutine`;

export const everybody: readonly Who[] = [
  'viewer',
  'member',
  'approver',
  'recoverer',
  'reporter',
  'admin',
];
const duties: readonly (readonly [string, readonly Who[]])[] = [
  [looking, everybody],
  [talking, ['member', 'admin']],
  [approving, ['approver', 'admin']],
  [recovering, ['recoverer', 'admin']],
  [reporting, ['recoverer', 'reporter', 'admin']],
  [settingUp, ['admin']],
];

export const whoMay: ReadonlyMap<string, readonly Who[]> = new Map(
  duties.flatMap(([operations, who]) =>
    operations
      .trim()
      .split(/\s+/)
      .map((operation) => [operation, who] as const),
  ),
);
