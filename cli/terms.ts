// Stored values as their reader calls them: effects, what was decided, roles. Owns: that choice; `--json` keeps the values.
import { type SheetTerms, termsEn, termsFr } from '../functions/core/sheet-terms.ts';
import type { Language } from './speech.ts';

const rolesFr: Readonly<Record<string, string>> = {
  viewer: 'lecteur',
  member: 'membre',
  approver: 'approbateur',
  recoverer: 'responsable de reprise',
  admin: 'administrateur',
};

const termIn = (terms: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(terms, value) ? (terms[value] ?? value) : value;
const termsOf = (language: Language): SheetTerms => (language === 'fr' ? termsFr : termsEn);

export const effectWord = (effect: string, language: Language): string =>
  termIn(termsOf(language).effects, effect);

/** An effect and, where something was decided, what. */
export const stateWords = (effect: string, disposition: string, language: Language): string => {
  const word = effectWord(effect, language);
  if (disposition === 'open') return word;
  return `${word}, ${termIn(termsOf(language).dispositions, disposition)}`;
};

/** A role that somebody made keeps its own name. */
export const roleWord = (role: string, language: Language): string =>
  language === 'fr' ? termIn(rolesFr, role) : role;
