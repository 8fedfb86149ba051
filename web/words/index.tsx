// The words in the person's language, for components; numbers and lengths of time in its forms.
// Owns: which language is shown. Each language is loaded when it is first shown.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type Language, settings } from '../base/settings.ts';
import { useStore } from '../base/store.ts';
import type { Words } from './en/first.ts';

const Spoken = createContext<Words | undefined>(undefined);

/** Throws outside of the provider. */
export const useWords = (): Words => {
  const words = useContext(Spoken);
  if (words === undefined) throw new Error('Words are used outside of WordsProvider.');
  return words;
};
export type { Words };

const readers: { readonly [L in Language]: () => Promise<Words> } = {
  en: async () => (await import('./en/first.ts')).en,
  fr: async () => (await import('./fr/first.ts')).fr,
};

export const WordsProvider = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { language } = useStore(settings);
  const [words, setWords] = useState<Words>();
  useEffect(() => {
    let wanted = true;
    void readers[language]().then((read) => {
      if (wanted) setWords(read);
    });
    return () => {
      wanted = false;
    };
  }, [language]);
  return words === undefined ? null : <Spoken value={words}>{children}</Spoken>;
};

export const useNumber = (): ((value: number) => string) => {
  const { language } = useStore(settings);
  const format = new Intl.NumberFormat(language);
  return (value) => format.format(value);
};

/** A length of time in words, such as "2 min 5 s". */
export const useLength = (): ((ms: number) => string) => {
  const { language } = useStore(settings);
  return (ms) => lengthIn(language, ms);
};

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export const lengthIn = (language: string, ms: number): string => {
  const unit = (name: string, value: number, digits = 0): string =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 1_000) return unit('millisecond', Math.max(0, Math.round(ms)));
  if (ms < 60_000) return unit('second', ms / 1_000, ms < 10_000 ? 1 : 0);
  const first = units.findIndex(([, size]) => ms >= size);
  const parts = units.slice(first, first + 2).flatMap(([name, size], place) => {
    const larger = place === 0 ? undefined : units[first];
    const value = Math.floor((larger === undefined ? ms : ms % larger[1]) / size);
    return value === 0 ? [] : [unit(name, value)];
  });
  return parts.join(' ');
};

/** The document's title from a screen's own name. */
export const titleOf = (name: string, count: number): string =>
  `${count > 0 ? `(${count}) ` : ''}${name} · Reprise`;
