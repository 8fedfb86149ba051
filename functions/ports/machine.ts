// The state machine and the bus, as publish and sweep see them.
import type { Notice } from '../core/answers/answerer.ts';
import type { JsonObject } from '../core/base/json.ts';
import type { Outbox } from '../core/records/change.ts';

export interface Machine {
  /** Starts an execution of that name; one that exists already was started before, and that is as good. */
  start(name: string, input: JsonObject): Promise<void>;
  /** `gone`: the service knows no such waiting task (answered, timed out, stopped). Throws when the service did not answer. */
  answer(token: string): Promise<'sent' | 'gone'>;
  /** Undefined when there is no such execution. */
  describe(name: string): Promise<'running' | 'succeeded' | 'failed' | 'stopped' | undefined>;
}

export interface Bus {
  /** Puts the entry's events as CloudEvents, with whom they ask. Throws when any entry was not taken. */
  put(outbox: Outbox, notices: ReadonlyMap<number, Notice>): Promise<void>;
}
