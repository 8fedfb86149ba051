// Fields 5 to 8 of the recovery sheet: evidence, repetition contract, mandate, decision and owner. Pure.
// Laws: L8 (what a search is worth), L9 (whether the key still covers the first attempt), L10 (who is in charge).
// Tested in test/functions/api/desk/sheet.test.ts.

import { skewMs } from '../base/limits.ts';
import { isSettled } from '../records/action.ts';
import { isHeld } from '../records/claim.ts';
import { keyCovers } from '../recover/look-up.ts';
import type { SheetInput } from './input.ts';
import type { Fact, FieldFacts, Missing } from './says.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const webAddress = /^https?:\/\/\S+$/;

/** Observations that a page can hold; older ones are in the journal, and the newest say most. */
const observationsMax = 8;

const observationLines = ({ journal, links, action }: SheetInput): Fact[] =>
  journal.observations.slice(-observationsMax).map(
    (seen): Fact => ({
      say: 'observation',
      with: {
        source: seen.source,
        says: seen.says,
        lookUp: seen.lookUp,
        by: seen.author,
        uncounted: seen.uncounted,
        about: seen.about,
        because: seen.because,
        coverage: seen.coverage,
        account: seen.account,
        environment: seen.environment,
        reference: seen.reference,
      },
      at: seen.at,
      link:
        seen.reference !== undefined && webAddress.test(seen.reference)
          ? seen.reference
          : links.action(action.actionId),
      is: 'observed',
    }),
  );

const checkLines = ({ pinned }: SheetInput): Fact[] => {
  const { lookUp, progress } = pinned;
  const lines: Fact[] = [];
  if (lookUp) {
    const { coverage } = lookUp;
    lines.push({
      say: 'lookUp',
      with: {
        tool: lookUp.tool,
        by: lookUp.by,
        complete: coverage.complete,
        coverage: `${coverage.account}/${coverage.environment}, ${coverage.readRights}, ${coverage.period}`,
        settleMs: lookUp.settleMs,
      },
      is: 'supposed',
    });
  }
  if (progress?.poll)
    lines.push({
      say: 'poll',
      with: { tool: progress.poll.tool, everyMs: progress.everyMs },
      is: 'supposed',
    });
  return lines;
};

export const evidenceField = (input: SheetInput): FieldFacts => {
  const { pinned, journal } = input;
  const proves = journal.observations.some(
    ({ says, uncounted }) => !uncounted && (says === 'confirms' || says === 'disproves'),
  );
  const missing: Missing[] = [];
  if (!proves) missing.push('noEvidence');
  if (!pinned.lookUp) missing.push('noWayToLook');
  else if (!pinned.lookUp.coverage.complete || pinned.lookUp.by === 'natural')
    missing.push('lookUpIncomplete');
  return {
    lines: [...observationLines(input), ...checkLines(input)],
    missing,
    // That something was seen is observed; of the effect itself it proves nothing.
    ...(proves ? {} : { is: 'supposed' as const }),
  };
};

const keyLines = ({ action, pinned, nowMs }: SheetInput): Fact[] => {
  const { key } = pinned;
  if (key.kind === 'none') return [{ say: 'noKey', with: {}, is: 'supposed' }];
  if (key.kind === 'reference') return [{ say: 'referenceOnly', with: {}, is: 'supposed' }];
  const { scope, retentionMs, onRepeat, comparesParameters: compares } = key;
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  const endsAt = iso(firstMs + retentionMs - key.marginMs);
  return [
    { say: 'key', with: { scope, retentionMs, onRepeat, compares }, is: 'supposed' },
    keyCovers(pinned, firstMs, nowMs)
      ? { say: 'covers', with: { until: endsAt }, at: iso(nowMs), is: 'supposed' }
      : { say: 'coversNoMore', with: { since: endsAt }, at: iso(nowMs), is: 'supposed' },
  ];
};

export const repetitionField = (input: SheetInput): FieldFacts => {
  const { action, pinned, currentVersion, nowMs } = input;
  const { verification } = pinned;
  const firstMs = Date.parse(action.firstEngagedAt ?? action.plannedAt);
  return {
    lines: [
      ...keyLines(input),
      ...(verification === undefined
        ? []
        : [
            {
              say: 'tried' as const,
              with: { by: verification.by, how: verification.how },
              at: verification.at,
              ...(verification.report !== undefined && webAddress.test(verification.report)
                ? { link: verification.report }
                : {}),
              is: 'observed' as const,
            },
          ]),
      ...(currentVersion > action.tool.version
        ? [
            {
              say: 'newerContract' as const,
              with: { version: currentVersion },
              is: 'observed' as const,
            },
          ]
        : []),
    ],
    missing: [
      ...(verification === undefined ? (['notTried'] as const) : []),
      ...(pinned.key.kind === 'key' && !keyCovers(pinned, firstMs, nowMs)
        ? (['keyGone'] as const)
        : []),
    ],
  };
};

export const mandateField = (input: SheetInput): FieldFacts => {
  const { action, leave, run, links, nowMs, agentName } = input;
  const { approval } = leave;
  const expired = approval !== undefined && approval.expiresAtMs <= nowMs;
  const gone = leave.mandateRevokedAt !== undefined || leave.barredAt !== undefined || expired;
  const granted: Fact[] = approval
    ? [
        {
          say: 'approved',
          with: { by: approval.grantedBy, until: iso(approval.expiresAtMs) },
          at: approval.grantedAt,
          is: 'observed',
        },
      ]
    : [{ say: 'standing', with: { agent: agentName }, is: 'supposed' }];
  const revoked: Fact[] =
    approval?.revokedAt === undefined
      ? []
      : [
          {
            say: 'approvalRevoked',
            with: { by: approval.revokedBy?.name ?? '', reason: approval.revokedBecause ?? '' },
            at: approval.revokedAt,
            is: 'observed',
          },
        ];
  return {
    lines: [
      ...granted,
      ...revoked,
      ...leave.changes.map(
        (change): Fact => ({ say: 'changed', with: change, at: change.at, is: 'observed' }),
      ),
      {
        say: 'run',
        with: { status: run.state.status, runId: action.runId },
        at: 'at' in run.state ? run.state.at : iso(nowMs),
        link: links.run(action.runId),
        is: 'observed',
      },
    ],
    missing: gone ? ['mandateGone'] : [],
  };
};

const ownerLines = ({ leave, recovery, nowMs, pinned }: SheetInput): Fact[] => {
  const claim = leave.claim?.item;
  if (claim?.holder && isHeld(claim, nowMs))
    return [
      {
        say: 'holder',
        with: { by: claim.holder, until: iso(claim.untilMs) },
        at: claim.since,
        is: 'observed',
      },
    ];
  const name = recovery?.recoverer ?? pinned.recoverer;
  return name === undefined ? [] : [{ say: 'recoverer', with: { name }, is: 'supposed' }];
};

const isOpen = (recovery: SheetInput['recovery']): boolean =>
  recovery !== undefined && recovery.decision === undefined;

/** A date that was set is kept on the action, and counts only while its outcome is open. */
const plannedCheckMs = ({ action, nowMs }: SheetInput): number | undefined => {
  const { nextCheckAtMs, effect, disposition } = action;
  if (isSettled(effect) || disposition.kind !== 'open') return undefined;
  return nextCheckAtMs !== undefined && nextCheckAtMs > nowMs ? nextCheckAtMs : undefined;
};

/** Otherwise a person looks, whatever date was set. */
const looksByItself = ({ pinned }: SheetInput): boolean =>
  pinned.lookUp !== undefined || pinned.progress?.poll !== undefined;

const waitLines = (input: SheetInput): Fact[] => {
  const last = input.journal.decisions.at(-1);
  const untilMs = plannedCheckMs(input);
  if (last?.kind !== 'wait' || untilMs === undefined || last.untilMs !== untilMs) return [];
  const { by, at } = last;
  return [{ say: 'waits', with: { by, until: iso(untilMs) }, at, is: 'observed' }];
};

const nextLine = (input: SheetInput, owner: string | undefined): Fact => {
  const { action, recovery } = input;
  if (action.engaged)
    return {
      say: 'nextAt',
      with: { at: iso(action.engaged.deadlineAtMs + skewMs) },
      is: 'supposed',
    };
  const plannedMs = plannedCheckMs(input);
  if (plannedMs !== undefined && looksByItself(input))
    return { say: 'nextAt', with: { at: iso(plannedMs) }, is: 'supposed' };
  if (!isOpen(recovery)) return { say: 'nextNone', with: {}, is: 'observed' };
  if (recovery?.needsPerson === false) return { say: 'nextMachine', with: {}, is: 'observed' };
  return { say: 'nextPerson', with: { name: owner }, is: 'supposed' };
};

const disposedLines = ({ action, links }: SheetInput): Fact[] => {
  const { disposition } = action;
  if (disposition.kind === 'open') return [];
  const { kind, because, at } = disposition;
  const by = disposition.author?.name ?? disposition.by;
  return [
    { say: 'disposed', with: { kind, by, because }, at, is: 'observed' },
    ...(disposition.kind === 'reissued'
      ? [
          {
            say: 'reissuedAs' as const,
            with: { actionId: disposition.as },
            at,
            link: links.action(disposition.as),
            is: 'observed' as const,
          },
        ]
      : []),
  ];
};

export const decisionField = (input: SheetInput): FieldFacts => {
  const { journal, recovery } = input;
  const owners = ownerLines(input);
  const [owner] = owners;
  const name =
    owner?.say === 'holder'
      ? owner.with.by.name
      : owner?.say === 'recoverer'
        ? owner.with.name
        : undefined;
  const next = nextLine(input, name);
  const waits = waitLines(input);
  const asks = isOpen(recovery) && recovery?.needsPerson === true && waits.length === 0;
  return {
    lines: [
      ...journal.decisions.map(
        ({ kind, by, reason, seenHead, at }): Fact => ({
          say: 'decided',
          with: { kind, by, reason, seenHead },
          at,
          is: 'observed',
        }),
      ),
      ...disposedLines(input),
      ...waits,
      ...owners,
      next,
    ],
    missing: [
      ...(asks ? (['personsDecision'] as const) : []),
      ...(isOpen(recovery) && name === undefined ? (['nobodyInCharge'] as const) : []),
    ],
  };
};
