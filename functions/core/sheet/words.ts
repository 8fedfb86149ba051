// The recovery sheet in words: the form of a dictionary, complete by construction, and the sheet that it makes of the facts.
// Owns: that form; the sentences are the dictionaries'. Never "verified" alone: who, when and how stand beside it.
// Tested in test/functions/api/desk/sheet.test.ts.

import { frenchDate } from '../french/date.ts';
import type { Action } from '../records/action.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { SheetWords, Tools } from './says.ts';
import { type Fact, type Says, sheetFields } from './says.ts';
import { isOf, ownerOf, type Sheet, type SheetFacts, type SheetLine, sinceOf } from './sheet.ts';

export const sheetLanguages = ['en', 'fr'] as const;
export type SheetLanguage = (typeof sheetLanguages)[number];

const dictionaries: { readonly [L in SheetLanguage]: SheetWords } = { en, fr };
export const sheetWords = (language: SheetLanguage): SheetWords => dictionaries[language];

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export const toolsFor = (language: SheetLanguage): Tools => {
  const locale = language === 'fr' ? 'fr-FR' : 'en-GB';
  const dates = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return {
    date: (iso) => {
      const date = dates.format(new Date(iso));
      return `${language === 'fr' ? frenchDate(date) : date} UTC`;
    },
    span: (ms) => {
      const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? (['second', 1_000] as const);
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
        maximumFractionDigits: 1,
      }).format(ms / unitMs);
    },
  };
};

const lineOf = (words: SheetWords, tools: Tools, fact: Fact): SheetLine => {
  // Each fact carries what its own sentence takes; the union forgets that they belong together.
  const sentence = <K extends keyof Says>(say: K, given: Says[K]): [string, string] => [
    words.lines[say].label,
    words.lines[say].text(given, tools),
  ];
  const [label, text] = sentence(fact.say, fact.with as Says[typeof fact.say]);
  return {
    says: fact.say,
    label,
    text,
    is: fact.is,
    ...(fact.at === undefined ? {} : { at: fact.at }),
    ...(fact.link === undefined ? {} : { link: fact.link }),
  };
};

const stateText = (words: SheetWords, action: Action): string =>
  [
    words.effects[action.effect],
    ...(action.disposition.kind === 'open' ? [] : [words.dispositions[action.disposition.kind]]),
    ...(action.contradicted ? [words.contradicted] : []),
    ...(action.duplicateOf === undefined ? [] : [words.duplicated]),
  ].join(' · ');

export const sheetIn = (language: SheetLanguage, { input, fields }: SheetFacts): Sheet => {
  const words = sheetWords(language);
  const tools = toolsFor(language);
  const { action, generatedBy } = input;
  const generatedAt = new Date(input.nowMs).toISOString();
  return {
    sheet: 1,
    language,
    actionId: action.actionId,
    title: words.title(action.tool.name, action.actionId),
    state: {
      effect: action.effect,
      disposition: action.disposition.kind,
      contradicted: action.contradicted,
      ...(action.duplicateOf === undefined ? {} : { duplicateOf: action.duplicateOf }),
      text: stateText(words, action),
    },
    owner: ownerOf(input),
    head: action.head,
    digest: action.digest,
    arguments: action.arguments,
    permalink: input.links.action(action.actionId),
    generatedAt,
    generatedBy,
    stateAt: words.stateAt(tools.date(generatedAt), generatedBy.name),
    fields: sheetFields.map((name, index) => {
      const field = fields[name];
      const since = sinceOf(field);
      return {
        number: index + 1,
        name,
        title: words.fields[name],
        is: isOf(field),
        ...(since === undefined ? {} : { since }),
        lines: field.lines.map((fact) => lineOf(words, tools, fact)),
        missing: field.missing.map((says) => ({ says, text: words.missing[says] })),
      };
    }),
  };
};
