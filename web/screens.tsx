// Which screen an address names, and the places of the navigation. Screens beyond the conversations are loaded when they
// are first opened.
import { type ComponentType, lazy } from 'react';
import type { IconName } from './parts/icon.tsx';
import { patiently } from './parts/late.tsx';
import { ConversationsScreen } from './thread/conversations-screen.tsx';
import type { Words } from './words/index.tsx';

const later = (read: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await patiently(read, true) }));

const Inbox = later(async () => (await import('./requests/inbox-screen.tsx')).InboxScreen);
const RequestPage = later(async () => (await import('./requests/inbox-screen.tsx')).RequestScreen);
const Desk = later(async () => (await import('./desk/desk-screen.tsx')).DeskScreen);
const ActionPage = later(async () => (await import('./run/action-screen.tsx')).ActionScreen);
const Run = later(async () => (await import('./run/run-screen.tsx')).RunScreen);
const Agents = later(async () => (await import('./agents/agents-screen.tsx')).AgentsScreen);
const Agent = later(async () => (await import('./agents/agent-screen.tsx')).AgentScreen);
const Tools = later(async () => (await import('./agents/tools-screen.tsx')).ToolsScreen);
const Tool = later(async () => (await import('./agents/tool-screen.tsx')).ToolScreen);
const Skills = later(async () => (await import('./agents/skills-screen.tsx')).SkillsScreen);
const SkillPage = later(async () => (await import('./agents/skills-screen.tsx')).SkillScreen);
const Routines = later(async () => (await import('./routines/routines-screen.tsx')).RoutinesScreen);
const NewRoutine = later(
  async () => (await import('./routines/routine-form.tsx')).NewRoutineScreen,
);
const RoutinePage = later(
  async () => (await import('./routines/routine-screen.tsx')).RoutineScreen,
);
const Audit = later(async () => (await import('./audit/audit-screen.tsx')).AuditScreen);
const Overview = later(async () => (await import('./overview/overview-screen.tsx')).OverviewScreen);
const Trace = later(async () => (await import('./trace/trace-screen.tsx')).TraceScreen);
/** No address of the page. */
export const Nowhere = later(async () => (await import('./nowhere-screen.tsx')).NowhereScreen);
const Settings = later(async () => (await import('./settings-screen.tsx')).SettingsScreen);

export interface Place {
  readonly name: keyof Words['nav'];
  readonly href: string;
  readonly icon: IconName;
  /** Addresses that belong to it. */
  readonly holds: RegExp;
}

export const places: readonly Place[] = [
  { name: 'conversations', href: '/', icon: 'talk', holds: /^\/($|c\/|new|run\/|trace\/)/ },
  { name: 'inbox', href: '/inbox', icon: 'inbox', holds: /^\/(inbox|request\/)/ },
  { name: 'desk', href: '/desk', icon: 'desk', holds: /^\/(desk|action\/)/ },
  { name: 'routines', href: '/routines', icon: 'routine', holds: /^\/routines/ },
  { name: 'agents', href: '/agents', icon: 'agent', holds: /^\/agents/ },
  { name: 'tools', href: '/tools', icon: 'tool', holds: /^\/tools/ },
  { name: 'skills', href: '/skills', icon: 'skill', holds: /^\/skills/ },
  { name: 'overview', href: '/overview', icon: 'chart', holds: /^\/overview/ },
  { name: 'audit', href: '/audit', icon: 'audit', holds: /^\/audit/ },
  { name: 'settings', href: '/settings', icon: 'gear', holds: /^\/settings/ },
];

export const routes: readonly (readonly [string, ComponentType])[] = [
  ['/c/:id', ConversationsScreen],
  ['/run/:id', Run],
  ['/trace/:execution', Trace],
  ['/inbox', Inbox],
  ['/request/:id', RequestPage],
  ['/desk', Desk],
  ['/action/:id', ActionPage],
  ['/routines', Routines],
  ['/routines/new', NewRoutine],
  ['/routines/:id', RoutinePage],
  ['/agents', Agents],
  ['/agents/:id', Agent],
  ['/tools', Tools],
  ['/tools/:name', Tool],
  ['/tools/:name/:version', Tool],
  ['/skills', Skills],
  ['/skills/:name', SkillPage],
  ['/skills/:name/:version', SkillPage],
  ['/overview', Overview],
  ['/audit', Audit],
  ['/settings', Settings],
];
