// `reprise desk decide`: one of the seven decisions, with the evidence that a person states. Owns: that command and the
// options in which evidence is given. A decision carries the journal's head that was read and the claim's fence (L10).
import { z } from 'zod';
import { type Command, exitCodes, type Given, needed, UsageError } from '../kit/command.ts';
import type { Say } from '../kit/speech.ts';
import { afterDecision } from '../words/desk.ts';
import { stateWords } from '../words/terms.ts';

export const Claim = z.looseObject({
  fence: z.number(),
  holder: z.looseObject({ name: z.string() }).optional(),
  until: z.string(),
});
export const Seen = z.looseObject({
  action: z.looseObject({ actionId: z.string(), head: z.number(), effect: z.string() }),
  claim: Claim.optional(),
  decisions: z.array(
    z.looseObject({ kind: z.string(), allowed: z.boolean(), reason: z.string().optional() }),
  ),
});

const Taken = z.looseObject({
  effect: z.string(),
  disposition: z.string(),
  reissuedAs: z.string().optional(),
});

export type Seen = z.infer<typeof Seen>;

export const filter = (value: string, en: string, fr: string) =>
  ({ type: 'string', value, en, fr }) as const;

export const evidenceOptions = {
  what: filter('TEXT', 'What was seen', 'Ce qui a été vu'),
  where: filter('TEXT', 'Where', 'Où'),
  when: filter('TIME', 'When, ISO 8601 (default now)', 'Quand, ISO 8601 (défaut maintenant)'),
  coverage: filter('TEXT', 'How far the search went', 'Jusqu’où la recherche est allée'),
  reference: filter('TEXT', 'The object’s own reference', 'La référence propre de l’objet'),
};

export const evidenceFrom = (given: Given) => ({
  what: given.text('what') ?? '',
  where: given.text('where') ?? '',
  when: given.text('when') ?? new Date().toISOString(),
  coverage: given.text('coverage') ?? '',
  ...(given.text('reference') === undefined ? {} : { reference: given.text('reference') }),
});

const evidenceFlags = {
  what: ['what was seen', 'ce qui a été vu'],
  where: ['where it was seen', 'où cela a été vu'],
  coverage: ['how far the search went', 'jusqu’où la recherche est allée'],
} as const;
const flagWords: { readonly [flag: string]: readonly [en: string, fr: string] } = {
  ...evidenceFlags,
  reason: ['why', 'pourquoi'],
  risk: ['the risk you accept', 'le risque accepté'],
  until: ['until when, ISO 8601', 'jusqu’à quand, ISO 8601'],
};
const flagsNeeded: { readonly [kind: string]: readonly string[] } = {
  attach: Object.keys(evidenceFlags),
  not_performed: Object.keys(evidenceFlags),
  wait: ['until', 'reason'],
  suspend: ['reason'],
  abandon: ['reason'],
  reissue: ['reason', 'risk'],
};

const isTime = (text: string): boolean => z.iso.datetime().safeParse(text).success;

/** What the flags leave open, each named once; empty when all is said. */
const complaints = (flags: readonly string[], given: Given, say: Say): readonly string[] => {
  const missing = flags
    .filter((flag) => (given.text(flag) ?? '').trim() === '')
    .map((flag) => `--${flag} (${say(...(flagWords[flag] ?? [flag, flag]))})`);
  const badTimes = ['when', 'until'].filter((flag) => {
    const text = given.text(flag) ?? '';
    return text !== '' && !isTime(text);
  });
  return [
    ...(missing.length === 0
      ? []
      : [say(`Missing: ${missing.join(', ')}.`, `Il manque : ${missing.join(', ')}.`)]),
    ...badTimes.map((flag) =>
      say(
        `--${flag} "${given.text(flag)}" is no time such as 2026-11-30T09:00:00Z.`,
        `--${flag} « ${given.text(flag)} » n’est pas une heure telle que 2026-11-30T09:00:00Z.`,
      ),
    ),
  ];
};

/** Throws UsageError, naming the flags, when the evidence is not whole. */
export const checkEvidence = (given: Given, say: Say): void => {
  const open = complaints(Object.keys(evidenceFlags), given, say);
  if (open.length > 0) throw new UsageError(open.join('\n'));
};

/** Throws UsageError when the flags do not make the decision; first says that the claim is missing, if it is. */
export const checkFlags = (
  { actionId, kind, claim }: { actionId: string; kind: string; claim: Seen['claim'] },
  given: Given,
  say: Say,
): void => {
  const open = complaints(flagsNeeded[kind] ?? [], given, say);
  if (open.length === 0) return;
  const unheld = claim?.holder === undefined || Date.parse(claim.until) <= Date.now();
  const first = say(
    `Nobody holds the claim. First: reprise desk claim ${actionId}`,
    `Personne n’a pris la reprise en charge. D’abord : reprise desk claim ${actionId}`,
  );
  throw new UsageError([...(unheld ? [first] : []), ...open].join('\n'));
};

const decisionFrom = (kind: string, given: Given, say: Say): object => {
  const reason = given.text('reason') ?? '';
  switch (kind) {
    case 'attach':
    case 'not_performed':
      return { kind, evidence: evidenceFrom(given) };
    case 'repeat':
      return { kind, affirmed: given.flag('affirm') };
    case 'wait':
      return { kind, until: given.text('until') ?? '', reason };
    case 'suspend':
    case 'abandon':
      return { kind, reason };
    case 'reissue':
      return { kind, reason, riskAccepted: given.text('risk') ?? '' };
    default:
      throw new UsageError(
        say(
          `"${kind}" is no decision. There are: attach, not_performed, repeat, wait, suspend, abandon, reissue.`,
          `« ${kind} » n’est pas une décision. Il y a : attach, not_performed, repeat, wait, suspend, abandon, reissue.`,
        ),
      );
  }
};

export const decideCommand: Command = {
  name: 'desk decide',
  arguments: 'ACTION KIND',
  takes: [2, 2],
  en: 'Decides: attach, not_performed, repeat, wait, suspend, abandon, reissue',
  fr: 'Décide : attach, not_performed, repeat, wait, suspend, abandon, reissue',
  options: {
    head: filter(
      'N',
      'The head that was read (reprise desk show)',
      'Le numéro lu (reprise desk show)',
    ),
    fence: filter('N', 'Of your claim (default: the present one)', 'De votre prise en charge'),
    ...evidenceOptions,
    reason: filter('TEXT', 'Why', 'Pourquoi'),
    risk: filter('TEXT', 'reissue: the risk you accept', 'reissue : le risque accepté'),
    until: filter('TIME', 'wait: until when', 'wait : jusqu’à quand'),
    affirm: {
      type: 'boolean',
      en: 'repeat: recipient, content and permission still stand',
      fr: 'repeat : destinataire, contenu et permission valent toujours',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const actionId = needed(given, place, 0, 'ACTION');
    const kind = needed(given, place, 1, 'KIND');
    const decision = decisionFrom(kind, given, place.say);
    const head = Number(given.text('head'));
    if (!Number.isInteger(head) || head < 1)
      throw new UsageError(
        place.say(
          '--head N is missing: read "reprise desk show ACTION" and name the head you saw.',
          'Il manque --head N : lisez « reprise desk show ACTION » et nommez le numéro vu.',
        ),
      );
    const { claim } = await api.get(Seen, `/v1/actions/${actionId}`);
    checkFlags({ actionId, kind, claim }, given, place.say);
    const fence = Number(given.text('fence') ?? claim?.fence ?? 1);
    const taken = await api.post(Taken, `/v1/actions/${actionId}/decisions`, {
      ...decision,
      seenHead: head,
      claimFence: fence,
    });
    const { effect, disposition } = taken;
    const words = stateWords(effect, disposition, place.language);
    place.out(place.json ? JSON.stringify(taken) : words);
    const now = { kind, actionId, until: given.text('until'), newActionId: taken.reissuedAs };
    place.tell(afterDecision(now, place));
    return exitCodes.ok;
  },
};
