// Where calls may go: an allow-list of hosts, and never a private, link-local or metadata address unless it is named.
// Owns: the rules and their check, on the name and on the address that is then connected to (no second resolution).
// Tested in test/functions/adapters/egress.test.ts.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/**
 * `hosts`: `api.example.com`, `*.example.com` (its subdomains) or `*`, each with an optional `:port`.
 * `allowPrivate`: addresses or CIDR ranges that may be connected to although they are not public, with an optional port
 * (`127.0.0.1:4010`, `[::1]:4010`, `10.2.0.0/16`). A URL that holds such an address needs no entry in `hosts`.
 */
export const EgressRules = z.strictObject({
  hosts: z.array(z.string().min(1).max(253)).default([]),
  allowPrivate: z
    .array(
      z
        .string()
        .refine(
          (entry) => parseRange(entry) !== undefined,
          'Not an address, address:port or CIDR.',
        ),
    )
    .default([]),
});
export type EgressRules = z.infer<typeof EgressRules>;

/** Rules from a JSON text (an environment variable); nothing given: nothing is allowed. Throws an Error that says what is wrong. */
export const egressRulesFrom = (text: string | undefined): EgressRules => {
  if (text === undefined || text.trim() === '') return EgressRules.parse({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The egress rules are not JSON. Write {"hosts": ["api.example.com"]}.');
  }
  const parsed = EgressRules.safeParse(value);
  if (!parsed.success) {
    throw new Error(`The egress rules are not valid: ${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
};

/** An address that was found allowed; connecting to anything else would undo the check. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

/** The call may not go there, or the name leads nowhere. Nothing was sent. The message says why and what to do. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  /** The rules refuse it, now and until they are changed; false where a name led nowhere just now. */
  readonly lasting: boolean;
  constructor(message: string, { lasting }: { readonly lasting: boolean }) {
    super(message);
    this.lasting = lasting;
  }
}

export interface Egress {
  /** Checks scheme, port and host by name. Throws EgressRefused. */
  check(url: URL): void;
  /** `check`, then the addresses that may be connected to, at least one. Throws EgressRefused. */
  addressesOf(url: URL): Promise<readonly CheckedAddress[]>;
}

interface Range {
  readonly range: readonly [Address, number];
  readonly port: number | undefined;
}

const parseRange = (entry: string): Range | undefined => {
  const parts = /^(?:\[([^\]]+)\]|([^:]+)|(.*:.*:.*?))(?::(\d{1,5}))?$/.exec(entry);
  const written = parts?.[1] ?? parts?.[2] ?? (ipaddr.isValid(entry) ? entry : parts?.[3]);
  if (written === undefined) return undefined;
  const port = written === entry || parts?.[4] === undefined ? undefined : Number(parts[4]);
  try {
    if (written.includes('/')) return { range: ipaddr.parseCIDR(written), port };
    const address = ipaddr.process(written);
    return { range: [address, address.kind() === 'ipv4' ? 32 : 128], port };
  } catch {
    return undefined;
  }
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const within = (address: Address, [base, bits]: Range['range']): boolean => {
  if (address instanceof ipaddr.IPv4)
    return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
};

/** Public by number, but served by the cloud to its own machines. */
const metadata = new Set(['168.63.129.16', '169.254.169.254', '100.100.100.200', '192.0.0.192']);

const rangeOf = (address: Address): string =>
  metadata.has(address.toString()) ? 'metadata' : address.range();

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
const bare = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const lasting = { lasting: true } as const;
const passing = { lasting: false } as const;

const noneRepeated = 'Until then every call there ends like this, so none is repeated.';

/** What would let it through, as one would write it. An address that is not public is nobody's but this machine's. */
const howToAllow = (host: string, port: number): string => {
  const rules = (value: object): string => `REPRISE_EGRESS='${JSON.stringify(value)}'`;
  if (host === 'localhost' || host.endsWith('.localhost'))
    return `Name it at the start, ${rules({ hosts: [host], allowPrivate: [`127.0.0.1:${port}`] })} on one machine; on AWS nothing private is reached. ${noneRepeated}`;
  if (!ipaddr.isValid(host) || rangeOf(ipaddr.process(host)) === 'unicast')
    return `Name it at the start, ${rules({ hosts: [host] })} on one machine, egressHosts on AWS. ${noneRepeated}`;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return `Name it at the start, ${rules({ allowPrivate: [address] })} on one machine; on AWS nothing private is reached. ${noneRepeated}`;
};

const hostSuits = (pattern: string, host: string, port: number): boolean => {
  const [, name = pattern, only] = /^(.*?)(?::(\d{1,5}))?$/.exec(pattern.toLowerCase()) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  if (name === '*') return true;
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
};

const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer';

/** From rules, or from the text that `egressRulesFrom` takes. */
export const egressFrom = (
  given: EgressRules | string | undefined,
  resolve: Resolve = systemResolve,
): Egress => {
  const rules = typeof given === 'object' ? given : egressRulesFrom(given);
  const exempt = rules.allowPrivate.flatMap((entry) => parseRange(entry) ?? []);
  const isExempt = (address: Address, port: number): boolean =>
    exempt.some((one) => within(address, one.range) && (one.port ?? port) === port);

  const check = (url: URL): void => {
    const host = bare(url);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new EgressRefused(`Only http and https may be called, not "${url.protocol}".`, lasting);
    }
    if (rules.hosts.some((pattern) => hostSuits(pattern, host, portOf(url)))) return;
    if (ipaddr.isValid(host) && isExempt(ipaddr.process(host), portOf(url))) return;
    const port = portOf(url);
    throw new EgressRefused(
      `Calls to "${host}:${port}" are not allowed: the egress rules do not name this host. ${howToAllow(host, port)}`,
      lasting,
    );
  };

  const addressesOf = async (url: URL): Promise<readonly CheckedAddress[]> => {
    check(url);
    const host = bare(url);
    const found = ipaddr.isValid(host)
      ? [{ address: host }]
      : await resolve(host).catch((error: unknown) => {
          throw new EgressRefused(
            `The name "${host}" could not be resolved (${codeOf(error)}).`,
            passing,
          );
        });
    const refused: string[] = [];
    const allowed = found.flatMap((one): CheckedAddress[] => {
      if (!ipaddr.isValid(one.address)) return [];
      const address = ipaddr.process(one.address);
      if (rangeOf(address) === 'unicast' || isExempt(address, portOf(url))) {
        return [{ address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 }];
      }
      refused.push(rangeOf(address));
      return [];
    });
    if (allowed.length > 0) return allowed;
    if (refused.length === 0)
      throw new EgressRefused(`The name "${host}" has no address.`, passing);
    throw new EgressRefused(
      `"${host}" leads to an address that is not public (${refused.join(', ')}). ` +
        `If that is meant, name the address in allowPrivate of REPRISE_EGRESS on one machine; on AWS nothing private is reached. ${noneRepeated}`,
      lasting,
    );
  };
  return { check, addressesOf };
};
