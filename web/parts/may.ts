// Whether the person may do what needs a role, so that nothing is offered that would be refused. Only what to show: the API's
// word alone counts (functions/api/identity/access.ts).
import { claimsOf, session } from '../base/session.ts';
import { useStore } from '../base/store.ts';

export const useMay = (role: string): boolean => {
  const { token } = useStore(session);
  const roles = token === undefined ? [] : (claimsOf(token)?.roles ?? []);
  return roles.includes('admin') || roles.includes(role);
};
