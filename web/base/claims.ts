// What the page shows of a token: who, where, in which roles. Owns: reading the same claims as the API does, whose word alone
// counts (functions/api/identity/claims.ts; a test holds the two against one another).

export interface Claims {
  readonly name: string;
  readonly subject: string;
  readonly workspace: string;
  readonly roles: readonly string[];
  /** Epoch milliseconds. */
  readonly expiresAtMs: number | undefined;
}

type Raw = Readonly<Record<string, unknown>>;

const payloadOf = (token: string): Raw | undefined => {
  try {
    const part = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(
      atob(part.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
};

/** The first of these claims that is a text. */
const textIn = (claims: Raw, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = claims[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
};

const wordsIn = (claims: Raw, name: string): readonly string[] => {
  const value = claims[name];
  if (Array.isArray(value)) return value.filter((word) => typeof word === 'string');
  return typeof value === 'string' ? value.split(/[\s,]+/) : [];
};

const allRoles = ['viewer', 'member', 'approver', 'recoverer', 'reporter', 'admin'];

/** A role stands alone, as `workspace:role`, or as the scope `reprise/role`. */
const rolesIn = (claims: Raw, workspace: string): readonly string[] => {
  const named = ['reprise:roles', 'custom:roles', 'roles', 'cognito:groups'].flatMap((name) =>
    wordsIn(claims, name),
  );
  const held = new Set([
    ...named.map((role) => (role.startsWith(`${workspace}:`) ? (role.split(':')[1] ?? '') : role)),
    ...wordsIn(claims, 'scope')
      .filter((scope) => scope.startsWith('reprise/'))
      .map((scope) => scope.slice('reprise/'.length)),
  ]);
  return allRoles.filter((role) => held.has(role));
};

/** Reads a JWT's claims for display; undefined when it is none. */
export const claimsOf = (token: string): Claims | undefined => {
  const claims = payloadOf(token);
  if (claims === undefined) return undefined;
  const workspace = textIn(claims, 'reprise:workspace', 'custom:workspace', 'workspace');
  const { exp } = claims;
  return {
    name: textIn(
      claims,
      'name',
      'preferred_username',
      'email',
      'cognito:username',
      'username',
      'sub',
    ),
    subject: textIn(claims, 'sub'),
    workspace,
    roles: rolesIn(claims, workspace),
    expiresAtMs: typeof exp === 'number' ? exp * 1000 : undefined,
  };
};
