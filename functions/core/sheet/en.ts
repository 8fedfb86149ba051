// The recovery sheet in English. Owns: its sentences.
// Tested in test/functions/api/desk/sheet.test.ts.

import type { SheetWords } from './says.ts';
import { termsEn, whoIn } from './terms.ts';

const {
  changes,
  decisions,
  dispositions,
  effects,
  ends,
  kinds,
  milestones,
  repeats,
  runs,
  says,
  searches,
  sources,
} = termsEn;
const who = whoIn(termsEn);

export const en: SheetWords = {
  title: (tool, actionId) => `Recovery sheet: ${tool}, ${actionId}`,
  fields: {
    intent: 'Approved intent',
    identity: 'Stable identity',
    destination: 'Destination',
    lastFact: 'Last known fact',
    evidence: 'Evidence of effect',
    repetition: 'Repetition contract',
    mandate: 'Current mandate',
    decision: 'Decision and owner',
  },
  is: { observed: 'observed', supposed: 'supposed', mixed: 'partly observed, partly supposed' },
  effects,
  dispositions,
  contradicted: 'evidence disagrees',
  duplicated: 'duplicated',
  lines: {
    tool: {
      label: 'Operation',
      text: ({ name, version, effect }) =>
        `${name}, version ${version} (${kinds[effect]}); planned`,
    },
    argument: {
      label: 'Content',
      text: ({ name, value, cut }) =>
        `${name}: ${value}${cut ? '… (cut; whole behind the link)' : ''}`,
    },
    digest: { label: 'Digest', text: ({ digest }) => digest },
    asked: {
      label: 'Asked for',
      text: ({ text, by, cut }) => `by ${who(by)}: “${text}${cut ? '…' : ''}”`,
    },
    conversation: {
      label: 'In',
      text: ({ title, by }) =>
        `${title === '' ? 'a conversation' : `“${title}”,`} begun by ${who(by)}`,
    },
    approved: {
      label: 'Approval',
      text: ({ by, until }, { date }) => `approved by ${who(by)}, valid until ${date(until)}`,
    },
    approvalOpen: { label: 'Approval', text: () => 'asked for, not given' },
    standing: {
      label: 'Standing permission',
      text: ({ agent }) => `the agent “${agent}” may use this tool without asking`,
    },
    granted: { label: 'Grant', text: ({ by }) => `given with the approval ${by}` },
    reissueOf: {
      label: 'Reissue',
      text: ({ actionId }) =>
        `a new intention in place of ${actionId}, whose outcome was not known`,
    },
    action: { label: 'Action', text: ({ actionId }) => actionId },
    stored: {
      label: 'Stored before sending',
      text: ({ step, runId }) => `in the ledger, with step ${step} of ${runId}`,
    },
    travels: {
      label: 'Travels to the destination',
      text: ({ as, place }) => `as ${as} (${place})`,
    },
    attempt: {
      label: 'Attempt',
      text: ({ attempt, until }, { date }) =>
        `number ${attempt}, could be sent until ${date(until)}`,
    },
    destination: {
      label: 'Where',
      text: ({ provider, account, environment, apiVersion }) =>
        `${provider}, account ${account}, environment ${environment}, API version ${apiVersion}`,
    },
    operations: { label: 'Operation there', text: ({ operations }) => operations },
    state: {
      label: 'State',
      text: ({ effect, disposition }) =>
        disposition === 'open'
          ? effects[effect]
          : `${effects[effect]}; ${dispositions[disposition]}`,
    },
    ended: {
      label: 'Attempt ended',
      text: ({ attempt, how, milestone, because }) =>
        `number ${attempt}: ${ends[how]}; got as far as “${milestones[milestone]}”. ${because}`,
    },
    running: {
      label: 'May be under way',
      text: ({ attempt, until }, { date }) => `attempt ${attempt}, until ${date(until)}`,
    },
    contradicted: {
      label: 'Contradiction',
      text: () => 'the evidence disagrees: is it the same system, the same action?',
    },
    duplicated: { label: 'Duplicated', text: ({ twin }) => `${twin} was carried out as well` },
    object: { label: 'Object', text: ({ reference }) => reference },
    told: { label: 'Told to the agent', text: ({ text }) => text },
    observation: {
      label: 'Observation',
      text: ({
        source,
        says: said,
        lookUp,
        by,
        uncounted,
        because,
        coverage,
        account,
        environment,
        reference,
      }) =>
        [
          `${sources[source]}${by === undefined ? '' : ` (${who(by)})`}: ${
            lookUp === undefined ? says[said] : `${searches[lookUp]}; ${says[said]}`
          }.`,
          because,
          `In ${account}/${environment}.`,
          ...(coverage === undefined ? [] : [`Coverage: ${coverage}.`]),
          ...(reference === undefined ? [] : [`Reference: ${reference}.`]),
          ...(uncounted === undefined
            ? []
            : ['It settles nothing by itself: it counts with the decision that takes it up.']),
        ].join(' '),
    },
    lookUp: {
      label: 'Planned check',
      text: ({ tool, by, complete, coverage, settleMs }, { span }) =>
        `${tool}, by ${by === 'reference' ? 'reference' : 'name only'}; covers ${coverage} (${
          complete ? 'complete' : 'not complete'
        }); a miss counts ${span(settleMs)} after the attempt’s time`,
    },
    poll: {
      label: 'Planned check',
      text: ({ tool, everyMs }, { span }) => `${tool}, every ${span(everyMs)}`,
    },
    key: {
      label: 'Key',
      text: ({ scope, retentionMs, onRepeat, compares }, { span }) =>
        `remembered per ${scope} for ${span(retentionMs)}; a repeat ${repeats[onRepeat]}; ${
          compares ? 'parameters are compared' : 'parameters are not compared'
        }`,
    },
    referenceOnly: {
      label: 'Key',
      text: () => 'none: a reference travels and can be searched for, but a repeat acts again',
    },
    noKey: { label: 'Key', text: () => 'none: a repeat acts again' },
    covers: {
      label: 'First attempt',
      text: ({ until }, { date }) => `still covered by the key, until ${date(until)}`,
    },
    coversNoMore: {
      label: 'First attempt',
      text: ({ since }, { date }) => `no longer covered by the key, since ${date(since)}`,
    },
    tried: { label: 'Tried by', text: ({ by, how }) => `${by}: ${how}` },
    newerContract: {
      label: 'Newer contract',
      text: ({ version }) =>
        `version ${version} of the tool is the current one; a repeat needs both`,
    },
    changed: {
      label: 'Changed since',
      text: ({ what, by, reason }) => `${changes[what]} by ${who(by)}: ${reason}`,
    },
    approvalRevoked: {
      label: 'Changed since',
      text: ({ by, reason }) => `Approval revoked by ${by}: ${reason}`,
    },
    run: { label: 'Run', text: ({ status, runId }) => `${runId} is ${runs[status]}` },
    disposed: {
      label: 'Disposition',
      text: ({ kind, by, because }) => `${dispositions[kind]} by ${by}: ${because}`,
    },
    decided: {
      label: 'Decision',
      text: ({ kind, by, reason, seenHead }) =>
        `${decisions[kind]}, by ${who(by)}, on journal entry ${seenHead}${
          reason === undefined ? '' : `: ${reason}`
        }`,
    },
    holder: {
      label: 'In charge',
      text: ({ by, until }, { date }) => `${who(by)}, until ${date(until)}`,
    },
    recoverer: { label: 'In charge', text: ({ name }) => `${name}, until somebody claims it` },
    reissuedAs: { label: 'New intention', text: ({ actionId }) => actionId },
    waits: {
      label: 'Waits',
      text: ({ by, until }, { date }) => `until ${date(until)}, decided by ${who(by)}`,
    },
    nextAt: { label: 'Next check', text: ({ at }, { date }) => `by Reprise, on ${date(at)}` },
    nextMachine: { label: 'Next check', text: () => 'Reprise is looking now' },
    nextPerson: {
      label: 'Next check',
      text: ({ name }) => `${name ?? 'a person'} decides or looks`,
    },
    nextNone: { label: 'Next check', text: () => 'none is planned; late evidence is still taken' },
  },
  missing: {
    noPersonApproved: 'no person has approved this very content',
    identityStaysHere: 'the identity does not travel: the destination cannot tell a repeat',
    notSent: 'nothing was sent yet',
    nobodyAnsweredThere: 'this destination has not answered about this action',
    outcome: 'whether the effect happened',
    noEvidence: 'evidence that proves or disproves the effect',
    noWayToLook: 'a look-up: the contract declares none',
    lookUpIncomplete: 'a search that could prove absence',
    notTried: 'a trial of this contract: who tried repeats, when and how',
    keyGone: 'a key that still covers the first attempt',
    mandateGone: 'a mandate that stands now',
    nobodyInCharge: 'somebody in charge',
    personsDecision: 'a person’s decision',
  },
  stateAt: (date, by) => `State at this time: ${date}. Made for ${by}.`,
  parts: {
    since: 'since',
    missing: 'Missing',
    nothingMissing: 'nothing',
    owner: 'In charge',
    nobody: 'nobody',
    until: 'until',
    head: 'Journal entry',
    state: 'State',
    link: 'Address',
    observed: 'observed',
    supposed: 'supposed',
  },
};
