// The fault switchboard: which request is to meet which trouble, how often, and the requests it keeps waiting. Faults
// live in memory only: a restarted process has none. Owns no effect; `perform.ts` applies what is taken here.
import { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';

const base = {
  service: z.enum(['crm', 'mail', 'mcp']),
  operation: z.string().optional(),
  /** Dotted paths into the request's arguments (path, query and body together) and the values they must have. */
  match: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  times: z.int().min(1).default(1),
  beforeWriteMs: z.int().min(0).default(0),
  afterWriteMs: z.int().min(0).default(0),
};
const when = z.enum(['before_write', 'after_write']);
const reply = {
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** MCP only: a tool result with `isError` in place of an HTTP status. */
  toolError: z.boolean().default(false),
};
const status = z.int().min(200).max(599);

export const faultInput = z.discriminatedUnion('mode', [
  z.strictObject({
    ...base,
    mode: z.literal('drop_reply_after_write'),
    partial: z.boolean().default(false),
  }),
  z.strictObject({ ...base, mode: z.literal('drop_before_write') }),
  z.strictObject({ ...base, ...reply, mode: z.literal('refuse'), status: status.default(503) }),
  z.strictObject({
    ...base,
    ...reply,
    mode: z.literal('status_after_write'),
    status: status.default(500),
  }),
  z.strictObject({ ...base, mode: z.literal('delay') }),
  z.strictObject({ ...base, mode: z.literal('die'), when: when.default('after_write') }),
  z.strictObject({ ...base, mode: z.literal('hold'), when: when.default('before_write') }),
]);

/** What a test asks for, before defaults. */
export type FaultInput = z.input<typeof faultInput>;
export type Fault = z.output<typeof faultInput> & { readonly id: number };
/** A registered fault with the number of requests it will still meet. */
export type RegisteredFault = Fault & { readonly remaining: number };

export interface FaultTarget {
  readonly service: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A request kept open by a `hold`. */
export interface Held {
  readonly faultId: number;
  readonly arrival: number;
  readonly service: string;
  readonly operation: string;
}

/** `go`: carry on. `gone`: the server was reset, closed or died meanwhile; nothing more may be written. */
export type WaitEnd = 'go' | 'gone';

export interface Switchboard {
  add(fault: z.output<typeof faultInput>): RegisteredFault;
  /** The oldest registered fault that fits, one use of it taken; undefined when none fits. */
  take(target: FaultTarget): Fault | undefined;
  pause(forMs: number): Promise<WaitEnd>;
  hold(held: Held): Promise<WaitEnd>;
  /** Lets held requests go on, those of one fault or all; returns how many. */
  release(faultId?: number): number;
  registered(): RegisteredFault[];
  holding(): Held[];
  /** Forgets the faults; requests already held stay held. */
  clear(): void;
  /** Ends every wait with `gone`. */
  abandon(): void;
}

const valueAt = (root: unknown, dotted: string): unknown =>
  dotted
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : undefined,
      root,
    );

const fits = (fault: Fault, target: FaultTarget): boolean =>
  fault.service === target.service &&
  (fault.operation === undefined || fault.operation === target.operation) &&
  Object.entries(fault.match ?? {}).every(
    ([dotted, wanted]) => valueAt(target.arguments, dotted) === wanted,
  );

export const openSwitchboard = (clock: TwinClock): Switchboard => {
  const faults = new Map<number, RegisteredFault>();
  const waits = new Map<(end: WaitEnd) => void, Held | undefined>();
  let ids = 0;
  const wait = (held: Held | undefined, arm: (end: () => void) => () => void): Promise<WaitEnd> => {
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    let disarm = (): void => {};
    const finish = (end: WaitEnd): void => {
      waits.delete(finish);
      disarm();
      resolve(end);
    };
    waits.set(finish, held);
    disarm = arm(() => finish('go'));
    return promise;
  };
  return {
    add: (fault) => {
      ids += 1;
      const registered = { ...fault, id: ids, remaining: fault.times };
      faults.set(ids, registered);
      return registered;
    },
    take: (target) => {
      const fault = [...faults.values()].find((each) => fits(each, target));
      if (fault === undefined) return undefined;
      if (fault.remaining === 1) faults.delete(fault.id);
      else faults.set(fault.id, { ...fault, remaining: fault.remaining - 1 });
      return fault;
    },
    pause: (forMs) => wait(undefined, (end) => clock.at(clock.now() + forMs, end)),
    hold: (held) => wait(held, () => () => {}),
    release: (faultId) => {
      const chosen = [...waits].filter(
        ([, held]) => held !== undefined && (faultId === undefined || held.faultId === faultId),
      );
      for (const [finish] of chosen) finish('go');
      return chosen.length;
    },
    registered: () => [...faults.values()],
    holding: () => [...waits.values()].filter((held) => held !== undefined),
    clear: () => faults.clear(),
    abandon: () => {
      for (const finish of [...waits.keys()]) finish('gone');
    },
  };
};
