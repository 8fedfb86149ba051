// Where calls may go: by name, by address, and only to the address that was checked.
import { afterEach, describe, expect, it } from 'vitest';
import { egressFrom, egressRulesFrom } from '../../../functions/adapters/tools/egress.ts';
import { frenchOf } from '../../../functions/core/french/said.ts';
import {
  closeDestinations,
  httpDestination,
  registered,
  sendOf,
  testCarrier,
} from './destination.ts';

afterEach(closeDestinations);

const reaches = (address: string, allowPrivate: string[] = [], url = 'https://crm.example/') =>
  egressFrom({ hosts: ['crm.example'], allowPrivate }, async () => [{ address }]).addressesOf(
    new URL(url),
  );

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fec0::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
  ])('%s is not public', async (address) => {
    await expect(reaches(address)).rejects.toMatchObject({
      name: 'EgressRefused',
      message: expect.stringMatching(/not public|no address/),
    });
  });

  it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    '%s is public',
    async (address) => {
      expect(await reaches(address)).toEqual([{ address, family: address.includes(':') ? 6 : 4 }]);
    },
  );

  it('keeps the public ones when a name has both', async () => {
    const egress = egressFrom({ hosts: ['*'], allowPrivate: [] }, async () => [
      { address: '10.0.0.1' },
      { address: '93.184.215.14' },
    ]);
    expect(await egress.addressesOf(new URL('https://crm.example'))).toEqual([
      { address: '93.184.215.14', family: 4 },
    ]);
  });

  it.each([
    ['127.0.0.1:443', '127.0.0.1', true],
    ['127.0.0.1:444', '127.0.0.1', false],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['10.0.0.0/8', '10.9.9.9', true],
    ['10.0.0.0/8', '11.0.0.1', true],
    ['10.0.0.0/16', '10.9.9.9', false],
    ['[::1]:443', '::1', true],
    ['::1', '::1', true],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '10.0.0.1', false],
  ])('allowPrivate %s lets %s through: %s', async (entry, address, through) => {
    const reached = reaches(address, [entry]);
    await (through ? expect(reached).resolves.toHaveLength(1) : expect(reached).rejects.toThrow());
  });
});

describe('names', () => {
  const allowed = (hosts: string[], url: string): boolean => {
    try {
      egressFrom({ hosts, allowPrivate: ['127.0.0.1:4010'] }).check(new URL(url));
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    [['api.example.com'], 'https://api.example.com/x', true],
    [['api.example.com'], 'https://API.example.com./x', true],
    [['api.example.com'], 'https://xapi.example.com', false],
    [['api.example.com'], 'https://api.example.com.evil.test', false],
    [['*.example.com'], 'https://a.b.example.com', true],
    [['*.example.com'], 'https://example.com', false],
    [['*.example.com'], 'https://evilexample.com', false],
    [['api.example.com:8443'], 'https://api.example.com:8443', true],
    [['api.example.com:8443'], 'https://api.example.com', false],
    [['*'], 'http://anything.test', true],
    [['*'], 'ftp://anything.test', false],
    [['*'], 'file:///etc/passwd', false],
    [[], 'https://api.example.com', false],
    [[], 'http://127.0.0.1:4010', true],
    [[], 'http://2130706433:4010', true],
    [[], 'http://127.0.0.1:4011', false],
  ])('%j: %s is allowed: %s', (hosts, url, expected) => {
    expect(allowed(hosts, url)).toBe(expected);
  });
});

describe('rules from the environment', () => {
  it('are empty when nothing is given, and say what is wrong with them', () => {
    expect(egressRulesFrom(undefined)).toEqual({ hosts: [], allowPrivate: [] });
    expect(egressRulesFrom('{"hosts":["a.example"]}').hosts).toEqual(['a.example']);
    expect(() => egressRulesFrom('hosts')).toThrow('not JSON');
    expect(() => egressRulesFrom('{"allowPrivate":["nonsense"]}')).toThrow('Not an address');
    expect(() => egressRulesFrom('{"hostz":[]}')).toThrow('not valid');
  });
});

describe('a name that changes its address', () => {
  const get = (url: string) => registered({ kind: 'http', method: 'POST', url });

  it('is connected to at the address that was checked, and resolved once', async () => {
    const checked = await httpDestination((_seen, response) => response.end('"checked"'));
    let lookups = 0;
    const carrier = testCarrier({
      allowPrivate: [`127.0.0.1:${checked.port}`],
      resolve: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254' }];
      },
    });
    const report = await carrier.send(sendOf(get(`http://crm.example:${checked.port}/`)));
    expect(report).toMatchObject({ kind: 'reply', reply: { body: 'checked' } });
    expect(checked.seen[0]?.headers.host).toBe(`crm.example:${checked.port}`);
    expect(lookups).toBe(1);
  });

  it('is not called once it leads inside', async () => {
    const inside = await httpDestination((_seen, response) => response.end());
    const carrier = testCarrier({
      allowPrivate: [],
      resolve: async () => [{ address: '127.0.0.1' }],
    });
    const report = await carrier.send(sendOf(get(`http://crm.example:${inside.port}/`)));
    expect(report).toMatchObject({
      kind: 'not_transmitted',
      because: expect.stringContaining('not public (loopback)'),
      lasting: true,
    });
    expect(inside.connections()).toBe(0);
  });
});

describe('a refusal by the rules lasts, and says what would let the call through', () => {
  const post = (url: string) => registered({ kind: 'http', method: 'POST', url });
  const refusedAt = async (url: string, tool = post(url)) =>
    testCarrier({ hosts: [], allowPrivate: [] }).send(sendOf(tool));

  it.each([
    ['https://api.example.com/x', 'api.example.com:443', '{"hosts":["api.example.com"]}', true],
    ['http://93.184.215.14/', '93.184.215.14:80', '{"hosts":["93.184.215.14"]}', true],
    ['http://127.0.0.1:8090/', '127.0.0.1:8090', '{"allowPrivate":["127.0.0.1:8090"]}', false],
    ['http://[::1]:8090/', '::1:8090', '{"allowPrivate":["[::1]:8090"]}', false],
    [
      'http://localhost:8090/',
      'localhost:8090',
      '{"hosts":["localhost"],"allowPrivate":["127.0.0.1:8090"]}',
      false,
    ],
  ])('%s', async (url, host, rules, onAws) => {
    const report = await refusedAt(url);
    if (report.kind !== 'not_transmitted') throw new Error(`It is ${report.kind}.`);
    expect(report.lasting).toBe(true);
    expect(report.because).toContain(`Calls to "${host}" are not allowed`);
    expect(report.because).toContain(`REPRISE_EGRESS='${rules}'`);
    expect(report.because.includes('egressHosts on AWS')).toBe(onAws);
    // What it says to write does let it through.
    const egress = egressFrom(rules, async () => [
      { address: onAws ? '93.184.215.14' : '127.0.0.1' },
    ]);
    expect(await egress.addressesOf(new URL(url))).toHaveLength(1);
    // And a person who reads French is told all of it in French.
    const french = frenchOf(`Not transmitted: ${report.because}`);
    expect(french).toContain(`REPRISE_EGRESS='${rules}'`);
    expect(french).not.toMatch(/\b(Calls|are|Name|start|machine;|reached|Until|none)\b/);
  });

  it('for an MCP tool as well', async () => {
    const mcp = registered({ kind: 'mcp', url: 'https://mcp.example.com/mcp', tool: 'note' });
    expect(await refusedAt('', mcp)).toMatchObject({ kind: 'not_transmitted', lasting: true });
  });

  it('while a name that leads nowhere just now may lead somewhere later', async () => {
    const to = (resolve: () => Promise<{ address: string }[]>) =>
      testCarrier({ resolve }).send(sendOf(post('https://crm.example/')));
    const gone = to(async () => {
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    });
    expect(await gone).not.toHaveProperty('lasting');
    expect(await to(async () => [])).not.toHaveProperty('lasting');
  });
});
