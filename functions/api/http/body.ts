// A request body: its limits, its JSON. Owns: what is read of a body before any schema sees it.
// Tested in test/functions/api/problems/problems.test.ts.
import {
  type ExactJson,
  isDeeperThan,
  parseExact,
  parseNumbersKept,
  type Unkept,
} from '../../core/base/exact-json.ts';
import { type Json, wellFormed } from '../../core/base/json.ts';
import type { Language } from '../problems/language.ts';
import { type Problem, problem } from '../problems/problems.ts';

/** Below the gateway's 10 MB, which it answers itself. */
export const bodyBytesMax = 1024 * 1024;
/** A client of another protocol sends its whole history each time; Lambda itself takes 6 MB. */
export const historyBytesMax = 4 * 1024 * 1024;
export const depthMax = 32;

const errorsMax = 50;
const charactersMax = 200;

type Words = { readonly [L in Language]: string };
const reasons: { readonly [Is in Unkept['is']]: (text: string) => Words } = {
  number: (text) => ({
    en: `The number ${text} cannot be kept exactly: another one would stand for it. Give it as text.`,
    fr: `Le nombre ${text} ne peut pas être conservé exactement : un autre prendrait sa place. Donnez-le comme texte.`,
  }),
  half: () => ({
    en: 'It holds half a character (a surrogate without its pair). Give whole characters.',
    fr: 'Il s’y trouve la moitié d’un caractère (un demi-codet isolé). Donnez des caractères entiers.',
  }),
  name: (text) => ({
    en: `The name "${text}" is not taken.`,
    fr: `Le nom « ${text} » n’est pas accepté.`,
  }),
  depth: () => ({
    en: `It is nested deeper than ${depthMax} levels.`,
    fr: `L’imbrication dépasse ${depthMax} niveaux.`,
  }),
};

const exactJson = (text: string): ExactJson => {
  try {
    return parseExact(text);
  } catch {
    throw problem('invalid-json', {});
  }
};

const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType ?? '');

/** Free text of a person: half a character in it is a character lost, as UTF-8 has it. */
const isPlainText = ({ is, path }: Unkept): boolean => is === 'half' && path === 'text';

/** What of a body cannot be taken. Laws: L6 (what cannot be kept exactly is refused). */
const refusedIn = (unkept: readonly Unkept[]): Problem =>
  problem(
    'invalid-body',
    {},
    {
      errors: (language) =>
        unkept.slice(0, errorsMax).map(({ path, is, text }) => ({
          field: path.slice(0, charactersMax).toWellFormed(),
          code: 'not_exact',
          reason: reasons[is](text.slice(0, charactersMax))[language],
        })),
    },
  );

/**
 * The body as JSON: numbers that another would stand for, and halves of characters, are refused unless `mayStand` says that nothing
 * is done with them. Those that stand are kept as texts, the halves as no character. Throws the problem that it is.
 */
export const jsonBody = (
  bytes: ArrayBuffer,
  contentType: string | undefined,
  bytesMax: number = bodyBytesMax,
  mayStand: (unkept: Unkept, body: Json) => boolean = isPlainText,
): Json => {
  if (bytes.byteLength > bytesMax) throw problem('body-too-large', { bytesMax });
  if (bytes.byteLength > 0 && !isJsonType(contentType)) throw problem('unsupported-media-type', {});
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem('invalid-json', {});
  }
  if (isDeeperThan(text, depthMax)) throw problem('too-deep', { depthMax });
  const { value, unkept } = exactJson(text);
  if (unkept.length === 0) return value;
  const refused = unkept.filter((one) => !mayStand(one, value));
  if (refused.length > 0) throw refusedIn(refused);
  return wellFormed(parseNumbersKept(text)) as Json;
};
