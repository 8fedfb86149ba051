// Every kind of thing can be copied as link, JSON, Markdown and curl: the link leads to a screen of the page, the call is an
// operation of the API that names $TOKEN and never a token, and the texts of others stay texts.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiRoutes } from '../../../functions/api/app.ts';
import type { Caller } from '../../../functions/api/identity/identity.ts';
import { faultView } from '../../../functions/api/schemas/fault-views.ts';
import { AuditEntry } from '../../../functions/api/schemas/people.ts';
import { claimView, conversationView, runView } from '../../../functions/api/schemas/views.ts';
import { SkillVersion } from '../../../functions/core/answers/skill.ts';
import { WorkspaceId } from '../../../functions/core/base/ids.ts';
import { itemSchemas } from '../../../functions/core/records/change.ts';
import { AgentRevision } from '../../../functions/core/registry/agent.ts';
import { ToolVersion } from '../../../functions/core/registry/tool.ts';
import { session } from '../../../web/base/session.ts';
import { forms } from '../../../web/copying/thing-forms.ts';
import type { Kind, Thing, Things } from '../../../web/copying/thing-kinds.ts';
import { formsOf } from '../../../web/copying/things.ts';
import { routes } from '../../../web/screens.tsx';
import { languages } from '../rig/person.ts';

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../golden/${name}.1.json`, import.meta.url), 'utf8'));

const marks = { needsYou: 0, newRequests: false, finished: true, finishedWhileAway: false };
const run = itemSchemas.run.parse(golden('run'));
const action = itemSchemas.action.parse(golden('action'));
const faultMark = itemSchemas['fault-mark'].parse(golden('fault-mark'));
const revision = AgentRevision.parse(golden('agent'));
const step = itemSchemas.step.parse(golden('step'));
const message = itemSchemas.message.parse(golden('message'));
const noTraces = { run: () => undefined, recovery: () => undefined };
const hostile = "it's [a](x) `b`\n## c";

const ana: Caller = {
  workspace: WorkspaceId.parse('acme'),
  author: faultMark.by,
  roles: ['member'],
  expiresAtMs: undefined,
};

/** One of each kind, from what the store really holds. */
const samples: Things = {
  conversation: conversationView(
    itemSchemas.conversation.parse(golden('conversation')),
    run,
    marks,
  ),
  message: { ...message, text: hostile },
  run: {
    run: runView(run, revision, noTraces),
    steps: [step],
    actions: new Map([[action.actionId, action]]),
    requests: new Map(),
    messages: [message],
    faults: [],
  },
  step,
  faultMark: faultView(ana, faultMark),
  action,
  request: itemSchemas.request.parse(golden('request')),
  attempt: itemSchemas.attempt.parse(golden('attempt')),
  observation: itemSchemas.observation.parse(golden('observation')),
  decision: itemSchemas.decision.parse(golden('decision')),
  claim: claimView(itemSchemas.claim.parse(golden('claim'))),
  sheet: action,
  agent: revision,
  revision,
  tool: ToolVersion.parse(golden('tool')),
  skill: SkillVersion.parse(golden('skill')),
  routine: {
    ...itemSchemas.routine.parse(golden('routine')),
    rev: 1,
    scheduled: true,
  },
  occurrence: { ...itemSchemas.occurrence.parse(golden('occurrence')), retryable: false },
  audit: AuditEntry.parse({
    id: 'tool/write/1',
    at: '2027-01-01T00:00:00.000Z',
    by: { kind: 'person', subject: 'ana', name: 'Ana' },
    kind: 'bar',
    decision: 'barred',
    reason: 'It doubles.',
    tool: 'write',
  }),
};

const thingOf = <K extends Kind>(kind: K): Thing => ({ kind, of: samples[kind] }) as Thing;
const kinds = Object.keys(forms) as readonly Kind[];
const origin = 'https://reprise.test';
const token = 'header.payload.signature';

beforeEach(() => {
  vi.stubGlobal('location', { origin, pathname: '/', hash: '' });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('fetch', async (path: string) =>
    path.includes('format=md') ? new Response('---\nsheet: 1\n---\n') : Response.json({ sheet: 1 }),
  );
  session.set({ phase: 'in', token, kind: 'given', why: undefined });
});
afterEach(() => {
  session.set({ phase: 'out', token: undefined, kind: 'given', why: undefined });
  vi.unstubAllGlobals();
});

const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{[^}]+\}|:[a-z]+/g, '[^/]+')}$`).test(path);

test('there is a sample of each kind, and no kind without forms', () => {
  expect(Object.keys(samples).toSorted()).toEqual(kinds.toSorted());
});

for (const { words } of languages)
  describe.each(kinds)(`%s (${words.language})`, (kind) => {
    test('its link leads to a screen of the page', () => {
      const { link } = formsOf(thingOf(kind), words);
      expect(link.startsWith(`${origin}/#/`)).toBe(true);
      const place = link.slice(`${origin}/#`.length).split('?')[0] ?? '';
      expect(routes.filter(([pattern]) => fits(pattern, place)).length, place).toBeGreaterThan(0);
    });

    test('its call is one that the API answers, with $TOKEN and no token', () => {
      const { curl } = formsOf(thingOf(kind), words);
      const [, address = ''] =
        /^curl -sS '([^']+)' -H "Authorization: Bearer \$TOKEN"/.exec(curl) ?? [];
      expect(curl).not.toContain(token);
      const { pathname } = new URL(address);
      const answering = apiRoutes.filter(
        ({ described }) => described.method === 'get' && fits(described.path, pathname),
      );
      expect(answering.length, pathname).toBeGreaterThan(0);
    });

    test('its JSON is JSON, and its Markdown says something and holds no token', async () => {
      const { json, markdown } = formsOf(thingOf(kind), words);
      expect(JSON.parse(await json())).toBeTypeOf('object');
      const said = await markdown();
      expect(said.length).toBeGreaterThan(10);
      expect(`${said}${await json()}`).not.toContain(token);
      expect(said).not.toMatch(/undefined|\[object/);
    });
  });

test('somebody’s text is quoted in Markdown, line by line, and a quote ends no word of the shell', async () => {
  const [english] = languages;
  const said = await formsOf(thingOf('message'), english.words).markdown();
  expect(said.split('\n').filter((line) => line.startsWith('## '))).toEqual([]);
  const odd: Thing = {
    kind: 'audit',
    of: { ...samples.audit, id: "tool/x'; rm -rf ~; '" },
  };
  expect(formsOf(odd, english.words).curl).toContain(`tool/x'\\''; rm -rf ~; '\\''`);
});
