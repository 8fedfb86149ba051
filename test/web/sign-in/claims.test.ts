// The page shows of a token what the API makes of it: the same name, workspace and roles, whatever the issuer's habits.
import { expect, test } from 'vitest';
import { contextFrom } from '../../../functions/api/identity/claims.ts';
import { claimsOf } from '../../../web/base/claims.ts';

const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

const times = { exp: 1_800_000_000, sub: 'u-1' };

test.each<[string, object]>([
  ['the twin', { name: 'Ana', workspace: 'local', roles: ['admin', 'member'] }],
  [
    'Cognito',
    {
      'custom:workspace': 'main',
      'cognito:groups': ['admin', 'main:approver', 'other:recoverer', 'eu-west-1_Google'],
      'cognito:username': 'u-1',
      email: 'you@example.com',
    },
  ],
  [
    'claims with a prefix',
    { 'reprise:workspace': 'a', 'reprise:roles': 'member approver', workspace: 'b' },
  ],
  ['scopes', { workspace: 'a', scope: 'openid reprise/viewer reprise/none' }],
  ['a name with accents', { workspace: 'a', name: 'Zoé Łuczak', roles: [] }],
])('as %s has it', (_, claims) => {
  const all = { ...times, ...claims };
  const shown = claimsOf(tokenOf(all));
  const meant = contextFrom(all);
  expect({ ...shown, roles: shown?.roles.join(' ') }).toEqual({
    name: meant?.name,
    subject: meant?.subject,
    workspace: meant?.workspace,
    roles: meant?.roles,
    expiresAtMs: meant?.expiresAtMs,
  });
});

test('what is no token shows nothing', () => {
  for (const text of ['', 'a.b.c', 'e30.bnVsbA.c2ln']) expect(claimsOf(text)).toBeUndefined();
});
