// Templates of a registration, filled at the last moment with arguments, the action's reference and secrets.
// Owns: what a placeholder may be and where. Laws: L18 (a secret goes into headers and bodies only, and is never kept).
// Tested in test/functions/adapters/reference-place.test.ts.
import { at, type Json, type JsonObject } from '../../core/base/json.ts';
import { formNamed, inForm, type ReferenceForm } from '../../core/base/reference-form.ts';
import { ToolMisconfigured } from '../../ports/tool.ts';

export type Placeholder =
  | { readonly of: 'argument'; readonly path: string }
  | { readonly of: 'reference'; readonly form: ReferenceForm; readonly placed?: true }
  | { readonly of: 'secret'; readonly name: string }
  | { readonly of: 'unknown'; readonly text: string };

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;
const wholePattern = /^\{\{\s*([^{}]*?)\s*\}\}$/;

/** `place` is the contract's path placeholder: it stands for the reference too. */
const placeholderOf = (text: string, place?: string): Placeholder => {
  if (place !== undefined && text === place) return { of: 'reference', form: 'full', placed: true };
  const form = formNamed(text);
  if (form !== undefined) return { of: 'reference', form };
  if (text === 'args') return { of: 'argument', path: '' };
  if (text.startsWith('args.')) return { of: 'argument', path: text.slice('args.'.length) };
  if (text.startsWith('secret:')) return { of: 'secret', name: text.slice('secret:'.length) };
  return { of: 'unknown', text };
};

export const placeholdersIn = (template: string, place?: string): readonly Placeholder[] =>
  [...template.matchAll(pattern)].map((match) => placeholderOf(match[1] ?? '', place));

/** The placeholder that a template wholly consists of, if so. */
export const wholePlaceholder = (template: string, place?: string): Placeholder | undefined => {
  const match = wholePattern.exec(template);
  return match === null ? undefined : placeholderOf(match[1] ?? '', place);
};

/** Every text in a JSON template, keys left out. */
export const textsIn = (template: Json): readonly string[] => {
  if (typeof template === 'string') return [template];
  if (template === null || typeof template !== 'object') return [];
  return Object.values(template).flatMap((part: Json) => textsIn(part));
};

export interface Filling {
  readonly arguments: JsonObject;
  readonly reference: string;
  /** Values by name, read beforehand. Empty where secrets may not stand. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly place?: string;
  /** The reference as the contract's key has it, for that placeholder. */
  readonly placed?: string;
}

const valueFor = (placeholder: Placeholder, filling: Filling): Json | undefined => {
  switch (placeholder.of) {
    case 'argument':
      return at(filling.arguments, placeholder.path);
    case 'reference':
      return placeholder.placed && filling.placed !== undefined
        ? filling.placed
        : inForm(filling.reference, placeholder.form);
    case 'secret': {
      const secret = filling.secrets.get(placeholder.name);
      if (secret !== undefined) return secret;
      throw new ToolMisconfigured(
        `The secret "${placeholder.name}" may not stand here. Secrets go into headers and bodies.`,
      );
    }
    case 'unknown':
      throw new ToolMisconfigured(
        `"{{${placeholder.text}}}" means nothing. Use args.…, reference or secret:….`,
      );
  }
};

const wordsOf = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Text with its placeholders filled. Throws ToolMisconfigured when one has no value. */
export const fillText = (
  template: string,
  filling: Filling,
  encode: (text: string) => string = (text) => text,
): string =>
  template.replace(pattern, (all, text: string) => {
    const value = valueFor(placeholderOf(text, filling.place), filling);
    if (value === undefined) {
      throw new ToolMisconfigured(`There is no value for ${all}. Make the argument required.`);
    }
    return encode(wordsOf(value));
  });

/** As `fillText`; undefined when the template is one placeholder and that has no value or is null: the part is left out. */
export const fillOptional = (template: string, filling: Filling): string | undefined => {
  const whole = wholePlaceholder(template, filling.place);
  if (whole === undefined) return fillText(template, filling);
  const value = valueFor(whole, filling);
  return value === undefined || value === null ? undefined : wordsOf(value);
};

/** A JSON template; a text that is one placeholder keeps the value's type and is left out where there is no value. */
export const fillJson = (template: Json, filling: Filling): Json | undefined => {
  if (typeof template === 'string') {
    const whole = wholePlaceholder(template, filling.place);
    return whole === undefined ? fillText(template, filling) : valueFor(whole, filling);
  }
  if (template === null || typeof template !== 'object') return template;
  if (Array.isArray(template)) {
    return template.flatMap((part: Json) => {
      const filled = fillJson(part, filling);
      return filled === undefined ? [] : [filled];
    });
  }
  return Object.fromEntries(
    Object.entries(template as JsonObject).flatMap(([key, part]) => {
      const filled = fillJson(part, filling);
      return filled === undefined ? [] : [[key, filled]];
    }),
  );
};

/**
 * A URL template, arguments encoded. A value that is empty or a dot segment in the path is refused: it would change which
 * resource is meant. Throws ToolMisconfigured.
 */
export const fillUrl = (template: string, filling: Filling): URL => {
  const path = template.split(/[?#]/, 1)[0] ?? '';
  const inPath = (text: string): string => {
    if (text === '' || text === '.' || text === '..') {
      throw new ToolMisconfigured(`"${text}" cannot be a part of the path. Give a real value.`);
    }
    return encodeURIComponent(text);
  };
  const bare = { ...filling, secrets: new Map<string, string>() };
  const text =
    fillText(path, bare, inPath) + fillText(template.slice(path.length), bare, encodeURIComponent);
  if (!URL.canParse(text)) throw new ToolMisconfigured('The tool’s URL is not a valid URL.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new ToolMisconfigured('The tool’s URL holds credentials. Put a secret into a header.');
  }
  return url;
};
