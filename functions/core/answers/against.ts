// What stands against an approval: why no attempt could open under it now. It is what engage checks in its own transaction, read
// beforehand for whoever approves. Owns: that reading, and the request that shows what came up since. Laws: L6, L7, L20.
// Tested in test/scenario/people/stands-against.test.ts.

import type { Author } from '../base/author.ts';
import { type Action, actionDigest } from '../records/action.ts';
import type { ApprovalMandate, Change, Versioned } from '../records/change.ts';
import { type Claim, isHeld } from '../records/claim.ts';
import type { Conversation } from '../records/conversation.ts';
import type { MandateChange } from '../records/mandate.ts';
import type { PersonRequest } from '../records/request.ts';
import { isEnded, type Run, stopRequested } from '../records/run.ts';

export const againstKinds = [
  'permission_revoked',
  'tool_barred',
  'approval_revoked',
  'approval_expired',
  'run_stopping',
  'run_over',
  'claimed',
  'content_changed',
  'look_alike',
] as const;
export type AgainstKind = (typeof againstKinds)[number];

export interface Against {
  readonly kind: AgainstKind;
  /** Since when. */
  readonly at?: string;
  readonly by?: Author;
  /** What whoever did it gave as the reason. */
  readonly reason?: string;
}

export interface Standing {
  readonly action: Action;
  readonly request: PersonRequest;
  readonly run: Run;
  readonly leave: {
    readonly approval: ApprovalMandate | undefined;
    readonly mandateRevokedAt: string | undefined;
    readonly barredAt: string | undefined;
    readonly changes: readonly MandateChange[];
    readonly claim: { readonly item: Claim } | undefined;
  };
  /** The look-alike marker as it stands. */
  readonly marker: { readonly rev: string; readonly holders: readonly string[] } | undefined;
  readonly nowMs: number;
}

const lastOf = (
  changes: readonly MandateChange[],
  what: MandateChange['what'],
): Omit<Against, 'kind'> => {
  const last = changes.findLast((change) => change.what === what);
  return last === undefined ? {} : { at: last.at, by: last.by, reason: last.reason };
};

const ofPermission = ({ leave, request }: Standing): Against[] => {
  const { approval, changes } = leave;
  const standingRevoked =
    changes.findLast(({ what }) => what === 'revoked' || what === 'restored')?.what === 'revoked';
  return [
    ...(standingRevoked
      ? [{ kind: 'permission_revoked' as const, ...lastOf(changes, 'revoked') }]
      : []),
    ...(leave.barredAt === undefined
      ? []
      : [{ kind: 'tool_barred' as const, ...lastOf(changes, 'barred') }]),
    ...(request.decision !== undefined && approval?.revokedAt !== undefined
      ? [
          {
            kind: 'approval_revoked' as const,
            at: approval.revokedAt,
            ...(approval.revokedBy === undefined ? {} : { by: approval.revokedBy }),
            ...(approval.revokedBecause === undefined ? {} : { reason: approval.revokedBecause }),
          },
        ]
      : []),
  ];
};

const ofTime = ({ request, leave, nowMs }: Standing): Against[] => {
  const untilMs =
    request.decision?.kind === 'approved' ? leave.approval?.expiresAtMs : request.expiresAtMs;
  return untilMs === undefined || nowMs < untilMs
    ? []
    : [{ kind: 'approval_expired', at: new Date(untilMs).toISOString() }];
};

const ofRun = ({ action, run, leave, nowMs }: Standing): Against[] => {
  const { claim } = leave;
  return [
    // A reissue is a person's, and is sent without its run.
    ...(action.reissueOf === undefined && stopRequested(run)
      ? [{ kind: 'run_stopping' as const }]
      : []),
    ...(action.reissueOf === undefined && isEnded(run) ? [{ kind: 'run_over' as const }] : []),
    ...(claim !== undefined && isHeld(claim.item, nowMs) && action.reissueOf === undefined
      ? [
          {
            kind: 'claimed' as const,
            ...(claim.item.holder === undefined ? {} : { by: claim.item.holder }),
          },
        ]
      : []),
  ];
};

/** Look-alikes that the request does not show as they stand: engage would find them and ask anew. */
export const alikeSince = ({ action, request, marker }: Standing): boolean => {
  if (request.on !== 'approval' || request.decision !== undefined || marker === undefined)
    return false;
  const others = marker.holders.filter((holder) => holder !== action.actionId);
  return others.length > 0 && marker.rev !== request.likeness?.rev;
};

/** Nothing: an attempt could open under it now. An action that was sent is another matter, and its desk's. */
export const standsAgainst = (standing: Standing): readonly Against[] => {
  const { action, request } = standing;
  if (request.on !== 'approval' || action.attempts > 0 || action.told !== undefined) return [];
  return [
    ...ofPermission(standing),
    ...ofTime(standing),
    ...ofRun(standing),
    ...(actionDigest(action) === action.digest && action.digest === request.digest
      ? []
      : [{ kind: 'content_changed' as const }]),
    ...(alikeSince(standing) ? [{ kind: 'look_alike' as const }] : []),
  ];
};

/** The same request with the look-alikes as they stand: whoever approves it has both on view. */
export const askedAnew = (
  conversation: Versioned<Conversation>,
  { item, rev }: Versioned<PersonRequest>,
  { action, marker }: Standing,
): Change => {
  const shown = item.on === 'approval' ? (item.likeness?.holders ?? []) : [];
  const holders = [...shown, ...(marker?.holders ?? [])].filter((id) => id !== action.actionId);
  const likeness = { rev: marker?.rev ?? '', holders: [...new Set(holders)] };
  return {
    conversation,
    events: [],
    writes:
      item.on === 'approval'
        ? [{ do: 'replace', kind: 'request', item: { ...item, likeness }, rev }]
        : [],
  };
};
