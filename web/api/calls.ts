// The API's operations that the page uses, typed. Owns: their paths.
import type { Part } from './book.ts';
import { get, headersFor, newKey, post, remove, send } from './client.ts';
import type {
  Action,
  ActionResult,
  ActionView,
  AgentRevision,
  AnswerBody,
  Answered,
  ApprovalRevoked,
  AuditEntry,
  BarView,
  ClaimView,
  ConversationSummary,
  ConversationView,
  DecisionBody,
  DeskEntry,
  DeskSummary,
  GrantView,
  InboxItem,
  InboxSummary,
  Message,
  MessagePosted,
  ObservationBody,
  OccurrenceView,
  OverviewView,
  Page,
  Preview,
  PreviewBody,
  RequestView,
  RoutineBody,
  RoutineView,
  RunView,
  SearchPage,
  Sheet,
  SkillVersion,
  StandingView,
  Step,
  ToolVersion,
} from './types.ts';

const v1 = '/v1';
const at = (...parts: readonly string[]): string =>
  [v1, ...parts.map(encodeURIComponent)].join('/');
export const after = (cursor: string | undefined): string =>
  cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;

const from = (cursor: string | undefined): string => after(cursor).replace('&', '?');

const query = (parts: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== '')).toString();

export const paths = {
  conversation: (id: string) => at('conversations', id),
  events: (id: string) => `${at('conversations', id)}/events`,
  run: (id: string) => at('runs', id),
  action: (id: string) => at('actions', id),
  request: (id: string) => at('requests', id),
  agent: (id: string) => at('agents', id),
  tool: (name: string) => at('tools', name),
  routine: (id: string) => at('routines', id),
  skill: (name: string, version: number) => at('skills', name, 'versions', String(version)),
};

/** A page of a list that was narrowed; empty values narrow nothing. */
export type Narrowing = Readonly<Record<string, string>>;
const listPath = (list: string, narrowing: Narrowing, cursor: string | undefined): string =>
  `${v1}/${list}?${query({ ...narrowing, limit: '100' })}${after(cursor)}`;

export const listConversations = (narrowing: Narrowing, cursor?: string) =>
  get<Part<ConversationSummary>>(listPath('conversations', narrowing, cursor));
export const searchConversations = (q: string, cursor?: string) =>
  get<SearchPage>(`${v1}/search?${query({ q })}${after(cursor)}`);
export const getOverview = (days: number, zone: string) =>
  get<OverviewView>(`${v1}/overview?${query({ days: String(days), zone })}`);
export const getConversation = (id: string) => get<ConversationView>(paths.conversation(id));
export const createConversation = (body: { agentId: string; title: string }, key: string) =>
  post<{ conversationId: string }>(`${v1}/conversations`, body, key);

export const listMessages = (id: string, after = '0') =>
  get<Page<Message>>(`${paths.conversation(id)}/messages?after=${after}`);
export const postMessage = (id: string, text: string, key: string) =>
  post<MessagePosted>(`${paths.conversation(id)}/messages`, { text }, key);
export const withdrawMessage = (id: string, messageId: string) =>
  remove<Message>(at('conversations', id, 'messages', messageId));

export const listRuns = (id: string) =>
  get<Page<RunView>>(`${paths.conversation(id)}/runs?limit=200`);
export const getRun = (id: string) => get<RunView>(paths.run(id));
export const listSteps = (id: string, afterStep: number) =>
  get<Page<Step>>(`${paths.run(id)}/steps?afterStep=${afterStep}`);
export const listRunActions = (id: string, afterStep: number) =>
  get<Page<Action>>(`${paths.run(id)}/actions?afterStep=${afterStep}`);
export const stopRun = (id: string) => post<object>(`${paths.run(id)}/stop`, {}, newKey());
export const continueRun = (id: string) =>
  post<MessagePosted>(`${paths.run(id)}/continue`, {}, newKey());

export const getAction = (id: string) => get<ActionView>(paths.action(id));
export const getResult = (id: string, offset: number) =>
  get<ActionResult>(`${paths.action(id)}/result?offset=${offset}`);
export const decide = (id: string, body: DecisionBody, key: string) =>
  post<object>(`${paths.action(id)}/decisions`, body, key);
export const takeClaim = (id: string, forMs: number) =>
  post<ClaimView>(`${paths.action(id)}/claim`, { forMs }, newKey());
export const renewClaim = (id: string, forMs: number) =>
  post<ClaimView>(`${paths.action(id)}/claim/renew`, { forMs }, newKey());
export const releaseClaim = (id: string) =>
  post<ClaimView>(`${paths.action(id)}/claim/release`, {}, newKey());
export const observe = (id: string, body: ObservationBody, key: string) =>
  post<object>(`${paths.action(id)}/observations`, body, key);
export const lookAgain = (id: string) => post<object>(`${paths.action(id)}/look`, {}, newKey());
export const getSheet = (id: string) => get<Sheet>(`${paths.action(id)}/sheet?format=json`);

/** A thing in another form than JSON, as text. */
export const getText = async (path: string): Promise<string> =>
  (await send(path, { headers: headersFor() })).text();
export const sheetPath = (id: string, format: 'md' | 'html' | 'json'): string =>
  `${paths.action(id)}/sheet?format=${format}`;

export const listDesk = (filter: Narrowing, cursor?: string) =>
  get<Part<DeskEntry>>(listPath('desk', filter, cursor));
export const summariseDesk = (filter: Narrowing) =>
  get<DeskSummary>(`${v1}/desk/summary?${query(filter)}`);

/** The whole list, page after page, as one table. */
export const deskCsv = async (filter: Narrowing): Promise<string> => {
  let [text, cursor]: [string, string | undefined] = ['', undefined];
  do {
    const path = listPath('desk', { ...filter, format: 'csv' }, cursor);
    const answer = await send(path, { headers: headersFor() });
    const page = await answer.text();
    // Every page begins with the heads of its columns.
    text += text === '' ? page : page.slice(page.indexOf('\n') + 1);
    cursor = answer.headers.get('reprise-next') ?? undefined;
  } while (cursor !== undefined);
  return text;
};

export const readConversation = (id: string, number: number) =>
  post<ConversationSummary['marks']>(`${paths.conversation(id)}/read`, { number }, newKey());

export const listRequests = (narrowing: Narrowing, cursor?: string) =>
  get<Part<InboxItem>>(listPath('requests', narrowing, cursor));
export const summariseInbox = () => get<InboxSummary>(`${v1}/inbox/summary`);
export const getRequest = (id: string) => get<RequestView>(paths.request(id));
export const answer = (id: string, body: AnswerBody, key: string) =>
  post<Answered>(`${paths.request(id)}/answer`, body, key);

export const listAgents = (cursor?: string) =>
  get<Page<AgentRevision>>(`${v1}/agents${from(cursor)}`);
export const listRevisions = (id: string, cursor?: string) =>
  get<Page<AgentRevision>>(`${paths.agent(id)}/revisions${from(cursor)}`);
export const reviseAgent = (id: string, body: object, key: string) =>
  post<{ revision: number }>(`${paths.agent(id)}/revisions`, body, key);
export const listTools = (cursor?: string) => get<Page<ToolVersion>>(`${v1}/tools${from(cursor)}`);
export const getToolVersion = (name: string, version: string) =>
  get<ToolVersion>(at('tools', name, 'versions', version));
export const getTool = (name: string) => get<ToolVersion>(paths.tool(name));

export const listSkills = (cursor?: string) =>
  get<Page<SkillVersion>>(`${v1}/skills${from(cursor)}`);
export const getSkillVersion = (name: string, version: string) =>
  get<SkillVersion>(at('skills', name, 'versions', version));
export const listGrants = (agentId: string) =>
  get<Page<GrantView>>(`${paths.agent(agentId)}/grants`);
export const revokeGrant = (agentId: string, requestId: string) =>
  post<object>(`${at('agents', agentId, 'grants', requestId)}/revoke`, {}, newKey());

const because = (path: string, reason: string) => post<object>(path, { reason }, newKey());
export const getBar = (tool: string) => get<BarView>(`${paths.tool(tool)}/bar`);
export const setBar = (tool: string, how: 'bar' | 'unbar', reason: string) =>
  because(`${paths.tool(tool)}/${how}`, reason);
export const listMandates = (agentId: string) =>
  get<Page<StandingView>>(`${paths.agent(agentId)}/mandates`);
export const setMandate = (
  agentId: string,
  tool: string,
  how: 'revoke' | 'restore',
  reason: string,
) => because(`${at('agents', agentId, 'tools', tool)}/${how}`, reason);
export const revokeApproval = (requestId: string, reason: string) =>
  post<ApprovalRevoked>(`${paths.request(requestId)}/revoke`, { reason }, newKey());
export const listAudit = (filter: Readonly<Record<string, string>>, cursor?: string) =>
  get<Part<AuditEntry>>(`${v1}/audit?${query({ ...filter, limit: '50' })}${after(cursor)}`);
export const registerTool = (body: object, key: string) =>
  post<{ name: string; version: number }>(`${v1}/tools`, body, key);
export const registerSkill = (body: object, key: string) =>
  post<{ name: string; version: number }>(`${v1}/skills`, body, key);
export const createAgent = (body: object, key: string) =>
  post<{ agentId: string }>(`${v1}/agents`, body, key);
export const newToolVersion = (name: string, body: object, key: string) =>
  post<{ version: number }>(`${paths.tool(name)}/versions`, body, key);
export const newSkillVersion = (name: string, body: object, key: string) =>
  post<{ version: number }>(`${at('skills', name)}/versions`, body, key);
export const getSkill = (name: string) => get<SkillVersion>(at('skills', name));

export const listRoutines = (cursor?: string) =>
  get<Page<RoutineView>>(`${v1}/routines?limit=100${after(cursor)}`);
export const getRoutine = (id: string) => get<RoutineView>(paths.routine(id));
export const createRoutine = (body: RoutineBody, key: string) =>
  post<{ routineId: string }>(`${v1}/routines`, body, key);
export const changeRoutine = (id: string, body: RoutineBody & { rev: number }, key: string) =>
  post<RoutineView>(paths.routine(id), body, key);
export const switchRoutine = (id: string, how: 'pause' | 'resume' | 'run') =>
  post<object>(`${paths.routine(id)}/${how}`, {}, newKey());
export const deleteRoutine = (id: string) => remove<object>(paths.routine(id));
export const listOccurrences = (id: string, cursor?: string) =>
  get<Page<OccurrenceView>>(`${paths.routine(id)}/occurrences?limit=100${after(cursor)}`);
export const retryOccurrence = (id: string, occurrenceId: string) =>
  post<object>(`${at('routines', id, 'occurrences', occurrenceId)}/retry`, {}, newKey());
export const previewSchedule = (body: PreviewBody) =>
  post<Preview>(`${v1}/routines/preview`, body, newKey());
