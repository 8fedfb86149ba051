// The people of this machine, whom the local identity provider knows. Owns: their roles.

export interface Person {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** A program, for which a token can be had as for anybody here. */
  readonly kind?: 'machine';
}

export const people = {
  ana: {
    subject: 'ana',
    name: 'Ana',
    email: 'ana@example.test',
    roles: ['admin', 'approver', 'recoverer', 'member'],
  },
  ben: { subject: 'ben', name: 'Ben', email: 'ben@example.test', roles: ['member'] },
  cleo: {
    subject: 'cleo',
    name: 'Cleo',
    email: 'cleo@example.test',
    roles: ['approver', 'recoverer', 'member'],
  },
  dan: { subject: 'dan', name: 'Dan', email: 'dan@example.test', roles: ['viewer'] },
} as const satisfies Record<string, Person>;
export type PersonName = keyof typeof people;

export const personNames: readonly string[] = Object.keys(people);

export const personOf = (subject: string): Person | undefined =>
  Object.values(people).find((person) => person.subject === subject);
