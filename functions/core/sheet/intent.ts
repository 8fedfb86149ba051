// Fields 1 to 4 of the recovery sheet: approved intent, stable identity, destination, last known fact. Pure.
// Laws: L2, L5 (the identity that travels), L6 (the digest), L21.
// Tested in test/functions/api/desk/sheet.test.ts.
import type { Author } from '../base/author.ts';
import { referenceOf } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { inForm } from '../base/reference-form.ts';
import type { SheetInput } from './input.ts';
import type { Fact, FieldFacts, Missing } from './says.ts';

/** A longer value is cut on the page: the whole is behind its link, and in the JSON. */
const valueCharactersMax = 400;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Arguments that make it look like another come first: they say for whom and about what. */
const argumentsOf = ({ action, pinned }: SheetInput): [string, Json][] => {
  const named = new Set((pinned.likeness ?? []).map((path) => path.split('.')[0]));
  const all = Object.entries(action.arguments);
  return [...all.filter(([name]) => named.has(name)), ...all.filter(([name]) => !named.has(name))];
};

const argumentLine = (input: SheetInput, [name, value]: [string, Json]): Fact => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cut = text.length > valueCharactersMax;
  return {
    say: 'argument',
    with: { name, value: cut ? text.slice(0, valueCharactersMax) : text, cut },
    is: 'observed',
    ...(cut ? { link: input.links.action(input.action.actionId) } : {}),
  };
};

const mandateLine = ({ action, leave, agentName }: SheetInput): Fact => {
  const { approval } = leave;
  if (action.mandate.kind === 'standing')
    return { say: 'standing', with: { agent: agentName }, is: 'supposed' };
  if (action.mandate.kind === 'grant')
    return { say: 'granted', with: { by: action.mandate.requestId }, is: 'observed' };
  return approval
    ? {
        say: 'approved',
        with: { by: approval.grantedBy, until: iso(approval.expiresAtMs) },
        at: approval.grantedAt,
        is: 'observed',
      }
    : { say: 'approvalOpen', with: {}, is: 'observed' };
};

/** Who asked, when, and in which words: the intent as it was said, before the agent made an action of it. */
const askedLine = ({ message, conversation, links }: SheetInput): Fact[] =>
  message === undefined
    ? []
    : [
        {
          say: 'asked',
          with: {
            text: beginning(message.text),
            by: message.author,
            cut: message.text.length > askedCharactersMax,
          },
          at: message.at,
          link: links.conversation(conversation.conversationId),
          is: 'observed',
        },
      ];

/** The sheet is one page: the rest of the message is behind the link. No character is cut in two. */
const askedCharactersMax = 240;
const beginning = (text: string): string =>
  text
    .slice(0, askedCharactersMax)
    .replace(/[\ud800-\udbff]$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const intentField = (input: SheetInput): FieldFacts => {
  const { action, conversation, links } = input;
  const by: Author = conversation.createdBy;
  return {
    lines: [
      ...askedLine(input),
      {
        say: 'tool',
        with: { ...action.tool, effect: action.effectKind },
        at: action.plannedAt,
        is: 'observed',
      },
      ...argumentsOf(input).map((entry) => argumentLine(input, entry)),
      { say: 'digest', with: { digest: action.digest }, is: 'observed' },
      {
        say: 'conversation',
        // Without a date: it may be much older than what was asked in it.
        with: { title: conversation.title, by },
        link: links.conversation(conversation.conversationId),
        is: 'observed',
      },
      mandateLine(input),
      ...(action.reissueOf === undefined
        ? []
        : [
            {
              say: 'reissueOf' as const,
              with: { actionId: action.reissueOf },
              link: links.action(action.reissueOf),
              is: 'observed' as const,
            },
          ]),
    ],
    missing: input.leave.approval === undefined ? ['noPersonApproved'] : [],
  };
};

const placeOf = ({ action, pinned }: SheetInput): string | undefined => {
  if (pinned.key.kind === 'none') return undefined;
  const { place, form } = pinned.key;
  const where = place.in === 'body' ? `body ${place.path}` : `${place.in} ${place.name}`;
  // In another form it is not the id that stands above: whoever searches for it needs the text itself.
  return form === undefined || form === 'full'
    ? where
    : `${where}: ${inForm(referenceOf(action.actionId), form)}`;
};

export const identityField = (input: SheetInput): FieldFacts => {
  const { action, pinned, journal, links } = input;
  const place = placeOf(input);
  return {
    lines: [
      {
        say: 'action',
        with: { actionId: action.actionId },
        link: links.action(action.actionId),
        is: 'observed',
      },
      {
        say: 'stored',
        with: { step: action.step, runId: action.runId },
        at: action.plannedAt,
        link: links.run(action.runId),
        is: 'observed',
      },
      ...(place === undefined || pinned.key.kind === 'none'
        ? []
        : [
            {
              say: 'travels' as const,
              with: { as: pinned.key.kind, place },
              is: 'observed' as const,
            },
          ]),
      ...journal.attempts.map(
        ({ attempt, engagedAt, deadlineAtMs }): Fact => ({
          say: 'attempt',
          with: { attempt, until: iso(deadlineAtMs) },
          at: engagedAt,
          is: 'observed',
        }),
      ),
    ],
    missing: [
      ...(place === undefined ? (['identityStaysHere'] as const) : []),
      ...(action.attempts === 0 ? (['notSent'] as const) : []),
    ],
  };
};

/** What the destination itself was heard to say; a declaration alone is supposed. */
export const destinationField = ({ action, pinned, journal }: SheetInput): FieldFacts => {
  const heard = journal.observations.find(
    ({ source, lookUp }) => source === 'reply' || (lookUp !== undefined && lookUp !== 'failed'),
  );
  const is = heard ? 'observed' : 'supposed';
  return {
    lines: [
      {
        say: 'destination',
        with: action.destination,
        ...(heard === undefined ? {} : { at: heard.at }),
        is,
      },
      ...(pinned.operations.length === 0
        ? []
        : [
            {
              say: 'operations' as const,
              with: { operations: pinned.operations.join(', ') },
              is: 'supposed' as const,
            },
          ]),
    ],
    missing: heard ? [] : ['nobodyAnsweredThere'],
  };
};

const warnings = ({ action, links }: SheetInput): Fact[] => [
  ...(action.engaged === undefined
    ? []
    : [
        {
          say: 'running' as const,
          with: { attempt: action.engaged.attempt, until: iso(action.engaged.deadlineAtMs) },
          at: action.engaged.engagedAt,
          is: 'observed' as const,
        },
      ]),
  ...(action.contradicted
    ? [{ say: 'contradicted' as const, with: {}, is: 'observed' as const }]
    : []),
  ...(action.duplicateOf === undefined
    ? []
    : [
        {
          say: 'duplicated' as const,
          with: { twin: action.duplicateOf },
          link: links.action(action.duplicateOf),
          is: 'observed' as const,
        },
      ]),
];

const proven = new Set(['confirmed', 'not_performed', 'not_sent']);

export const lastFactField = (input: SheetInput): FieldFacts => {
  const { action, journal } = input;
  const lastAt =
    journal.observations.at(-1)?.at ?? journal.ends.at(-1)?.at ?? action.firstEngagedAt;
  const missing: Missing[] = proven.has(action.effect) ? [] : ['outcome'];
  return {
    lines: [
      {
        say: 'state',
        with: { effect: action.effect, disposition: action.disposition.kind },
        at: lastAt ?? action.plannedAt,
        is: proven.has(action.effect) ? 'observed' : 'supposed',
      },
      ...warnings(input),
      ...journal.ends.map(
        ({ attempt, how, milestone, milestoneIs, because, at }): Fact => ({
          say: 'ended',
          with: { attempt, how, milestone, because },
          at,
          is: milestoneIs,
        }),
      ),
      ...(action.reference === undefined
        ? []
        : [
            {
              say: 'object' as const,
              with: { reference: action.reference },
              is: 'observed' as const,
            },
          ]),
      ...(action.told === undefined
        ? []
        : [
            {
              say: 'told' as const,
              with: { text: cutTo(action.told.text) },
              is: 'observed' as const,
            },
          ]),
    ],
    missing,
  };
};

const cutTo = (text: string): string =>
  text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
