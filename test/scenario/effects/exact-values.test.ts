// Values from the model's wire to the destination's own record, and from the destination's wire to everybody who reads: the same
// decimals, or refused in words. Judged by what the destination got and by what each reader is shown. Laws: L6, L16.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Step } from '../../../functions/core/records/step.ts';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { closeDestinations, httpDestination } from '../../functions/adapters/destination.ts';
import { events, openAiChunk, openAiEnd, provider } from '../../functions/adapters/provider.ts';
import { approve, egressTo, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';

const long = '12345678901234567890';
let rig: Rig;
let tickets: Awaited<ReturnType<typeof httpDestination>>;
let replying = '{}';
/** The reply is lost on the way. */
let cutting = false;

const ticket = (
  name: string,
  contract: Partial<ToolRegistrationInput['contract']> = {},
): ToolRegistrationInput => ({
  name,
  description: 'Opens a ticket.',
  arguments: { type: 'object' },
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${tickets.url}/${name}`,
    body: { as: 'arguments' },
  },
  contract: {
    effect: 'write',
    destination: { provider: 'tickets', account: 'me', environment: 'test', apiVersion: '1' },
    success: [
      { reply: { status: [200], fields: [{ path: 'id', exists: true }] }, reference: 'id' },
    ],
    timeoutMs: 1_000,
    ...contract,
  },
});

beforeAll(async () => {
  tickets = await httpDestination((_seen, response) => {
    if (cutting) response.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(replying);
  });
  rig = await openRig({ twin: { environment: egressTo(tickets.port) } });
  await rig.client.registerTool(ticket('ticket_open'));
  await rig.client.registerTool(ticket('ticket_read', { effect: 'read' }));
  await rig.client.registerTool(ticket('ticket_ask', { policy: { approval: { when: 'always' } } }));
});
afterEach(() => {
  replying = '{}';
  cutting = false;
  tickets.seen.length = 0;
});
afterAll(async () => {
  await rig.close();
  await closeDestinations();
});

/** A real provider's stream in which one call's arguments stand as they are given. */
const modelThatCalls = async (name: string, ...given: readonly string[]) => {
  const called = (text: string) =>
    events([
      openAiChunk({
        role: 'assistant',
        tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: '' } }],
      }),
      ...(text.match(/[\s\S]{1,7}/g) ?? []).map((piece) =>
        openAiChunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
      ),
      ...openAiEnd('tool_calls'),
    ]);
  const said = events([openAiChunk({ role: 'assistant', content: 'Over.' }), ...openAiEnd('stop')]);
  const server = await provider(...given.map(called), said);
  return {
    provider: 'openai-compatible' as const,
    model: 'small',
    baseUrl: `${server.url}/v1`,
  };
};

const run = async (name: string, ...given: readonly string[]) => {
  const model = await modelThatCalls(name, ...given);
  const { runId } = await talk(rig.client, await rig.agent(model, { tools: [name] }), 'Go');
  expect((await finished(rig.client, runId)).state.reason).toBe('done');
  return { steps: await rig.client.steps(runId), actions: await rig.client.actions(runId) };
};
/** What the model was told of the first call, where it became no action. */
const toldIn = (steps: readonly Step[]): string => {
  const call = steps[0]?.calls[0];
  return call?.kind === 'fixed' ? call.told.text : '';
};

describe('arguments', () => {
  test.each([
    ['{"id":1234567890123456789}', '1234567890123456789'],
    ['{"of":{"ids":[1,9007199254740993]}}', '9007199254740993'],
    ['{"id":1e400}', '1e400'],
    ['{"id":0.12345678901234567890}', '0.12345678901234567890'],
  ])('L6 %s is refused with a word to the model, and nothing is sent', async (given, number) => {
    const { steps, actions } = await run('ticket_open', given);
    expect(actions).toEqual([]);
    expect(tickets.seen).toEqual([]);
    expect(toldIn(steps)).toContain(`is the number ${number}, which would become another number`);
    expect(toldIn(steps)).toContain('Give it as text');
  });

  test('L6 half a character is refused with a word to the model, and nothing is sent', async () => {
    const { steps } = await run('ticket_open', String.raw`{"name":"cut \ud83d"}`);
    expect(tickets.seen).toEqual([]);
    expect(toldIn(steps)).toContain('holds half a character');
  });

  test('L6 an id of nineteen digits as text, and numbers in another form, are sent as they were approved', async () => {
    replying = `{"id":${long}}`;
    const model = await modelThatCalls(
      'ticket_ask',
      '{"id":"1234567890123456789","n":[1.0,1e2,0.1,-0,9007199254740992]}',
    );
    const agent = await rig.agent(model, { tools: ['ticket_ask'] });
    const { runId } = await talk(rig.client, agent, 'Go');
    const [asked] = await waitingOn(rig.client, runId, 'approval');
    await approve(rig.client, asked?.requestId ?? '');
    await finished(rig.client, runId);
    expect(tickets.seen.map(({ body }) => body)).toEqual([
      '{"id":"1234567890123456789","n":[1,100,0.1,0,9007199254740992]}',
    ]);
  });

  test('L6 a message that is written out as a call is read as exactly', async () => {
    const agent = await rig.agent('demo', { tools: ['ticket_open'] });
    const text = 'call ticket_open {"id":1234567890123456789}';
    const { runId } = await talk(rig.client, agent, text);
    await finished(rig.client, runId);
    expect(tickets.seen).toEqual([]);
    expect(toldIn(await rig.client.steps(runId))).toContain('the number 1234567890123456789');
  });
});

const getText = async (path: string, accept: string): Promise<string> => {
  const response = await fetch(`${rig.client.url}${path}`, {
    headers: { authorization: `Bearer ${rig.client.token}`, accept },
  });
  expect(response.status).toBe(200);
  return response.text();
};

describe('a reply', () => {
  test('L6 keeps its numbers in the evidence, the result, the reference and every form of the sheet', async () => {
    replying = `{"id":${long},"amount":1e400,"rate":0.12345678901234567890,"n":1.50}`;
    const { actions } = await run('ticket_open', '{"id":1}');
    const [action] = actions;
    expect(action?.effect).toBe('confirmed');
    for (const number of [`"${long}"`, '"1e400"', '"0.12345678901234567890"', '1.5'])
      expect(action?.told?.text).toContain(number);
    const { journal } = await rig.client.action(action?.actionId ?? '');
    expect(journal.observations.map(({ reference }) => reference)).toContain(long);
    const sheet = `/v1/actions/${action?.actionId}/sheet`;
    for (const accept of ['application/json', 'text/markdown', 'text/html', 'text/csv'])
      expect(await getText(sheet, accept)).toContain(long);
  });

  test('L6 keeps the text of half a character', async () => {
    replying = String.raw`{"id":"cut \ud83d"}`;
    const { actions } = await run('ticket_open', '{"id":1}');
    const { journal } = await rig.client.action(actions[0]?.actionId ?? '');
    expect(journal.observations.map(({ reference }) => reference)).toContain(
      String.raw`cut \ud83d`,
    );
  });
});

const decimalOf = (text: string): string | undefined => {
  const [all, sign, whole = '', part = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/.exec(text) ?? [];
  if (all === undefined) return undefined;
  const digits = String(BigInt(whole + part));
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return 'decimal 0';
  return `decimal ${sign}${bare}e${Number(power) - part.length + digits.length - bare.length}`;
};

/** Any JSON as the decimals that stand in it, as numbers or as texts, and half a character as its escape; by digits alone. */
const decimalsIn = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === 'number') return decimalOf(context?.source ?? '');
    if (typeof value !== 'string') return value;
    const escaped = (half: string) => `\\u${half.charCodeAt(0).toString(16)}`;
    return decimalOf(value) ?? value.replace(/\p{Surrogate}/gu, escaped);
  });

const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constantFrom('0', long),
      fc.nat().map(String),
      fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String),
    ),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,22}$/)),
    fc.oneof(fc.constant(''), fc.constantFrom('e400', 'E-400', 'e2', 'e-0', 'E+21')),
  )
  .map((parts) => parts.join(''));
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\ud83d\\ude00"', '"\\ud83d"', '"1e400"', '"{{args.x}}"', '"</script>\\u2028"'),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(numbers, texts, fc.constantFrom('true', 'null', `${'['.repeat(40)}${']'.repeat(40)}`)),
    fc.array(tie('tree'), { maxLength: 3 }).map((parts) => `[${parts.join(', ')}]`),
    fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), tie('tree'), { maxKeys: 3 }).map(
      (of) =>
        `{${Object.entries(of)
          .map(([name, one]) => `${JSON.stringify(name)}:${one}`)
          .join(',')}}`,
    ),
  ),
}));

test('L6 any JSON goes the whole way with its decimals, or is refused', {
  timeout: 120_000,
}, async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(tree, async (of) => {
      tickets.seen.length = 0;
      replying = `{"id":1,"of":${of}}`;
      const given = `{"of":${of}}`;
      const { steps, actions } = await run('ticket_read', given, '{"of":1}');
      const bodies = tickets.seen.map(({ body }) => body);
      const told = toldIn(steps);
      if (actions.length === 2) {
        sent += 1;
        expect(decimalsIn(bodies[0] ?? '')).toEqual(decimalsIn(given));
      } else {
        expect(bodies).toEqual(['{"of":1}']);
        expect(told).toMatch(
          /would become another number|half a character|nested deeper|is not taken/,
        );
      }
      // What the agent is told of the reply: the same decimals, or the text of what no number here can hold.
      const result = actions.at(-1)?.told?.text ?? '';
      expect(decimalsIn(result.slice(result.indexOf('{')))).toEqual(decimalsIn(replying));
    }),
    { numRuns: 40 },
  );
  expect(sent).toBeGreaterThan(0);
});
