// A role as its reader calls it; a role that somebody made keeps its own name.
import type { LaterWords } from './later.ts';

export const roleName = (role: string, words: LaterWords): string => {
  const names: { readonly [role: string]: string } = words.roles;
  return Object.hasOwn(names, role) ? (names[role] ?? role) : role;
};
