// What a destination's answer to one call says, read as the product reads it: by the contract's own patterns. Owns: that
// reading of an answer that came past the product, and telling whether two answers speak of the same object.

import { canonicalJson, type Json } from '../../functions/core/base/json.ts';
import { findingOf, repeatIsRefused } from '../../functions/core/perform/finding.ts';
import { readRepeat, readReply } from '../../functions/core/perform/reply.ts';
import type { ToolRegistration } from '../../functions/core/registry/tool.ts';
import type { ToolReport } from '../../functions/ports/tool.ts';

export type Answer = {
  /** The whole of it, for the report. */
  readonly text: string;
  readonly body: Json | undefined;
} & (
  | { readonly kind: 'done'; readonly reference: string | undefined; readonly proves: boolean }
  /** By a declared pattern: such an object is there already. */
  | { readonly kind: 'exists' }
  /** By a declared pattern: this call did nothing. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'not_now'; readonly waitMs: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'asks' }
  /** An answer that the contract does not know; `error` when it says of itself that it is one. */
  | { readonly kind: 'unknown'; readonly error: boolean; readonly server: boolean }
  /** No answer, or none that is whole. */
  | { readonly kind: 'none'; readonly left: boolean }
);

export const replyText = (report: ToolReport): string =>
  report.kind === 'reply'
    ? `${report.reply.status} ${JSON.stringify(report.reply.body ?? null).slice(0, 400)}`
    : `${report.kind}${'because' in report ? `: ${report.because}` : ''}`;

/** `attempt` beyond the first: a repeat, which a contract may have patterns of its own for. */
export const answerOf = (
  registration: ToolRegistration,
  report: ToolReport,
  attempt = 1,
): Answer => {
  const text = replyText(report);
  if (report.kind === 'input_required') return { kind: 'asks', text, body: report.inputRequests };
  if (report.kind !== 'reply')
    return { kind: 'none', left: report.kind === 'unknown', text, body: undefined };
  const { status, body } = report.reply;
  const nowMs = Date.now();
  const finding = findingOf(registration, attempt, report, nowMs);
  switch (finding.says) {
    case 'confirms':
    case 'accepts':
      return {
        kind: 'done',
        reference: finding.reference,
        proves: finding.says === 'confirms',
        text,
        body,
      };
    case 'disproves':
      return finding.notBeforeMs === undefined
        ? { kind: 'refused', text, body }
        : { kind: 'not_now', waitMs: Math.max(0, finding.notBeforeMs - nowMs), text, body };
    case 'in_progress':
      return { kind: 'running', text, body };
    case 'asked':
      return { kind: 'asks', text, body };
    case 'nothing':
      return (attempt > 1 ? readRepeat : readReply)(registration.contract, report.reply)
        .alreadyExists
        ? { kind: 'exists', text, body }
        : {
            kind: 'unknown',
            error: repeatIsRefused(registration, report.reply),
            server: status >= 500,
            text,
            body,
          };
  }
};

/** Names under which answers commonly carry what they made. */
const ownName = /(^|\.)(id|uuid|reference|number)$/;

const leavesOf = (path: string, value: Json | undefined): (readonly [string, Json])[] => {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, part]: [string, Json]) =>
    leavesOf(path === '' ? name : `${path}.${name}`, part),
  );
};

/**
 * Which path names different objects in two answers; undefined when none does. The declared reference decides; where the
 * contract declares none, what is commonly called an identity.
 */
export const differingReference = (
  first: { readonly reference: string | undefined; readonly body: Json | undefined },
  second: { readonly reference: string | undefined; readonly body: Json | undefined },
): string | undefined => {
  if (first.reference !== undefined && second.reference !== undefined)
    return first.reference === second.reference
      ? undefined
      : `${first.reference} / ${second.reference}`;
  const theirs = new Map(leavesOf('', second.body));
  const found = leavesOf('', first.body).find(([path, value]) => {
    const other = theirs.get(path);
    return (
      ownName.test(path) && other !== undefined && canonicalJson(other) !== canonicalJson(value)
    );
  });
  return found === undefined
    ? undefined
    : `${found[0]}: ${JSON.stringify(found[1])} / ${JSON.stringify(theirs.get(found[0]))}`;
};
