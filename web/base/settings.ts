// What a person set for this browser: language, theme, how times are shown, single-letter keys.
// Owns: keeping it in local storage and putting it on the document.
import { type Store, storeOf } from './store.ts';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const timeStyles = ['relative', 'local', 'utc'] as const;
export type TimeStyle = (typeof timeStyles)[number];

export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly times: TimeStyle;
  /** Single-letter keys act (they can be switched off, WCAG 2.1.4). */
  readonly letterKeys: boolean;
}

const storageKey = 'reprise.settings';

const oneOf = <Value extends string>(
  value: unknown,
  values: readonly Value[],
  otherwise: Value,
): Value => values.find((candidate) => candidate === value) ?? otherwise;

const browserLanguage = (): Language => {
  for (const tag of navigator.languages) {
    const spoken = languages.find((language) => tag.toLowerCase().startsWith(language));
    if (spoken !== undefined) return spoken;
  }
  return 'en';
};

/** The language as this browser's person writes it, such as `en-GB`: for dates and numbers. */
export const regionOf = (language: string): string =>
  navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? language;

const kept = (): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const read = (): Settings => {
  const { language, theme, times, letterKeys } = kept();
  return {
    language: oneOf(language, languages, browserLanguage()),
    theme: oneOf(theme, themes, 'system'),
    times: oneOf(times, timeStyles, 'relative'),
    letterKeys: letterKeys !== false,
  };
};

export const settings: Store<Settings> = storeOf<Settings>(read());

export const change = (changes: Partial<Settings>): void => {
  const next = { ...settings.get(), ...changes };
  localStorage.setItem(storageKey, JSON.stringify(next));
  settings.set(next);
};

/** Keeps the document's language and colours as set. */
export const applySettings = (): void => {
  const apply = (): void => {
    const { language, theme } = settings.get();
    document.documentElement.lang = language;
    document.documentElement.dataset.theme = theme;
  };
  apply();
  settings.follow(apply);
};
