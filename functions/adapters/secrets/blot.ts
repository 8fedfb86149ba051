// Keeps secrets out of what others send back. Laws: L18 (an echoed secret goes no further).

/** Text with the secrets in it replaced by their names. */
export type Blot = (text: string) => string;

/** Shorter values would blot out ordinary words. */
const secretCharactersMin = 6;

/** Replaces secrets, plain or as JSON, URL or base64 would write them. */
export const blotOf = (secrets: ReadonlyMap<string, string>): Blot => {
  const written = [...secrets].flatMap(([name, value]) => {
    if (value.length < secretCharactersMin) return [];
    const forms = new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
    ]);
    return [...forms].map((form) => [form, `[secret:${name}]`] as const);
  });
  return (text) => written.reduce((so, [form, mark]) => so.replaceAll(form, mark), text);
};
