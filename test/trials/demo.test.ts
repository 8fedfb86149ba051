// The trials without a tool named: the real command on the demo's own destinations.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Report, reportSchema } from '../../cli/trials/report/report.ts';
import { Verification } from '../../functions/core/registry/contract.ts';
import { reprise } from '../cli/command-line.ts';
import { mustBe, partOf, verdictsOf } from './parts.ts';

const limitMs = 600_000;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reprise-trials-demo-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.concurrent('The demo', () => {
  test(
    'its CRM passes all seven; its mail service is undetermined where it must be',
    async () => {
      const out = join(dir, 'demo');
      const ran = await reprise(['trials', '--quick', '--out', out]);
      expect(ran.err).toContain('report.html');
      expect(ran.code, ran.err).toBe(0);
      const raw = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
        reportSchema(),
      );
      expect(validate(raw), JSON.stringify(validate.errors)).toBe(true);
      const { tools } = Report.parse(raw);
      const crm = mustBe(tools.find(({ tool }) => tool === 'crm_create_opportunity'));
      expect(new Set(Object.values(verdictsOf(crm)))).toEqual(new Set(['pass']));
      expect(crm.trials).toHaveLength(7);
      expect(partOf(crm, 'lost')?.exhibit).toMatchObject({
        effect: 'confirmed',
        attempts: 1,
        objects: { count: 1, tool: 'crm_find_opportunity_by_reference' },
        proxy: { forwarded: 1, delivered: 0 },
      });
      expect(crm.verification).toMatchObject({ by: 'reprise trials' });
      // What goes into the contract carries the report in short: the checks, then the seven trials.
      expect(Verification.parse(crm.verification).trials).toHaveLength(8);
      const mail = mustBe(tools.find(({ tool }) => tool === 'mail_send'));
      for (const id of ['dropped', 'lost', 'restart'])
        expect(partOf(mail, id), id).toMatchObject({
          verdict: 'pass',
          exhibit: { effect: 'undetermined', attempts: 1 },
        });
      expect(verdictsOf(mail).retention_exceeded).toBe('does_not_apply');
      const html = await readFile(join(out, 'report.html'), 'utf8');
      expect(html).toContain(partOf(crm, 'lost')?.exhibit?.actionId);
      expect(html).not.toMatch(/<script|https?:\/\/[^ <]*\.(js|css)/);
      expect(await readFile(join(out, 'report.md'), 'utf8')).toContain('crm_create_opportunity');
    },
    limitMs,
  );

  test(
    'its calendar, over MCP and without keys, leaves lost replies to a person',
    async () => {
      const ran = await reprise([
        'trials',
        '--json',
        '--demo',
        'calendar_create_event',
        '--lang',
        'fr',
        '--only',
        'cut_before_transmission',
        '--only',
        'reply_lost',
      ]);
      expect(ran.code, ran.err).toBe(0);
      const { tools, language } = Report.parse(JSON.parse(ran.out));
      const calendar = mustBe(tools[0]);
      expect(language).toBe('fr');
      expect(partOf(calendar, 'refused')).toMatchObject({
        verdict: 'pass',
        exhibit: { effect: 'confirmed' },
      });
      expect(partOf(calendar, 'lost')).toMatchObject({
        verdict: 'pass',
        exhibit: { effect: 'undetermined', objects: { count: 1 }, proxy: { forwarded: 1 } },
      });
    },
    limitMs,
  );
});
