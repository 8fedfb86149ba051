// The two languages of the command line: every text is written in both, side by side. Owns: the choice.

import type { Language } from '../../local/base/language.ts';

export type { Language };

/** Gives the text of the chosen language. */
export type Say = (en: string, fr: string) => string;

export const sayIn =
  (language: Language): Say =>
  (en, fr) =>
    language === 'fr' ? fr : en;
