// Who wrote into a journal, as its reader calls them: a person by name, a part of the system by what it does.
import type { LaterWords } from './later.ts';

interface Written {
  readonly author?: { readonly name: string } | undefined;
  readonly by: string;
}

export const writerOf = ({ author, by }: Written, { desk }: LaterWords): string => {
  const parts: { readonly [part: string]: string } = desk.writers;
  return author?.name ?? (Object.hasOwn(parts, by) ? parts[by] : undefined) ?? by;
};
