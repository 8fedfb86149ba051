// What a contract declares of replies and of where its key travels, in words. Owns: those sentences.
import type { Contract, Json, ReplyPattern } from '../api/types.ts';
import type { LaterWords } from '../words/later.ts';

type Said = LaterWords['contract'];
type Field = NonNullable<ReplyPattern['fields']>[number];

const valueText = (value: Json, said: Said): string =>
  typeof value === 'string' ? said.quoted(value) : JSON.stringify(value);

const listed = (texts: readonly string[], last: string): string =>
  texts.length < 2
    ? texts.join('')
    : `${texts.slice(0, -1).join(', ')}${last}${texts.at(-1) ?? ''}`;

const fieldText = ({ path, equals, oneOf, exists }: Field, said: Said): string => {
  const whole = path === '' ? 'body' : path;
  const parts = [
    ...(exists === undefined ? [] : [exists ? said.there(whole) : said.missing(whole)]),
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

/** "A reply where the status is 200 or 201, and id is there." */
export const patternText = (pattern: ReplyPattern, said: Said): string => {
  const { status, hasBody, fields = [] } = pattern;
  return said.reply(
    listed(
      [
        ...(status === undefined ? [] : [said.status(listed(status.map(String), said.or))]),
        ...(hasBody === undefined ? [] : [hasBody ? said.body : said.noBody]),
        ...fields.map((field) => fieldText(field, said)),
      ],
      said.and,
    ),
  );
};

type Place = Extract<Contract['key'], { place: unknown }>['place'];

export const placeText = (place: Place, { places }: Said): string =>
  place.in === 'body' ? places.body(place.path) : places[place.in](place.name);

export const pairsText = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([ours, theirs]) => (ours === theirs ? ours : `${ours} = ${theirs}`))
    .join(', ');
