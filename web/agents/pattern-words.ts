// What a contract declares of replies and of where its key travels, in words. Owns: those sentences.
import type { AnswerPatterns, Contract, Json, ReplyPattern } from '../api/types.ts';
import type { LaterWords } from '../words/later.ts';

type Said = LaterWords['contract'];
type Field = NonNullable<ReplyPattern['fields']>[number];
type Conditions = Omit<Field, 'path'>;

const valueText = (value: Json, said: Said): string =>
  typeof value === 'string' ? said.quoted(value) : JSON.stringify(value);

const listed = (texts: readonly string[], last: string): string =>
  texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')}${last}${texts.at(-1) ?? ''}`;

const valueTextOf = (whole: string, conditions: Conditions, said: Said): string => {
  const { equals, oneOf, exists, notNull, contains, startsWith } = conditions;
  const parts = [
    ...(exists === undefined ? [] : [exists ? said.there(whole) : said.missing(whole)]),
    ...(notNull && exists === undefined ? [said.there(whole)] : []),
    ...(startsWith === undefined ? [] : [said.starts(whole, said.quoted(startsWith))]),
    ...(contains === undefined ? [] : [said.contains(whole, said.quoted(contains))]),
    ...(equals === undefined ? [] : [said.is(whole, valueText(equals, said))]),
    ...(oneOf === undefined
      ? []
      : [
          said.oneOf(
            whole,
            listed(
              oneOf.map((value) => valueText(value, said)),
              said.or,
            ),
          ),
        ]),
  ];
  return parts.length === 0 ? said.there(whole) : listed(parts, said.and);
};

const fieldText = ({ path, ...conditions }: Field, said: Said): string =>
  valueTextOf(path === '' ? 'body' : path, conditions, said);

/** "A reply where the status is 200 or 201, and id is there." */
export const patternText = (pattern: ReplyPattern, said: Said): string => {
  const { status, hasBody, fields = [], headers = [] } = pattern;
  return said.reply(
    listed(
      [
        ...(status === undefined ? [] : [said.status(listed(status.map(String), said.or))]),
        ...(hasBody === undefined ? [] : [hasBody ? said.body : said.noBody]),
        ...fields.map((field) => fieldText(field, said)),
        ...headers.map(({ name, ...conditions }) =>
          valueTextOf(said.header(name), conditions, said),
        ),
      ],
      said.and,
    ),
  );
};

const answerWords = ['succeeded', 'accepted', 'running', 'failed', 'nothing'] as const;

/** What the answers of one address may say, one clause for each pattern. */
export const answersText = (
  patterns: { readonly [Word in keyof AnswerPatterns]: AnswerPatterns[Word] | undefined },
  said: Said,
  reason: (because: string) => string,
): readonly string[] =>
  answerWords.flatMap((word) =>
    (patterns[word] ?? []).map((entry) =>
      [
        said.answers[word](patternText(entry.reply, said)),
        ...('because' in entry && typeof entry.because === 'string' ? [reason(entry.because)] : []),
        ...('reference' in entry && typeof entry.reference === 'string'
          ? [said.referenceAt(entry.reference)]
          : []),
      ].join(' '),
    ),
  );

type Place = Extract<Contract['key'], { place: unknown }>['place'];

export const placeText = (place: Place, { places }: Said): string =>
  place.in === 'body' ? places.body(place.path) : places[place.in](place.name);

type Pairs = NonNullable<Contract['lookUp']>['compare'];

export const pairsText = (pairs: Pairs): string =>
  Object.entries(pairs)
    .map(([ours, theirs]) => {
      if (typeof theirs === 'string') return ours === theirs ? ours : `${ours} = ${theirs}`;
      return `${ours} ${theirs.match === 'contains' ? '⊂' : '='} ${theirs.path}`;
    })
    .join(', ');
