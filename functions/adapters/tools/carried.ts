// What every transport needs to carry one call, and how a failure is told: before the first byte, or after.
// Owns: the last check and the deadline. Laws: L1 (after the first byte every failure is unknown), L3 (the stored deadline
// and the caller's own check, immediately before the first byte).
// Tested in test/functions/adapters/http-exchange.test.ts.
import type { ToolReport, ToolSend } from '../../ports/tool.ts';
import type { Clock, Secrets } from '../../ports/world.ts';
import { NotSent, nameOfError } from './connection.ts';
import { type Egress, EgressRefused } from './egress.ts';
import { ReplyUnreadable } from './reply.ts';

export interface Carriage {
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Pick<Clock, 'now'>;
  /** False once the invocation this carrier works for has ended: nothing more is sent. */
  readonly open: () => boolean;
  /** Aborts after that long. */
  readonly abortAfter: (ms: number) => AbortSignal;
  readonly certificateAuthorities?: readonly string[];
}

/** Throws NotSent when the call must not go out any more. Runs immediately before the first byte. */
export const lastCheckOf = (carriage: Carriage, call: ToolSend): (() => void) => {
  return () => {
    if (!carriage.open()) throw new NotSent('The invocation has ended.');
    if (carriage.clock.now() >= call.deadlineAtMs) throw new NotSent('The deadline has passed.');
    call.beforeFirstByte();
  };
};

export const deadlineOf = (carriage: Carriage, call: ToolSend): AbortSignal => {
  const leftMs = call.deadlineAtMs - carriage.clock.now();
  return leftMs <= 0 ? AbortSignal.abort() : carriage.abortAfter(leftMs);
};

export interface Failure {
  readonly error: unknown;
  /** Whether the first byte may have left. */
  readonly sent: boolean;
  readonly deadline: AbortSignal;
  /** The reply's status, when it came before the failure. */
  readonly status?: number | undefined;
}

const reasonOf = ({ error, deadline }: Failure): string => {
  if (deadline.aborted) return 'the deadline passed';
  if (error instanceof ReplyUnreadable) return error.message;
  return `it broke off (${nameOfError(error)})`;
};

/** The report of a call that did not come to a reply. Own words only: a library's message could quote the request. */
export const reportOf = (failure: Failure): ToolReport => {
  const { error, sent, deadline, status } = failure;
  if (sent) {
    const what = status === undefined ? 'No reply' : `Status ${status} came, but no whole reply`;
    return { kind: 'unknown', milestone: 'transmitted', because: `${what}: ${reasonOf(failure)}.` };
  }
  if (error instanceof EgressRefused && error.lasting) {
    return { kind: 'not_transmitted', because: error.message, lasting: true };
  }
  if (error instanceof NotSent || error instanceof EgressRefused) {
    return { kind: 'not_transmitted', because: error.message };
  }
  const because = deadline.aborted
    ? 'The deadline passed before the connection stood.'
    : `Nothing was sent (${nameOfError(error)}).`;
  return { kind: 'not_transmitted', because };
};
