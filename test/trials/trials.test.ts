// The seven interruption trials as an engineer runs them: the real command, on the demo's tools and on a destination that
// was not made for this, honest and lying.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Report, reportSchema, type ToolReport } from '../../cli/trials/report.ts';
import { reprise } from '../cli/command-line.ts';
import { openStore, type StoreHabits, storeKey, storeLookUp, toolFile } from './store.ts';

const limitMs = 300_000;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reprise-trials-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const verdictsOf = ({ trials }: ToolReport) =>
  Object.fromEntries(trials.map(({ id, verdict }) => [id, verdict]));
const partOf = (tool: ToolReport, id: string) =>
  [...tool.checks, ...tool.trials.flatMap(({ parts }) => parts)].find((part) => part.id === id);

/** Puts the store through the trials; what it did is judged by its own list. */
const tryStore = async (
  habits: StoreHabits,
  contract: Readonly<Record<string, unknown>> = {},
  args: readonly string[] = [],
) => {
  const store = await openStore(habits);
  try {
    const file = join(dir, `${crypto.randomUUID()}.json`);
    await writeFile(file, JSON.stringify(toolFile(store.url, contract)));
    const ran = await reprise(
      [
        'trials',
        '--json',
        '--tool',
        file,
        '--environment',
        'sandbox',
        '--secret-env',
        'store-token=T',
        ...args,
      ],
      { env: { T: 's3cret-of-the-store' } },
    );
    const report = ran.out === '' ? undefined : Report.safeParse(JSON.parse(ran.out)).data;
    return { ...ran, report, tool: report?.tools[0], objects: store.objects() };
  } finally {
    await store.close();
  }
};

const mustBe = (tool: ToolReport | undefined): ToolReport => {
  if (tool === undefined) throw new Error('The command reported no tool.');
  return tool;
};

describe.concurrent('The demo', () => {
  test(
    'its CRM passes all seven; its mail service is undetermined where it must be',
    async () => {
      const out = join(dir, 'demo');
      const ran = await reprise(['trials', '--out', out]);
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
      const mail = mustBe(tools.find(({ tool }) => tool === 'mail_send'));
      for (const id of ['dropped', 'lost', 'restart'])
        expect(partOf(mail, id), id).toMatchObject({
          verdict: 'pass',
          exhibit: { effect: 'undetermined', attempts: 1 },
        });
      expect(verdictsOf(mail).retention_exceeded).toBe('undecidable');
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

describe.concurrent('A destination that was not made for this', () => {
  test(
    'passes all seven when it does what its contract says, and nothing is there twice',
    async () => {
      const { tool, code, err, objects, out } = await tryStore({});
      expect(code, err).toBe(0);
      expect(new Set(Object.values(verdictsOf(mustBe(tool))))).toEqual(new Set(['pass']));
      const references = objects.map(({ reference }) => reference);
      expect(new Set(references).size).toBe(references.length);
      expect(out).not.toContain('s3cret-of-the-store');
    },
    limitMs,
  );

  test(
    'with a key and no look-up, is repeated under the same key, counted by an exhibit',
    async () => {
      const exhibit = join(dir, 'exhibit.json');
      await writeFile(
        exhibit,
        JSON.stringify({
          tool: 'find_things',
          arguments: { reference: '$reference' },
          hits: 'things',
        }),
      );
      const { tool, code, err } = await tryStore({}, { lookUp: undefined }, [
        '--exhibit',
        exhibit,
        '--only',
        'reply_lost',
        '--only',
        'retention_exceeded',
      ]);
      expect(code, err).toBe(0);
      expect(partOf(mustBe(tool), 'lost')).toMatchObject({
        verdict: 'pass',
        exhibit: {
          effect: 'confirmed',
          objects: { by: 'exhibit', count: 1 },
          proxy: { forwarded: 2 },
        },
      });
      expect(verdictsOf(mustBe(tool)).retention_exceeded).toBe('pass');
    },
    limitMs,
  );

  test(
    'fails when it ignores the key that its contract promises',
    async () => {
      const { tool, code } = await tryStore({ keys: 'ignored' }, {}, ['--only', 'content_changed']);
      expect(code).toBe(1);
      expect(partOf(mustBe(tool), 'key_honoured')).toMatchObject({
        verdict: 'fail',
        because: [expect.stringContaining('The key is ignored')],
      });
    },
    limitMs,
  );

  test(
    'fails when its look-up never finds what was made',
    async () => {
      const { tool, code, objects } = await tryStore({ search: 'never', keys: 'ignored' }, {}, [
        '--only',
        'reply_lost',
      ]);
      expect(code).toBe(1);
      expect(partOf(mustBe(tool), 'look_up_finds')?.because.join(' ')).toContain('does not find');
      expect(partOf(mustBe(tool), 'lost')).toMatchObject({ verdict: 'fail' });
      const lost = objects.filter(({ name }) => name.includes('lost'));
      expect(partOf(mustBe(tool), 'lost')?.exhibit?.proxy.forwarded).toBe(lost.length);
    },
    limitMs,
  );

  test(
    'fails when its look-up lags beyond the declared settle time',
    async () => {
      const { tool, code } = await tryStore({ search: { lagMs: 4_000 } }, {}, [
        '--only',
        'reply_lost',
      ]);
      expect(code).toBe(1);
      expect(partOf(mustBe(tool), 'look_up_finds')?.because.join(' ')).toContain('300 ms suffice');
    },
    limitMs,
  );

  test(
    'fails when a real success does not look as declared, and when the look-up covers another account',
    async () => {
      const { tool, code } = await tryStore(
        {},
        {
          success: [{ reply: { status: [200] } }],
          lookUp: { ...storeLookUp, coverage: { ...storeLookUp.coverage, account: 'acc-2' } },
          key: storeKey,
        },
        ['--only', 'content_changed'],
      );
      expect(code).toBe(1);
      expect(partOf(mustBe(tool), 'success')?.because.join(' ')).toContain('answered 201');
      expect(partOf(mustBe(tool), 'same_system')?.verdict).toBe('fail');
    },
    limitMs,
  );
});

describe.concurrent('Nothing is sent', () => {
  test.each(['production', 'prod', 'PROD-eu', 'live'])('to the environment %s', async (name) => {
    const { code, err, objects } = await tryStore({}, {}, ['--environment', name]);
    expect(code).toBe(2);
    expect(err).toContain('no test environment');
    expect(objects).toEqual([]);
  });

  test('when the contract is about another environment than the one named', async () => {
    const { code, err, objects } = await tryStore({}, {}, ['--environment', 'staging']);
    expect({ code, objects }).toEqual({ code: 2, objects: [] });
    expect(err).toContain('"sandbox"');
  });

  test('when the value of a secret is missing', async () => {
    const store = await openStore();
    try {
      const file = join(dir, 'no-secret.json');
      await writeFile(file, JSON.stringify(toolFile(store.url)));
      const { code, err } = await reprise(['trials', '--tool', file, '--environment', 'sandbox']);
      expect(code).toBe(2);
      expect(err).toContain('store-token');
      expect(store.objects()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  test('when the contract contradicts itself', async () => {
    const { code, err, objects } = await tryStore({}, { key: { kind: 'none' } });
    expect({ code, objects }).toEqual({ code: 1, objects: [] });
    expect(err).toContain('contract.lookUp.by');
  });
});
