// One request's way through a demo destination: arrival noted, key checked, fault met, write and key committed in one
// transaction, reply given or lost. Every operation of every service goes through here, so faults mean the same everywhere.
import type { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';
import type { Answer, Done } from './answers.ts';
import { failure } from './answers.ts';
import type { Fault, Switchboard } from './faults.ts';
import { digestOf, type Store } from './store.ts';

/** What a test may change while the server runs. */
export interface Settings {
  /** How long a key is remembered after its first result. */
  keyRetentionMs: number;
  /** How long a new opportunity stays invisible to searches (not to GET by id). */
  lookupLagMs: number;
}

export interface Demo {
  readonly store: Store;
  readonly faults: Switchboard;
  readonly clock: TwinClock;
  readonly settings: Settings;
  readonly environment: string;
  /** Account and operation of keyed requests being handled now; in memory, so a restart forgets them. */
  readonly running: Map<string, string>;
  /** Ends the process as kill -9 would. */
  readonly die: () => void;
}

export interface Call<Arguments> {
  readonly service: 'crm' | 'mail' | 'mcp';
  readonly operation: string;
  readonly account: string;
  readonly schema: z.ZodType<Arguments>;
  /** Path, query and body together, as received. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Undefined: the operation takes no key or none was sent. */
  readonly key?: string | undefined;
}

/** `cut`: the connection ends without a reply; `partial`: in the middle of one. */
export type Outcome =
  | { readonly kind: 'cut' }
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      readonly by: 'work' | 'fault' | 'tool_fault';
      readonly partial: boolean;
    };

/** Work runs synchronously inside the transaction that also stores its effect and its key. */
export type Work<Arguments> = (args: Arguments, nowMs: number) => Done;

const cut: Outcome = { kind: 'cut' };
const answered = (answer: Answer, partial = false): Outcome => ({
  kind: 'answer',
  answer,
  by: 'work',
  partial,
});

const shown = (demo: Demo, account: string, answer: Answer): Answer => ({
  ...answer,
  body: { account, environment: demo.environment, ...Object(answer.body) },
});

/** Performs one request. Throws only when the store is gone (the server is closing or died). */
export const perform = async <Arguments>(
  demo: Demo,
  call: Call<Arguments>,
  work: Work<Arguments>,
): Promise<Outcome> => {
  const { service, operation, account, key } = call;
  const atMs = demo.clock.now();
  const arrival = demo.store.arrived({ service, operation, account, key: key ?? null, atMs });
  const outcome = await received(demo, call, arrival, work);
  demo.store.left(arrival, outcome.kind === 'cut' ? 'cut' : `answered ${outcome.answer.status}`);
  return outcome.kind === 'answer' && outcome.by === 'work'
    ? { ...outcome, answer: shown(demo, account, outcome.answer) }
    : outcome;
};

const received = async <Arguments>(
  demo: Demo,
  call: Call<Arguments>,
  arrival: number,
  work: Work<Arguments>,
): Promise<Outcome> => {
  const parsed = call.schema.safeParse(call.input);
  if (!parsed.success) {
    const details = parsed.error.issues.map(({ path, message }) => ({ path, message }));
    const message = `The arguments of ${call.operation} are not valid; nothing was done. Correct the fields in details.`;
    return answered(failure(400, 'invalid_arguments', message, details));
  }
  const attempt: Attempt = {
    call,
    arrival,
    digest: digestOf([call.service, call.operation, parsed.data]),
    write: (nowMs) => work(parsed.data, nowMs),
  };
  if (call.key === undefined) return underFault(demo, attempt);
  const slot = JSON.stringify([call.account, call.key]);
  const conflict = keyConflict(demo, attempt, demo.running.get(slot));
  if (conflict !== undefined) return answered(conflict);
  demo.running.set(slot, attempt.digest);
  try {
    return await underFault(demo, attempt);
  } finally {
    demo.running.delete(slot);
  }
};

interface Attempt {
  readonly call: Omit<Call<unknown>, 'schema'>;
  readonly arrival: number;
  readonly digest: string;
  readonly write: (nowMs: number) => Done;
}

const remembered = (demo: Demo, { call }: Attempt) => {
  const stored = call.key === undefined ? undefined : demo.store.findKey(call.account, call.key);
  const kept =
    stored !== undefined && demo.clock.now() < stored.firstAtMs + demo.settings.keyRetentionMs;
  return kept ? stored : undefined;
};

const keyConflict = (
  demo: Demo,
  attempt: Attempt,
  runningDigest: string | undefined,
): Answer | undefined => {
  const known = runningDigest ?? remembered(demo, attempt)?.digest;
  if (known !== undefined && known !== attempt.digest)
    return failure(
      422,
      'key_reused',
      'This idempotency key came before with other parameters; nothing was done. Use a new key for a new intention.',
    );
  if (runningDigest === undefined) return undefined;
  const message =
    'The first request with this idempotency key is still running. Ask again later with the same key.';
  return { ...failure(409, 'key_in_use', message), headers: { 'retry-after': '1' } };
};

// A fault meets only requests that reach the work; one refused for its key or its arguments uses none up.
const underFault = async (demo: Demo, attempt: Attempt): Promise<Outcome> => {
  const { service, operation, input } = attempt.call;
  const fault = demo.faults.take({ service, operation, arguments: input });
  if (fault === undefined) return answered(committed(demo, attempt));
  if ((await waited(demo, fault, attempt, 'before_write')) === 'gone') return cut;
  if (fault.mode === 'drop_before_write') return cut;
  if (fault.mode === 'refuse') return faulty(fault);
  const answer = committed(demo, attempt);
  if ((await waited(demo, fault, attempt, 'after_write')) === 'gone') return cut;
  if (fault.mode === 'drop_reply_after_write') return fault.partial ? answered(answer, true) : cut;
  return fault.mode === 'status_after_write' ? faulty(fault) : answered(answer);
};

const waited = async (
  demo: Demo,
  fault: Fault,
  { arrival, call }: Attempt,
  point: 'before_write' | 'after_write',
): Promise<'go' | 'gone'> => {
  const forMs = point === 'before_write' ? fault.beforeWriteMs : fault.afterWriteMs;
  if (forMs > 0 && (await demo.faults.pause(forMs)) === 'gone') return 'gone';
  if (fault.mode === 'die' && fault.when === point) {
    demo.die();
    return 'gone';
  }
  if (fault.mode !== 'hold' || fault.when !== point) return 'go';
  const { service, operation } = call;
  return demo.faults.hold({ faultId: fault.id, arrival, service, operation });
};

const faulty = (fault: Extract<Fault, { status: number }>): Outcome => ({
  kind: 'answer',
  answer: {
    status: fault.status,
    headers: fault.headers,
    body: fault.body ?? { error: { code: 'fault', message: `Fault ${fault.id} answers this.` } },
  },
  by: fault.toolError ? 'tool_fault' : 'fault',
  partial: false,
});

const committed = (demo: Demo, attempt: Attempt): Answer =>
  demo.store.transaction(() => {
    const { service, operation, account, key = null, input } = attempt.call;
    const first = remembered(demo, attempt);
    if (first !== undefined)
      return {
        status: first.status,
        body: first.body,
        headers: { 'idempotent-replayed': 'true' },
      };
    const atMs = demo.clock.now();
    const { answer, effect } = attempt.write(atMs);
    if (effect !== undefined)
      demo.store.addEffect({
        arrival: attempt.arrival,
        service,
        operation,
        id: effect.id,
        account,
        environment: demo.environment,
        reference: effect.reference ?? null,
        key,
        arguments: { ...input },
        atMs,
      });
    const { status, body } = answer;
    // Failed calls are not kept: they free the key, as the destination's documentation says.
    if (key !== null && status < 300)
      demo.store.putKey(account, key, { digest: attempt.digest, status, body, firstAtMs: atMs });
    return answer;
  });
