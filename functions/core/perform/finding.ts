// From what the transport observed to what is known of the attempt. Owns: that reading, by contract alone.
// Laws: L1 (everything that is not a proven answer is unknown), L5, L8.
// Tested in test/adversary/settle.test.ts.

import { at, type Json } from '../base/json.ts';
import { questionFrom } from '../pausing/asked.ts';
import type { AttemptEnd } from '../records/evidence.ts';
import type { Reply } from '../registry/reply-pattern.ts';
import type { ToolRegistration } from '../registry/tool.ts';
import { readAfterRefusal } from './refused-call.ts';
import { readRepeat, readReply } from './reply.ts';
import type { Finding } from './settle.ts';

export type Report =
  | {
      readonly kind: 'reply';
      readonly reply: Omit<Reply, 'reportsFailure'>;
    }
  | { readonly kind: 'not_transmitted'; readonly because: string; readonly lasting?: true }
  | {
      readonly kind: 'unknown';
      readonly because: string;
      readonly milestone: 'prepared' | 'transmitted';
    }
  | {
      readonly kind: 'input_required';
      readonly inputRequests: Json;
      readonly requestState: string | undefined;
    };

/** Longer ones are kept with the result alone: the journal drops them. */
const excerptOf = (body: Json | undefined): { readonly excerpt?: Json } =>
  body === undefined ? {} : { excerpt: body };

/** A destination behind MCP or Lambda says in the body that it failed; the status alone says nothing there. */
const saysItFailed = (registration: ToolRegistration, body: Json | undefined): boolean =>
  (registration.transport.kind === 'mcp' &&
    (at(body, 'isError') === true || at(body, 'jsonrpcError') !== undefined)) ||
  (registration.transport.kind === 'lambda' && at(body, 'functionError') !== undefined);

/** An answer as patterns read it: with whether it reports its own failure, which the transport decides. */
export const replyFrom = (
  registration: ToolRegistration,
  reply: Omit<Reply, 'reportsFailure'>,
): Reply => ({ ...reply, reportsFailure: saysItFailed(registration, reply.body) });

const milestoneOf = (says: Finding['says']): AttemptEnd['milestone'] => {
  switch (says) {
    case 'confirms':
      return 'confirmed';
    case 'accepts':
    case 'in_progress':
    case 'asked':
      return 'accepted';
    case 'disproves':
    case 'nothing':
      return 'transmitted';
  }
};

/**
 * Whether a destination turned a repeat away, by the contract's own words: what it declares as "already exists" or as a disproof is
 * a refusal also under a 200 (GraphQL), and what it declares as a success of a repeat is none under a 409.
 */
export const repeatIsRefused = (
  registration: ToolRegistration,
  given: Omit<Reply, 'reportsFailure'>,
): boolean => {
  const reply = replyFrom(registration, given);
  const { says, alreadyExists } = readRepeat(registration.contract, reply);
  if (alreadyExists === true || says === 'disproves') return true;
  return says === 'nothing' && (reply.status >= 400 || reply.reportsFailure === true);
};

const fromReply = (
  registration: ToolRegistration,
  { attempt, declines }: { readonly attempt: number; readonly declines: boolean },
  given: Omit<Reply, 'reportsFailure'>,
  nowMs: number,
): Finding => {
  const reply = replyFrom(registration, given);
  const { contract } = registration;
  const asWritten = attempt > 1 ? readRepeat : readReply;
  const reading = (declines ? readAfterRefusal : asWritten)(contract, reply);
  return {
    about: attempt,
    end: {
      attempt,
      how: 'replied',
      milestone: milestoneOf(reading.says),
      milestoneIs: 'observed',
    },
    says: reading.says,
    source: 'reply',
    because: reading.because,
    status: reply.status,
    ...(reading.reference === undefined ? {} : { reference: reading.reference }),
    ...(reading.notNowMs === undefined ? {} : { notBeforeMs: nowMs + reading.notNowMs }),
    ...excerptOf(reply.body),
  };
};

export const findingOf = (
  registration: ToolRegistration,
  attempt: number,
  report: Report,
  nowMs: number,
  /** The attempt only carried a person's refusal to the tool. */
  declines = false,
): Finding => {
  switch (report.kind) {
    case 'reply':
      return fromReply(registration, { attempt, declines }, report.reply, nowMs);
    case 'not_transmitted':
      return {
        about: attempt,
        end: { attempt, how: 'not_transmitted', milestone: 'prepared', milestoneIs: 'observed' },
        says: 'disproves',
        source: 'transport',
        because: `Not transmitted: ${report.because}`,
        ...(report.lasting === undefined ? {} : { lasting: report.lasting }),
      };
    case 'unknown':
      return {
        about: attempt,
        end: { attempt, how: 'unknown', milestone: report.milestone, milestoneIs: 'supposed' },
        says: 'nothing',
        source: 'transport',
        because: report.because,
      };
    case 'input_required': {
      // Whoever declined is not asked again by the same call.
      const asked = declines ? undefined : questionFrom(report.inputRequests, report.requestState);
      return {
        about: attempt,
        end: { attempt, how: 'asked', milestone: 'accepted', milestoneIs: 'observed' },
        says: 'asked',
        source: 'reply',
        because: 'The tool asks something.',
        excerpt: report.inputRequests,
        ...(asked === undefined ? {} : { asked }),
      };
    }
  }
};

/** An attempt whose owner never reported. */
export const lostFinding = (attempt: number): Finding => ({
  about: attempt,
  end: { attempt, how: 'lost', milestone: 'prepared', milestoneIs: 'supposed' },
  says: 'nothing',
  source: 'transport',
  because:
    'The attempt was engaged and its owner never reported; whether the request was sent is not known.',
});
