// The words that stand for what a person fills in: `reprise desk show ACTION`, `--reason TEXT`. Owns: their French; what a
// command takes literally (`md|html|json`) is no such word and stays.
import type { Language } from './speech.ts';

const french: Readonly<Record<string, string>> = {
  AGENT: 'AGENT',
  CALL: 'APPEL',
  COMMAND: 'COMMANDE',
  DIGEST: 'EMPREINTE',
  DIR: 'DOSSIER',
  EFFECT: 'EFFET',
  FILE: 'FICHIER',
  KIND: 'SORTE',
  MARK: 'MARQUE',
  NAME: 'NOM',
  PART: 'PARTIE',
  PASS: 'PASSAGE',
  PROVIDER: 'FOURNISSEUR',
  REASON: 'MOTIF',
  REPORT: 'RAPPORT',
  REQUEST: 'DEMANDE',
  SECONDS: 'SECONDES',
  STATE: 'ÉTAT',
  STEP: 'ÉTAPE',
  SUBJECT: 'SUJET',
  TEXT: 'TEXTE',
  TIME: 'HEURE',
  TOKEN: 'JETON',
  TOOL: 'OUTIL',
  TRIAL: 'ESSAI',
  VALUE: 'VALEUR',
  ZONE: 'FUSEAU',
};

/** "NAME=FILE" in the reader's language. */
export const placeholder = (text: string, language: Language): string =>
  language === 'fr' ? text.replaceAll(/[A-Z]+/g, (word) => french[word] ?? word) : text;
