// What a recovery sheet can say, without words: one kind of line per thing, with what it needs. Both dictionaries are typed by it,
// so that a missing sentence does not compile. Owns: that list.
// Tested in test/functions/api/desk/sheet.test.ts.

import type { Author } from '../base/author.ts';
import type { Action, Disposition, Effect, Milestone } from '../records/action.ts';
import type { Decision } from '../records/change.ts';
import type { AttemptEnd, Observation } from '../records/evidence.ts';
import type { MandateChange } from '../records/mandate.ts';
import type { Run } from '../records/run.ts';
import type { Contract, KeyPromise } from '../registry/contract.ts';

export const sheetFields = [
  'intent',
  'identity',
  'destination',
  'lastFact',
  'evidence',
  'repetition',
  'mandate',
  'decision',
] as const;
export type SheetField = (typeof sheetFields)[number];

type Key = Extract<KeyPromise, { kind: 'key' }>;

export interface Says {
  readonly tool: {
    readonly name: string;
    readonly version: number;
    readonly effect: Action['effectKind'];
  };
  readonly argument: { readonly name: string; readonly value: string; readonly cut: boolean };
  readonly digest: { readonly digest: string };
  readonly asked: { readonly text: string; readonly by: Author; readonly cut: boolean };
  readonly conversation: { readonly title: string; readonly by: Author };
  readonly approved: { readonly by: Author; readonly until: string };
  readonly approvalOpen: Record<never, never>;
  readonly standing: { readonly agent: string };
  readonly granted: { readonly by: string };
  readonly reissueOf: { readonly actionId: string };
  readonly action: { readonly actionId: string };
  readonly stored: { readonly step: number; readonly runId: string };
  readonly travels: { readonly as: 'key' | 'reference'; readonly place: string };
  readonly attempt: { readonly attempt: number; readonly until: string };
  readonly destination: Contract['destination'];
  readonly operations: { readonly operations: string };
  readonly state: { readonly effect: Effect; readonly disposition: Disposition['kind'] };
  readonly ended: {
    readonly attempt: number;
    readonly how: AttemptEnd['how'];
    readonly milestone: Milestone;
    readonly because: string;
  };
  readonly running: { readonly attempt: number; readonly until: string };
  readonly contradicted: Record<never, never>;
  readonly duplicated: { readonly twin: string };
  readonly object: { readonly reference: string };
  readonly told: { readonly text: string };
  readonly observation: {
    readonly source: Observation['source'];
    readonly says: Observation['says'];
    readonly lookUp: Observation['lookUp'];
    readonly by: Author | undefined;
    readonly uncounted: Observation['uncounted'];
    readonly about: Observation['about'];
    readonly because: string;
    readonly coverage: string | undefined;
    readonly account: string;
    readonly environment: string;
    readonly reference: string | undefined;
  };
  readonly lookUp: {
    readonly tool: string;
    readonly by: 'reference' | 'natural';
    readonly complete: boolean;
    readonly coverage: string;
    readonly settleMs: number;
  };
  readonly poll: { readonly tool: string; readonly everyMs: number };
  readonly key: {
    readonly scope: string;
    readonly retentionMs: number;
    readonly onRepeat: Key['onRepeat'];
    readonly compares: boolean;
  };
  readonly referenceOnly: Record<never, never>;
  readonly noKey: Record<never, never>;
  readonly covers: { readonly until: string };
  readonly coversNoMore: { readonly since: string };
  readonly tried: { readonly by: string; readonly how: string };
  readonly newerContract: { readonly version: number };
  readonly changed: MandateChange;
  readonly approvalRevoked: { readonly by: string; readonly reason: string };
  readonly run: { readonly status: Run['state']['status']; readonly runId: string };
  readonly disposed: {
    readonly kind: Disposition['kind'];
    readonly by: string;
    readonly because: string;
  };
  readonly decided: {
    readonly kind: Decision['kind'];
    readonly by: Author;
    readonly reason: string | undefined;
    readonly seenHead: number;
  };
  readonly holder: { readonly by: Author; readonly until: string };
  readonly recoverer: { readonly name: string };
  readonly reissuedAs: { readonly actionId: string };
  /** A person decided to wait, and the time has not come. */
  readonly waits: { readonly by: Author; readonly until: string };
  readonly nextAt: { readonly at: string };
  readonly nextMachine: Record<never, never>;
  /** Nobody is in charge: a person, whoever takes it. */
  readonly nextPerson: { readonly name: string | undefined };
  readonly nextNone: Record<never, never>;
}

export type Is = 'observed' | 'supposed' | 'mixed';

/** One line. `at` is the date of what it says, `is` whether it was seen or is taken for so. */
export type Fact = {
  [K in keyof Says]: {
    readonly say: K;
    readonly with: Says[K];
    readonly at?: string;
    readonly link?: string;
    readonly is: 'observed' | 'supposed';
  };
}[keyof Says];

/** What the sheet would like to know and does not. */
export const missings = [
  'noPersonApproved',
  'identityStaysHere',
  'notSent',
  'nobodyAnsweredThere',
  'outcome',
  'noEvidence',
  'noWayToLook',
  'lookUpIncomplete',
  'notTried',
  'keyGone',
  'mandateGone',
  'nobodyInCharge',
  'personsDecision',
] as const;
export type Missing = (typeof missings)[number];

export interface FieldFacts {
  readonly lines: readonly Fact[];
  readonly missing: readonly Missing[];
  /** What the field is as a whole, where its lines do not say so by themselves. */
  readonly is?: Is;
}

/** What a sentence needs of its language beside its own words. */
export interface Tools {
  /** An instant, in UTC, as people write it. */
  readonly date: (iso: string) => string;
  readonly span: (ms: number) => string;
}

export type LineWords = {
  readonly [K in keyof Says]: {
    readonly label: string;
    readonly text: (given: Says[K], tools: Tools) => string;
  };
};

export interface SheetWords {
  readonly title: (tool: string, actionId: string) => string;
  readonly fields: { readonly [F in SheetField]: string };
  readonly is: { readonly [I in Is]: string };
  readonly effects: { readonly [E in Action['effect']]: string };
  readonly dispositions: { readonly [D in Action['disposition']['kind']]: string };
  readonly contradicted: string;
  readonly duplicated: string;
  readonly lines: LineWords;
  readonly missing: { readonly [M in Missing]: string };
  readonly stateAt: (date: string, by: string) => string;
  /** Names of the parts that a renderer writes around the fields. */
  readonly parts: {
    readonly since: string;
    readonly missing: string;
    readonly nothingMissing: string;
    readonly owner: string;
    readonly nobody: string;
    readonly until: string;
    readonly head: string;
    readonly state: string;
    readonly link: string;
    readonly observed: string;
    readonly supposed: string;
  };
}
