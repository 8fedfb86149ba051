// A browser's part in signing in, without one: keeps cookies by name and follows no redirect by itself.
// Owns: that keeping. What it was sent is kept as text, so that a test can look for what must not be in it.

export interface Reply {
  readonly status: number;
  readonly location: string;
  readonly text: string;
  readonly headers: Headers;
}

export interface Jar {
  readonly cookies: Map<string, string>;
  /** `Set-Cookie` lines as they came. */
  readonly set: string[];
  /** Every address that was asked or answered. */
  readonly addresses: string[];
  get(path: string): Promise<Reply>;
  /** As a script of the page sends it. */
  post(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

export type Ask = (path: string, init: RequestInit) => Response | Promise<Response>;

export const jarOver = (ask: Ask, origin: string): Jar => {
  const cookies = new Map<string, string>();
  const set: string[] = [];
  const addresses: string[] = [];
  const keep = (line: string): void => {
    set.push(line);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  };
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    addresses.push(path);
    const headers = new Headers(init.headers);
    const kept = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (kept !== '') headers.set('cookie', kept);
    const response = await ask(path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get('location') ?? '';
    if (location !== '') addresses.push(location);
    return {
      status: response.status,
      location,
      text: await response.text(),
      headers: response.headers,
    };
  };
  return {
    cookies,
    set,
    addresses,
    get: (path) => send(path, {}),
    post: (path, headers = { origin, 'sec-fetch-site': 'same-origin' }) =>
      send(path, { method: 'POST', headers }),
  };
};

/** Path and query of an address. */
export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
};
