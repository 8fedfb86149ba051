// What in a contract contradicts itself or its tool, and what it costs to leave open. Pure; the words for each code are the
// API's. What the transport could not carry is the tool adapter's to say. Owns: the list of checks. A refusal stops the
// registration, a note comes with it.
// Laws: L5 (a declared reference must be able to travel), L8 (what a look-up declares must be able to hold), L9.
import { conditionProblem } from '../base/condition.ts';
import { canonicalJson, Json, type JsonObject } from '../base/json.ts';
import { formAsked, formNamed, type ReferenceForm } from '../base/reference-form.ts';
import type { Contract, LookUp } from './contract.ts';
import { ownReference } from './contract.ts';
import { presetRefusalCodes, presetRefusals } from './preset-check.ts';
import { withPreset } from './presets.ts';
import type { ReplyPattern } from './reply-pattern.ts';
import { isBuiltIn, type ToolRegistration } from './tool.ts';

export const refusalCodes = [
  'reserved_name',
  'key_on_a_read',
  'look_up_on_a_read',
  'read_that_writes',
  'reference_does_not_travel',
  'reference_not_asked_for',
  'reference_in_another_form',
  'only_a_reference_may_be_contained',
  'empty_template',
  'unknown_argument',
  'already_exists_without_look_up',
  'looks_up_itself',
  'nothing_compared',
  'found_is_absent',
  'success_is_disproof',
  'margin_beyond_retention',
  'polls_past_its_limit',
  'asks_only_over_mcp',
  'poll_status_proves_nothing',
  'header_is_not_read',
  ...presetRefusalCodes,
  'condition_does_not_parse',
  'condition_has_no_bound',
] as const;
export const noteCodes = [
  'no_automatic_repeat',
  'nothing_proves_the_effect',
  'always_needs_approval',
  'natural_key_never_proves_absence',
  'nobody_can_check',
  'asking_is_believed',
  'poll_proves_nothing',
  'a_repeat_overwrites',
  'secret_outside_reprise',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];
export type NoteCode = (typeof noteCodes)[number];

export interface Finding<Code extends string> {
  /** Dotted path into the registration. */
  readonly field: string;
  readonly code: Code;
}
export interface Checked {
  readonly refusals: readonly Finding<RefusalCode>[];
  readonly notes: readonly Finding<NoteCode>[];
}
type Refusals = Finding<RefusalCode>[];

/** The finding when it holds. */
const when = <Code extends string>(holds: boolean, field: string, code: Code): Finding<Code>[] =>
  holds ? [{ field, code }] : [];

const same = (left: unknown, right: unknown): boolean =>
  canonicalJson(Json.parse(left)) === canonicalJson(Json.parse(right));

/** Every text template of the transport. */
const templatesOf = ({ transport }: ToolRegistration): readonly string[] => {
  if (transport.kind === 'lambda') return [];
  const more = transport.kind === 'http' ? [transport.query, transport.body ?? {}] : [];
  return [
    transport.url,
    ...[transport.headers, ...more].flatMap((part) =>
      textsIn('', Json.parse(part)).map(([, text]) => text),
    ),
  ];
};

const textsIn = (field: string, value: Json): [field: string, text: string][] => {
  if (typeof value === 'string') return [[field, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]: [string, Json]) =>
    textsIn(`${field}.${name}`, part),
  );
};

const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1] ?? '');

/** Names of the arguments, when the schema lists them and allows no others. */
const argumentNames = ({
  arguments: schema,
}: ToolRegistration): ReadonlySet<string> | undefined => {
  const { properties, additionalProperties } = schema;
  const closed = additionalProperties === false;
  if (!closed || properties === null || typeof properties !== 'object') return undefined;
  return new Set(Object.keys(properties));
};

/** The same where the schema says nothing of others: what it does not list would be missing on both sides, and look equal. */
const listedArguments = ({
  arguments: schema,
}: ToolRegistration): ReadonlySet<string> | undefined => {
  const { properties } = schema;
  const open = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'additionalProperties'];
  return properties === null || typeof properties !== 'object' || open.some((key) => key in schema)
    ? undefined
    : new Set(Object.keys(properties));
};

const unknownArgument = (
  known: ReadonlySet<string> | undefined,
  path: string,
  field: string,
): Refusals => when(known?.has(path.split('.', 1)[0] ?? '') === false, field, 'unknown_argument');

const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0;

const transportRefusals = ({ transport, contract }: ToolRegistration): Refusals => {
  if (transport.kind !== 'http') return [];
  const { method, body } = transport;
  const empty =
    (body?.as === 'json' && isEmpty(body.template)) ||
    (body?.as === 'form' && isEmpty(body.fields)) ||
    (body?.as === 'raw' && body.template === '');
  const onlyWrites = method === 'PUT' || method === 'PATCH' || method === 'DELETE';
  return [
    ...when(empty, 'transport.body', 'empty_template'),
    ...when(onlyWrites && contract.effect === 'read', 'contract.effect', 'read_that_writes'),
  ];
};

/** The forms in which the transport puts the action's reference somewhere. */
const formsThatTravel = (registration: ToolRegistration): ReadonlySet<ReferenceForm> => {
  const { transport, contract } = registration;
  const { key } = contract;
  const inTemplates = templatesOf(registration).flatMap((text) =>
    placeholders(text).flatMap((one) => formNamed(one) ?? []),
  );
  const asArgument = transport.kind === 'mcp' && transport.referenceArgument !== undefined;
  return new Set([
    ...inTemplates,
    ...(key.kind === 'none' ? [] : [key.form ?? ('full' as const)]),
    ...(asArgument ? [key.kind === 'none' ? ('full' as const) : (key.form ?? 'full')] : []),
  ]);
};

/** Where a look-up asks for the reference, or compares it, and in which form; undefined where there is no such form. */
const formsAskedFor = (
  lookUp: LookUp,
  field: string,
): readonly (readonly [field: string, form: ReferenceForm | undefined])[] => [
  ...textsIn(`${field}.arguments`, lookUp.arguments).flatMap(([where, text]) =>
    [...text.matchAll(/\$reference(?::\w+)?/g)].map(([one]) => [where, formAsked(one)] as const),
  ),
  ...Object.keys(lookUp.compare)
    .filter((mine) => mine.startsWith(ownReference))
    .map((mine) => [`${field}.compare.${mine}`, formAsked(mine)] as const),
];

const keyRefusals = ({ contract }: ToolRegistration): Refusals => {
  const { key, effect } = contract;
  return [
    ...when(effect === 'read' && key.kind !== 'none', 'contract.key', 'key_on_a_read'),
    ...when(
      key.kind === 'key' && key.marginMs >= key.retentionMs,
      'contract.key.marginMs',
      'margin_beyond_retention',
    ),
  ];
};

const lookUpRefusals = (registration: ToolRegistration, lookUp: LookUp): Refusals => {
  const known = argumentNames(registration);
  const field = 'contract.lookUp';
  const asked = textsIn(`${field}.arguments`, lookUp.arguments);
  const forms = formsThatTravel(registration);
  const askedForms = formsAskedFor(lookUp, field);
  return [
    ...askedForms.flatMap(([where, form]) =>
      when(
        forms.size > 0 && (form === undefined || !forms.has(form)),
        where,
        'reference_in_another_form',
      ),
    ),
    ...Object.entries(lookUp.compare).flatMap(([mine, theirs]) =>
      when(
        typeof theirs !== 'string' && theirs.match === 'contains' && formAsked(mine) === undefined,
        `${field}.compare.${mine}`,
        'only_a_reference_may_be_contained',
      ),
    ),
    ...when(registration.contract.effect === 'read', field, 'look_up_on_a_read'),
    ...when(lookUp.tool === registration.name, `${field}.tool`, 'looks_up_itself'),
    ...when(
      lookUp.by === 'reference' && forms.size === 0,
      `${field}.by`,
      'reference_does_not_travel',
    ),
    ...when(same(lookUp.found, lookUp.absent), `${field}.absent`, 'found_is_absent'),
    ...when(isEmpty(lookUp.compare), `${field}.compare`, 'nothing_compared'),
    ...when(
      lookUp.by === 'reference' && askedForms.length === 0,
      `${field}.arguments`,
      'reference_not_asked_for',
    ),
    ...Object.keys(lookUp.compare)
      .filter((path) => formAsked(path) === undefined)
      .flatMap((path) =>
        unknownArgument(known ?? listedArguments(registration), path, `${field}.compare.${path}`),
      ),
    ...asked.flatMap(([where, text]) =>
      text.startsWith('$args.') ? unknownArgument(known, text.slice(6), where) : [],
    ),
  ];
};

const conditionRefusals = (approval: Contract['policy']['approval']): Refusals => {
  if (approval.when !== 'condition') return [];
  const wrong = conditionProblem(approval.expression);
  return wrong === undefined
    ? []
    : [{ field: 'contract.policy.approval.expression', code: `condition_${wrong}` }];
};

/** L1: a poll's 404 or 500 is about the poll. It may say "not yet", and nothing that ends the work. */
const pollRefusals = ({ progress }: Contract): Refusals => {
  const { succeeded, failed } = progress?.poll ?? {};
  return Object.entries({ succeeded, failed }).flatMap(([word, entries]) =>
    (entries ?? []).flatMap(({ reply: { status = [] } }, index) =>
      when(
        status.some((one) => one < 200 || one > 299),
        `contract.progress.poll.${word}.${index}.reply.status`,
        'poll_status_proves_nothing',
      ),
    ),
  );
};

const writePatterns = (contract: Contract): readonly [field: string, ReplyPattern][] => {
  const { success, disproof, accepted, nothing, repeat, key } = contract;
  const lists = {
    success,
    disproof,
    accepted,
    nothing,
    'repeat.succeeded': repeat?.succeeded,
    'repeat.accepted': repeat?.accepted,
    'repeat.running': repeat?.running,
    'repeat.failed': repeat?.failed,
    'repeat.nothing': repeat?.nothing,
  };
  const single = {
    alreadyExists: contract.alreadyExists,
    'progress.running': contract.progress?.running,
    'rateLimit.reply': contract.rateLimit?.reply,
    'key.stillRunning': key.kind === 'key' ? key.stillRunning : undefined,
  };
  return [
    ...Object.entries(lists).flatMap(([name, list]) =>
      (list ?? []).map(({ reply }, index): [string, ReplyPattern] => [
        `${name}.${index}.reply`,
        reply,
      ]),
    ),
    ...Object.entries(single).flatMap(([name, reply]): [string, ReplyPattern][] =>
      reply === undefined ? [] : [[name, reply]],
    ),
  ];
};

/** Only an HTTP reply has headers of its own. */
const headerRefusals = ({ transport, contract }: ToolRegistration): Refusals =>
  transport.kind === 'http'
    ? []
    : writePatterns(contract).flatMap(([field, reply]) =>
        when(reply.headers !== undefined, `contract.${field}.headers`, 'header_is_not_read'),
      );

const contractRefusals = (registration: ToolRegistration): Refusals => {
  const { contract, transport } = registration;
  const { progress, policy, lookUp, success, disproof } = contract;
  const known = argumentNames(registration);
  return [
    ...when(
      contract.alreadyExists !== undefined && lookUp === undefined,
      'contract.alreadyExists',
      'already_exists_without_look_up',
    ),
    ...disproof.flatMap(({ reply }, index) =>
      when(
        [...success, ...(contract.accepted ?? [])].some((entry) => same(entry.reply, reply)),
        `contract.disproof.${index}.reply`,
        'success_is_disproof',
      ),
    ),
    ...when(
      progress !== undefined && progress.everyMs > progress.untilMs,
      'contract.progress.everyMs',
      'polls_past_its_limit',
    ),
    ...when(
      contract.asksBeforeActing === true && transport.kind !== 'mcp',
      'contract.asksBeforeActing',
      'asks_only_over_mcp',
    ),
    ...pollRefusals(contract),
    ...headerRefusals(registration),
    ...conditionRefusals(policy.approval),
    ...(contract.likeness ?? []).flatMap((path, index) =>
      unknownArgument(known, path, `contract.likeness.${index}`),
    ),
  ];
};

const notesOf = (contract: Contract): Finding<NoteCode>[] => {
  if (contract.effect === 'read') return [];
  const { key, lookUp, verification, success, preset, progress } = contract;
  return [
    ...when(verification === undefined, 'contract.verification', 'no_automatic_repeat'),
    ...when(
      success.length === 0 &&
        preset === 'none' &&
        lookUp === undefined &&
        progress?.poll?.succeeded === undefined,
      'contract.success',
      'nothing_proves_the_effect',
    ),
    ...when(
      contract.effect === 'irreversible' && contract.policy.approval.when !== 'always',
      'contract.policy.approval',
      'always_needs_approval',
    ),
    ...when(
      lookUp?.by === 'natural' && lookUp.coverage.complete,
      'contract.lookUp.coverage.complete',
      'natural_key_never_proves_absence',
    ),
    ...when(key.kind !== 'key' && lookUp === undefined, 'contract.lookUp', 'nobody_can_check'),
    ...when(contract.asksBeforeActing === true, 'contract.asksBeforeActing', 'asking_is_believed'),
    ...when(
      key.kind === 'key' && key.onRepeat === 'overwrites',
      'contract.key.onRepeat',
      'a_repeat_overwrites',
    ),
    ...when(
      progress?.poll !== undefined && progress.poll.succeeded === undefined,
      'contract.progress.poll.succeeded',
      'poll_proves_nothing',
    ),
  ];
};

/** On AWS the functions may read secrets of these names only; on one machine any. */
const secretPrefix = 'reprise/';

const secretNotes = (registration: ToolRegistration): Finding<NoteCode>[] => {
  const names = templatesOf(registration).flatMap((template) =>
    [...template.matchAll(/\{\{\s*secret:\s*([^{}]*?)\s*\}\}/g)].map(([, name = '']) => name),
  );
  const outside = names.some((name) => !name.startsWith(secretPrefix));
  return when(outside, 'transport', 'secret_outside_reprise');
};

/** Checks what would be stored: the registration with its preset written out. */
export const checkRegistration = (given: ToolRegistration): Checked => {
  const registration = withPreset(given);
  const { name, contract } = registration;
  return {
    refusals: [
      ...when(isBuiltIn(name), 'name', 'reserved_name'),
      ...transportRefusals(registration),
      ...presetRefusals(registration),
      ...keyRefusals(registration),
      ...(contract.lookUp === undefined ? [] : lookUpRefusals(registration, contract.lookUp)),
      ...contractRefusals(registration),
    ],
    notes: [...notesOf(contract), ...secretNotes(registration)],
  };
};
