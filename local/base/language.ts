// The language in which the commands speak on a terminal. Owns: how it is read from the locale.

export type Language = 'en' | 'fr';

/** French where the locale is; English for everybody else. */
export const localeLanguage = (env: { readonly [name: string]: string | undefined }): Language => {
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find(
    (name) => name !== undefined && name !== '',
  );
  return locale?.toLowerCase().startsWith('fr') === true ? 'fr' : 'en';
};
