// Who is calling: read from what the authoriser put beside the request, never from the request itself.
// Owns: that reading, and the refusal of what their roles do not allow. Laws: L13 (an identity comes from the session).
import { z } from 'zod';
import { Author } from '../../core/base/author.ts';
import { WorkspaceId } from '../../core/base/ids.ts';
import { problem } from '../problems/problems.ts';
import { access, isRole, mayCall, type OperationId, type Role, rolesThatCount } from './access.ts';

export interface Caller {
  readonly workspace: WorkspaceId;
  readonly author: Author;
  readonly roles: readonly Role[];
  /** Epoch milliseconds at which the token ends; a stream does not outlive it. */
  readonly expiresAtMs: number | undefined;
}

/** A name as the authoriser hands it on; one that is not in that form is a name as it is. */
const nameFrom = (handed: string): string => {
  try {
    return decodeURIComponent(handed);
  } catch {
    return handed;
  }
};

/** A program that holds the role itself, not by another: its word on an effect is a machine's. */
export const isReporter = ({ author, roles }: Caller): boolean =>
  author.kind === 'machine' && roles.includes('reporter');

/** Throws the problem `forbidden` when none of the caller's roles allows the operation. */
export const mustMay = (caller: Caller, operationId: OperationId): void => {
  if (!mayCall(caller.roles, operationId))
    throw problem('forbidden', { role: access[operationId] });
};

/** What the authoriser hands on. API Gateway carries texts, numbers and booleans only, and hands them on as texts. */
export const AuthoriserContext = z.object({
  workspace: WorkspaceId,
  subject: z.string().min(1),
  name: z.string().min(1),
  kind: z.enum(['person', 'machine']),
  /** Role names, separated by blanks. */
  roles: z.string(),
  expiresAtMs: z.coerce.number().optional(),
});
export type AuthoriserContext = z.infer<typeof AuthoriserContext>;

/** The caller, or undefined when no authoriser vouches for one. */
export const callerFrom = (context: unknown): Caller | undefined => {
  const read = AuthoriserContext.safeParse(context);
  if (!read.success) return undefined;
  const { workspace, subject, name, kind, roles, expiresAtMs } = read.data;
  return {
    workspace,
    author: Author.parse({ kind, subject, name: nameFrom(name) }),
    roles: rolesThatCount(roles.split(' ').filter(isRole), kind),
    expiresAtMs,
  };
};
