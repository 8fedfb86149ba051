// The tool port: carries one call to its destination and says what came back, never what it means.
// Laws: L1 (a failure after the first byte is reported as unknown), L3 (the caller's last check runs right before the first byte).

import type { Json, JsonObject } from '../core/base/json.ts';
import type { Attempt } from '../core/records/evidence.ts';
import type { ToolRegistration } from '../core/registry/tool.ts';

/** MCP only: the answers to what the attempt before asked, and the state it gave to be handed back unread. */
export type ToolContinuation = NonNullable<Attempt['continuation']>;

export interface ToolSend {
  readonly registration: ToolRegistration;
  readonly arguments: JsonObject;
  /** The action's reference, for `{{reference}}` and the contract's key place (L5). */
  readonly reference: string;
  readonly continuation?: ToolContinuation;
  /** Epoch milliseconds; the call is aborted then. */
  readonly deadlineAtMs: number;
  /**
   * Called once the connection stands (or, where that cannot be seen, right before the call is handed over) and immediately
   * before the first byte of the request. When it throws, nothing is sent and `send` answers `not_transmitted`.
   */
  beforeFirstByte(): void;
}

export interface ToolReply {
  readonly status: number;
  /** Header names in lower case; none that lets somebody in. */
  readonly headers: { readonly [name: string]: string };
  /** Parsed JSON, or the text where it is none; undefined when there is no body. */
  readonly body: Json | undefined;
  readonly bytes: number;
}

/** What the transport observed. The contract, in core, says what it proves. */
export type ToolReport =
  | { readonly kind: 'reply'; readonly reply: ToolReply }
  /**
   * DNS, refused, TLS, blocked by egress rules, a call that cannot be formed or a failed last check: not one byte of the request
   * left. `lasting`: the settings or the registration say so, and another attempt would meet the same.
   */
  | { readonly kind: 'not_transmitted'; readonly because: string; readonly lasting?: true }
  /** Anything else: timeout, reset, unparsable, cut stream. The request may have been carried out. */
  | {
      readonly kind: 'unknown';
      readonly because: string;
      readonly milestone: 'prepared' | 'transmitted';
    }
  /** MCP only: the tool asks something; the attempt closes as asked. */
  | {
      readonly kind: 'input_required';
      readonly inputRequests: Json;
      readonly requestState: string | undefined;
    };

export interface ToolCarrier {
  send(call: ToolSend): Promise<ToolReport>;
}

/** A call could not even be formed (unknown secret, missing template value). Nothing was sent; a carrier reports it as lasting. */
export class ToolMisconfigured extends Error {
  override readonly name = 'ToolMisconfigured';
}
