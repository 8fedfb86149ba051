// Fault marks as the API shows them. Owns: what a reader sees of one, and whether they may change it.
// Tested in test/functions/api/routes/faults.test.ts.
import { type FaultMark, faultMarkedAt, standingFault } from '../../core/records/fault-mark.ts';
import { hasRole } from '../identity/access.ts';
import type { Caller } from '../identity/identity.ts';
import type { FaultMarkHistory, FaultMarkView } from './faults.ts';

/** Its author's or an admin's to change. */
export const mayChangeFault = ({ author, roles }: Caller, { by }: FaultMark): boolean =>
  by.subject === author.subject || hasRole(roles, 'admin');

export const faultView = (caller: Caller, mark: FaultMark): FaultMarkView => {
  const { schema: _schema, workspace: _workspace, changes, ...named } = mark;
  const last = changes.at(-1);
  const stands = standingFault(mark);
  const who = last && { at: last.at, by: last.by };
  return {
    ...named,
    at: faultMarkedAt(mark),
    ...(stands?.kind === undefined ? {} : { kind: stands.kind }),
    ...(stands?.note === undefined ? {} : { note: stands.note }),
    ...(stands?.what === 'changed' ? { changed: who } : {}),
    ...(stands === undefined ? { takenBack: who } : {}),
    mayChange: mayChangeFault(caller, mark),
  };
};

export const historyView = (caller: Caller, mark: FaultMark): FaultMarkHistory => ({
  ...faultView(caller, mark),
  changes: mark.changes,
});
