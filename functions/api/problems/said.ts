// The reasons in an answer, in the caller's language: the ledger stores them once, in English. Owns: where in an answer they stand.
// Nothing else is touched: arguments, results and what people wrote leave as they are stored.
// Tested in test/functions/api/problems/problems.test.ts.
import { frenchOf } from '../../core/french/said.ts';
import type { Language } from './language.ts';

/** Fields that hold a reason of ours, or somebody's own text, which then stays as it is. */
const reasons: ReadonlySet<string> = new Set(['because', 'coverage', 'detail']);
/** Fields that hold a thing with a reason, or a list of such things. */
const holders: ReadonlySet<string> = new Set([
  'items',
  'action',
  'authorisation',
  'authorisations',
  'decision',
  'disposition',
  'ends',
  'journal',
  'observations',
  'recovery',
  'request',
  'run',
  'state',
]);

const isThing = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inFrench = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inFrench);
  if (!isThing(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      if (typeof held === 'string') return [name, reasons.has(name) ? frenchOf(held) : held];
      return [name, holders.has(name) ? inFrench(held) : held];
    }),
  );
};

/** The body of a read, with its reasons in that language. */
export const saidIn = (language: Language, body: unknown): unknown =>
  language === 'fr' ? inFrench(body) : body;
