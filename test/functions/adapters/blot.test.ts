// A secret that a destination sends back is kept nowhere, however it writes it: JSON, URLs, HTML and base64 each have ways of their
// own, and another library's are not ours (L18).
import { afterEach, describe, expect, it } from 'vitest';
import { blotJson, blotOf } from '../../../functions/adapters/secrets/blot.ts';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import {
  canary,
  closeDestinations,
  httpDestination,
  registered,
  sendOf,
  testCarrier,
} from './destination.ts';
import { closeMcpServers, mcpServer } from './mcp-server.ts';

afterEach(async () => {
  await closeDestinations();
  await closeMcpServers();
});

const secret = 'Zq9/xY+w=7&k<L"m\\n0é €𝄞';
const blot = blotOf(new Map([['k', secret]]));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const everyUnit = (write: (code: number) => string) =>
  secret
    .split('')
    .map((_, at) => write(secret.charCodeAt(at)))
    .join('');
const byUnits = everyUnit((code) => `\\u${code.toString(16).padStart(4, '0')}`);
const inJson = JSON.stringify(secret).slice(1, -1);
const inUrl = encodeURIComponent(secret);
const inHtml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

describe('a secret is seen', () => {
  it.each([
    ['as it is', secret],
    ['in JSON', inJson],
    ['in JSON with slashes escaped', inJson.replaceAll('/', '\\/')],
    ['in JSON with every character escaped', byUnits],
    ['in JSON with escapes in capitals', byUnits.replaceAll(/[a-f]/g, (x) => x.toUpperCase())],
    ['in JSON within JSON', JSON.stringify(inJson).slice(1, -1)],
    ['in a URL', inUrl],
    ['in a URL in small letters', inUrl.replaceAll(/%../g, (x) => x.toLowerCase())],
    ['in a URL within a URL', encodeURIComponent(inUrl)],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in HTML', inHtml],
    ['in HTML by numbers', inHtml.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
    ['in HTML twice over', inHtml.replaceAll('&', '&amp;')],
  ])('%s', (_form, text) => {
    expect(blot(`before ${text} after`)).toBe('before [secret:k] after');
  });

  it.each(['', 'B', 'Be', 'Bearer ', 'user:'])('in base64 after "%s"', (before) => {
    for (const text of [
      base64(before + secret),
      Buffer.from(before + secret).toString('base64url'),
      base64(before + secret).replaceAll('/', '\\/'),
    ]) {
      const clean = blot(text);
      expect(clean).toContain('[secret:k]');
      // What is left besides stands for no whole character of it.
      const [left = '', right = ''] = clean.split('[secret:k]');
      expect(left.length).toBeLessThanOrEqual(Math.ceil((before.length * 4) / 3) + 1);
      expect(right.replaceAll('=', '').length).toBeLessThanOrEqual(1);
    }
  });

  it('in the names, texts and numbers of JSON, which stays JSON', () => {
    const digits = blotOf(new Map([['pin', '48291055']]));
    const given = { a: [{ x48291055: 'y' }, 48_291_055, 1, null, true], b: 'my 48291055' };
    expect(blotJson(given, digits)).toEqual({
      a: [{ 'x[secret:pin]': 'y' }, '[secret:pin]', 1, null, true],
      b: 'my [secret:pin]',
    });
  });

  it('and nothing else is changed, however long and odd the text is', () => {
    for (const text of ['\\'.repeat(200_000), '&amp;'.repeat(50_000), secret.slice(0, -1)])
      expect(blot(text)).toBe(text);
    expect(blotOf(new Map([['short', 'abc']]))('abc')).toBe('abc');
  });
});

const post = (url: string) =>
  registered({
    kind: 'http',
    method: 'POST',
    url,
    headers: { authorization: 'Bearer {{secret:crm/key}}' },
  });

const traces = [canary, 'canary', 'not"to', 'y2FuYXJ5', 'Y2FuYXJ5', 'jYW5hcn'];
const withoutTrace = (report: ToolReport): void => {
  const all = JSON.stringify(report);
  for (const trace of traces) expect(all).not.toContain(trace);
};

describe('a destination that sends a secret back', () => {
  it.each([
    [
      'as PHP writes JSON',
      { 'content-type': 'application/json' },
      JSON.stringify({ is: canary }).replaceAll('/', '\\/'),
    ],
    ['as a page', { 'content-type': 'text/html' }, `<p>${canary.replaceAll('"', '&quot;')}</p>`],
    ['as a name', { 'content-type': 'application/json' }, JSON.stringify({ [canary]: 1 })],
    ['in base64', {}, JSON.stringify({ header: base64(`Bearer ${canary}`) })],
    ['in bytes', {}, Buffer.concat([Buffer.from([255, 254]), Buffer.from(canary)])],
    ['in the type of bytes', { 'content-type': `x/y; a=${canary}` }, Buffer.from([255, 254])],
    ['in its encoding', { 'content-encoding': canary }, 'x'],
    ['in a header', { etag: encodeURIComponent(canary).toLowerCase() }, 'x'],
  ])('%s leaves no trace in the report (L18)', async (_how, headers, body) => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(500, headers);
      response.end(body);
    });
    withoutTrace(await testCarrier().send(sendOf(post(crm.url))));
    expect(crm.seen).toHaveLength(1);
  });

  it('by MCP, in a state that must go back as it came, is told so, and the state is not kept (L18)', async () => {
    const server = await mcpServer({
      fault: (method, response, id) => {
        if (method !== 'tools/call') return false;
        const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } } };
        const params = { mode: 'form', message: 'Sure?', requestedSchema };
        const result = {
          resultType: 'input_required',
          requestState: `of ${canary}`,
          inputRequests: { confirm: { method: 'elicitation/create', params } },
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        return true;
      },
    });
    const headers = { authorization: 'Bearer {{secret:crm/key}}' };
    const tool = registered({ kind: 'mcp', url: server.url, tool: 'ask', headers });
    const report = await testCarrier().send(sendOf(tool, { city: 'Köln' }));
    withoutTrace(report);
    expect(report).toEqual({
      kind: 'input_required',
      inputRequests: 'The state that came with the question held a secret and was not kept.',
      requestState: undefined,
    });
  });
});
