// What the model is shown: people's messages, its own steps, and one result for every call it made.
// Owns: the shape handed to the model port. Laws: L16 (every call gets exactly one result).
// Tested in test/functions/adapters/messages.test.ts.
import type { JsonObject } from '../base/json.ts';

export interface ToolCall {
  /** 1–64 characters of [a-zA-Z0-9_.:-]; the action's id, so that transcript and ledger name the same thing. */
  readonly callId: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  /** 'error' when the agent must not take it for a success. */
  readonly status: 'success' | 'error';
  readonly text: string;
}

export type TranscriptEntry =
  | {
      readonly role: 'person';
      readonly text: string;
      readonly from: string;
      /** This message began a run; others of the run steer it. Without it a reader goes by the last final answer. */
      readonly opensRun?: boolean;
    }
  | { readonly role: 'agent'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'results'; readonly results: readonly ToolResult[] }
  /** Facts that the system states (unresolved actions of earlier runs, a granted skill). */
  | { readonly role: 'facts'; readonly text: string };
export type Transcript = readonly TranscriptEntry[];
