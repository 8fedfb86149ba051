// Who may do what: one table from operation to the role it needs. Owns: that table and which roles hold which.
// The role an approval itself asks for (its contract's policy) is checked where the answer is taken.

export const roles = ['viewer', 'member', 'approver', 'recoverer', 'reporter', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Roles that a program may hold and a person may not: what a reporter says of an effect counts as what a machine saw. */
const machinesOnly: readonly Role[] = ['reporter'];

/** The roles that count for who holds them. */
export const rolesThatCount = (held: readonly Role[], kind: 'person' | 'machine'): Role[] =>
  held.filter((role) => kind === 'machine' || !machinesOnly.includes(role));

/** A role and what it holds besides itself. */
const holds: { readonly [R in Role]: readonly Role[] } = {
  viewer: ['viewer'],
  member: ['member', 'viewer'],
  approver: ['approver', 'viewer'],
  recoverer: ['recoverer', 'viewer'],
  reporter: ['reporter', 'viewer'],
  admin: roles,
};

export const access = {
  listAgents: 'viewer',
  getAgent: 'viewer',
  listAgentRevisions: 'viewer',
  createAgent: 'admin',
  reviseAgent: 'admin',
  listTools: 'viewer',
  getTool: 'viewer',
  getToolVersion: 'viewer',
  registerTool: 'admin',
  registerToolVersion: 'admin',
  listConversations: 'viewer',
  searchConversations: 'viewer',
  getConversation: 'viewer',
  createConversation: 'member',
  readEvents: 'viewer',
  // Whoever may read may connect; saying something there needs what it needs here, and so does answering.
  runAgUi: 'viewer',
  runAiSdk: 'viewer',
  resumeAiSdk: 'viewer',
  listMessages: 'viewer',
  postMessage: 'member',
  withdrawMessage: 'member',
  listRuns: 'viewer',
  listWorkspaceRuns: 'viewer',
  getOverview: 'viewer',
  getRun: 'viewer',
  listSteps: 'viewer',
  listRunActions: 'viewer',
  listFaultMarks: 'viewer',
  listConversationFaultMarks: 'viewer',
  listAgentFaultMarks: 'viewer',
  getFaultMark: 'viewer',
  markFault: 'member',
  // Whose it is, or an admin, is checked where it is changed.
  changeFaultMark: 'member',
  takeBackFaultMark: 'member',
  stopRun: 'member',
  continueRun: 'member',
  listActions: 'viewer',
  getAction: 'viewer',
  getActionResult: 'viewer',
  takeClaim: 'recoverer',
  releaseClaim: 'recoverer',
  renewClaim: 'recoverer',
  endClaim: 'recoverer',
  listDecisions: 'viewer',
  decideAction: 'recoverer',
  listDesk: 'viewer',
  summariseDesk: 'viewer',
  getSheet: 'viewer',
  getSheetSchema: 'viewer',
  addObservation: 'recoverer',
  lookAgain: 'recoverer',
  listMandates: 'viewer',
  getToolBar: 'viewer',
  // Taking a permission away is for whoever is on duty; giving it back is an administrator's.
  revokeMandate: 'recoverer',
  restoreMandate: 'admin',
  revokeApproval: 'approver',
  barTool: 'recoverer',
  unbarTool: 'admin',
  listRequests: 'viewer',
  getRequest: 'viewer',
  // Whoever is signed in may try: which role a request needs is its own to say (answers/may-answer.ts).
  answerRequest: 'viewer',
  answerInConversation: 'viewer',
  readConversation: 'viewer',
  summariseInbox: 'viewer',
  listSkills: 'viewer',
  getSkill: 'viewer',
  getSkillVersion: 'viewer',
  registerSkill: 'admin',
  registerSkillVersion: 'admin',
  listGrants: 'viewer',
  revokeGrant: 'approver',
  readAudit: 'admin',
  listRoutines: 'viewer',
  getRoutine: 'viewer',
  listOccurrences: 'viewer',
  previewSchedule: 'viewer',
  // A routine speaks unattended: who makes or changes one is an administrator, who stops or starts one need not be.
  createRoutine: 'admin',
  changeRoutine: 'admin',
  deleteRoutine: 'admin',
  pauseRoutine: 'member',
  resumeRoutine: 'member',
  runRoutine: 'member',
  retryOccurrence: 'member',
} as const satisfies { readonly [operationId: string]: Role };
export type OperationId = keyof typeof access;

export const isRole = (text: string): text is Role => roles.some((role) => role === text);

export const hasRole = (held: readonly Role[], needed: Role): boolean =>
  held.some((role) => holds[role].includes(needed));

/** Another role that will do: a program reports without being trusted with a recovery. */
const orRole: { readonly [O in OperationId]?: Role } = { addObservation: 'reporter' };

export const mayCall = (held: readonly Role[], operationId: OperationId): boolean => {
  const other = orRole[operationId];
  return hasRole(held, access[operationId]) || (other !== undefined && hasRole(held, other));
};
