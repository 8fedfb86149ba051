// Claims of a token as a caller: workspace, subject, name, person or machine, roles. Pure.
// Owns: which claims count, of which issuer's habits. Laws: L13 (a machine is never shown as a person).
// Tested in test/functions/api/identity/identity.test.ts.
import { z } from 'zod';
import { WorkspaceId } from '../../core/base/ids.ts';
import { roles as allRoles, isRole, type Role } from './access.ts';
import type { AuthoriserContext } from './identity.ts';

const words = z
  .union([z.string().transform((text) => text.split(/[\s,]+/)), z.array(z.string())])
  .catch([]);
const word = z.string().min(1).optional().catch(undefined);

const Claims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  'reprise:workspace': word,
  'custom:workspace': word,
  workspace: word,
  'reprise:roles': words,
  'custom:roles': words,
  roles: words,
  'cognito:groups': words,
  scope: words,
  name: word,
  preferred_username: word,
  email: word,
  username: word,
  'cognito:username': word,
  client_id: word,
  azp: word,
  gty: word,
  idtyp: word,
  'reprise:kind': word,
});
type Claims = z.infer<typeof Claims>;

/** How issuers mark a token that stands for a program: by a claim, or (RFC 9068) by the client being its own subject. */
const isMachine = (claims: Claims): boolean =>
  claims['reprise:kind'] === 'machine' ||
  claims.gty === 'client-credentials' ||
  claims.idtyp === 'app' ||
  claims.sub === claims.client_id ||
  claims.sub === claims.azp ||
  claims.sub.endsWith('@clients');

/** A role stands alone, as `workspace:role` (a group of one workspace), or as the scope `reprise/role`. */
const rolesOf = (claims: Claims, workspace: string): readonly Role[] => {
  const named = [
    ...claims['reprise:roles'],
    ...claims['custom:roles'],
    ...claims.roles,
    ...claims['cognito:groups'],
  ];
  const held = new Set(
    [
      ...named.map((role) => (role.startsWith(`${workspace}:`) ? role.split(':')[1] : role)),
      ...claims.scope.flatMap((scope) =>
        scope.startsWith('reprise/') ? [scope.slice('reprise/'.length)] : [],
      ),
    ].filter((role) => role !== undefined && isRole(role)),
  );
  return allRoles.filter((role) => held.has(role));
};

const nameOf = (claims: Claims): string =>
  claims.name ??
  claims.preferred_username ??
  claims.email ??
  claims['cognito:username'] ??
  claims.username ??
  claims.sub;

/** The context that the authoriser hands on, or undefined when the claims name no workspace. */
export const contextFrom = (payload: unknown): Required<AuthoriserContext> | undefined => {
  const read = Claims.safeParse(payload);
  if (!read.success) return undefined;
  const claims = read.data;
  const workspace = WorkspaceId.safeParse(
    claims['reprise:workspace'] ?? claims['custom:workspace'] ?? claims.workspace,
  );
  if (!workspace.success) return undefined;
  return {
    workspace: workspace.data,
    subject: claims.sub,
    name: nameOf(claims),
    kind: isMachine(claims) ? 'machine' : 'person',
    roles: rolesOf(claims, workspace.data).join(' '),
    expiresAtMs: claims.exp * 1000,
  };
};
