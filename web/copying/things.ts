// A thing as one copies it: link, JSON, Markdown, and the call that reads it.
// Owns: those four forms. Laws: L18 (the call names `$TOKEN`, never the token).

import type { AllWords } from '../words/later.ts';
import { escaped } from './action-markdown.ts';
import { type Form, forms } from './thing-forms.ts';
import type { Kind, Thing, Things } from './thing-kinds.ts';

export interface Forms {
  readonly link: string;
  readonly json: () => Promise<string>;
  readonly markdown: () => Promise<string>;
  readonly curl: string;
}

const linkTo = (place: string): string => `${location.origin}${location.pathname}#${place}`;

/** A word of the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curlOf = <Of>({ path, pick }: Form<Of>, of: Of): string => {
  const call = `curl -sS ${quoted(`${location.origin}${path(of)}`)} -H "Authorization: Bearer $TOKEN"`;
  const part = pick?.(of) ?? '.';
  return part === '.' ? call : `${call} | jq ${quoted(part)}`;
};

const lines = (text: string): string => text.replaceAll(/^/gm, '> ');

const markdownOf = <Of>(form: Form<Of>, of: Of, words: AllWords): string => {
  const facts = (form.facts?.(of, words) ?? []).flatMap(([name, value]) =>
    value === undefined ? [] : [`- ${name}${words.colon}${escaped(value)}`],
  );
  const text = form.text?.(of, words);
  return [
    `### [${escaped(form.title(of, words))}](${linkTo(form.place(of))})`,
    '',
    ...(facts.length === 0 ? [] : [...facts, '']),
    ...(text === undefined ? [] : [lines(text), '']),
  ].join('\n');
};

const given = <Of>(form: Form<Of>, of: Of, words: AllWords): Forms => ({
  link: linkTo(form.place(of)),
  json: async () => JSON.stringify(await (form.json?.(of) ?? of), null, 2),
  markdown: async () => form.markdown?.(of, words) ?? markdownOf(form, of, words),
  curl: curlOf(form, of),
});

/** Binds a kind to its form, which the compiler cannot see from the union alone. */
const formed = <K extends Kind>(kind: K, of: Things[K], words: AllWords): Forms =>
  given<Things[K]>(forms[kind], of, words);

export const formsOf = ({ kind, of }: Thing, words: AllWords): Forms => formed(kind, of, words);
