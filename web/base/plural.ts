// Plural forms by the language's own categories. French needs `many` too (1 000 000 d’étapes).

export interface Forms {
  readonly one: string;
  readonly many?: string;
  readonly other: string;
}

/** A chooser for one language; `#` in a form becomes the number. */
export const pluralIn = (language: string) => {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count: number, forms: Forms): string => {
    const category = rules.select(count);
    const form =
      category === 'one'
        ? forms.one
        : category === 'many'
          ? (forms.many ?? forms.other)
          : forms.other;
    return form.replace('#', numbers.format(count));
  };
};
