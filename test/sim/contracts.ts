// The contracts of the simulated tools, and what their destination really does: each keeps its promises. Owns: the kinds.
import { Contract } from '../../functions/core/registry/contract.ts';
import { ToolRegistration, type ToolVersion } from '../../functions/core/registry/tool.ts';

export const contractKinds = [
  'none',
  'http',
  'key',
  'key unverified',
  'look-up complete',
  'look-up incomplete',
  'look-up natural',
  'key and look-up',
] as const;
export type ContractKind = (typeof contractKinds)[number];

export const workspace = 'acme';
export const timeoutMs = 10_000;
/** How long a promised look-up may take to show what was written. */
export const settleMs = 20_000;
export const progressUntilMs = 60_000;

const destination = { provider: 'crm', account: 'a', environment: 'test', apiVersion: '1' };
const verification = { by: 'test', at: '2027-01-01T00:00:00.000Z', how: 'trials' };

/** The read tool that looks for what a writing tool has written. */
export const finderOf = (tool: string): string => `find_${tool}`;

const lookUp = (tool: string, by: 'reference' | 'natural', complete: boolean) => ({
  tool: finderOf(tool),
  arguments: by === 'reference' ? { reference: '$reference' } : { name: '$args.name' },
  by,
  hits: 'items',
  found: { status: [200], fields: [{ path: 'items.0', exists: true }] },
  absent: { status: [200], fields: [{ path: 'items.0', exists: false }] },
  compare: { name: 'name' },
  reference: 'id',
  coverage: {
    account: 'a',
    environment: 'test',
    archived: true,
    readRights: 'all',
    period: 'all time',
    complete,
  },
  settleMs,
});

const declared = {
  success: [{ reply: { status: [201], fields: [{ path: 'id', exists: true }] }, reference: 'id' }],
  disproof: [{ reply: { status: [422] }, because: 'It says that it did nothing.' }],
  rateLimit: { reply: { status: [429] }, waitMs: 3_000 },
  progress: { running: { status: [202] }, everyMs: 5_000, untilMs: progressUntilMs },
  verification,
};

const key = {
  kind: 'key',
  place: { in: 'header', name: 'Idempotency-Key' },
  scope: 'account',
  retentionMs: 86_400_000,
  onRepeat: 'returns_first_result',
  comparesParameters: true,
} as const;

const reference = { kind: 'reference', place: { in: 'body', path: 'reference' } } as const;

const partsOf = (tool: string): { readonly [Kind in ContractKind]: object } => ({
  none: {},
  http: { preset: 'http' },
  key: { ...declared, key },
  'key unverified': { ...declared, key, verification: undefined },
  'look-up complete': { ...declared, key: reference, lookUp: lookUp(tool, 'reference', true) },
  'look-up incomplete': { ...declared, key: reference, lookUp: lookUp(tool, 'reference', false) },
  'look-up natural': { ...declared, lookUp: lookUp(tool, 'natural', true) },
  'key and look-up': { ...declared, key, lookUp: lookUp(tool, 'reference', true) },
});

export const hasKey = (kind: ContractKind): boolean => kind.startsWith('key');

export const contractOf = (tool: string, kind: ContractKind, more: object = {}): Contract =>
  Contract.parse({ effect: 'write', destination, timeoutMs, ...partsOf(tool)[kind], ...more });

const toolOf = (name: string, contract: Contract): ToolVersion => ({
  schema: 1,
  workspace,
  version: 1,
  registration: ToolRegistration.parse({
    name,
    description: name,
    arguments: { type: 'object' },
    transport: { kind: 'http', method: 'POST', url: `https://crm.test/${name}` },
    contract,
  }),
  createdAt: '2027-01-01T00:00:00.000Z',
  createdBy: 'test',
});

/** The tool that writes, under its name, and the one that finds what it has written. */
export const toolsOf = (name: string, kind: ContractKind, more?: object): ToolVersion[] => [
  toolOf(name, contractOf(name, kind, more)),
  toolOf(finderOf(name), Contract.parse({ effect: 'read', destination, timeoutMs })),
];
