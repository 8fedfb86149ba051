// AG-UI 1.0 as far as Reprise speaks it. The shapes are the protocol's own types, without its code: what goes out is held against
// them when this compiles, and against the real client in the tests. Owns: the names that Reprise adds under its own prefix.
// Tested in test/functions/api/clients/strand.test.ts.
import type { AGUIEvent, EventType, Interrupt } from '@ag-ui/core';

/** The protocol's events, with the plain text of their type in place of its enumeration. */
type Plain<Event> = Event extends { type: infer Type extends EventType }
  ? Omit<Event, 'type'> & { type: `${Type}` }
  : never;
export type AgUiEvent = Plain<AGUIEvent>;
export type AgUiInterrupt = Interrupt;

export const protocolVersion = '1.0';

/** Reasons of interrupts: the protocol's own where it has one. */
export const interruptReasons = {
  approval: 'tool_call',
  question: 'input_required',
  skill: 'reprise:skill_request',
  recovery: 'reprise:undetermined_action',
} as const;

/** What an activity message shows: an action whose effect is not plain. */
export const activityType = 'reprise:action';

/** Codes of RUN_ERROR beside those of problems. */
export const errorCodes = {
  failed: 'reprise:failed',
  cut_off: 'reprise:cut_off',
  withheld: 'reprise:withheld',
  no_answer: 'reprise:no_answer',
  connection: 'reprise:connect_again',
  broken: 'reprise:broken',
} as const;
