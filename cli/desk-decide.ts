// `reprise desk decide`: one of the seven decisions, with the evidence that a person states. Owns: that command and the
// options in which evidence is given. A decision carries the journal's head that was read and the claim's fence (L10).
import { z } from 'zod';
import { type Command, exitCodes, type Given, needed, UsageError } from './command.ts';

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

const decisionFrom = (kind: string, given: Given): object => {
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
        `"${kind}": attach, not_performed, repeat, wait, suspend, abandon, reissue`,
      );
  }
};

export const decideCommand: Command = {
  name: 'desk decide',
  arguments: 'ACTION KIND',
  takes: [2, 2],
  en: 'Decides: attach, not_performed, repeat, wait, suspend, abandon, reissue',
  fr: 'Décide : attach, not_performed, repeat, wait, suspend, abandon, reissue',
  options: {
    head: filter(
      'N',
      'The head that was read (reprise desk show)',
      'Le numéro lu (reprise desk show)',
    ),
    fence: filter('N', 'Of your claim (default: the present one)', 'De votre prise en charge'),
    ...evidenceOptions,
    reason: filter('TEXT', 'Why', 'Pourquoi'),
    risk: filter('TEXT', 'reissue: the risk you accept', 'reissue : le risque accepté'),
    until: filter('TIME', 'wait: until when', 'wait : jusqu’à quand'),
    affirm: {
      type: 'boolean',
      en: 'repeat: recipient, content and permission still stand',
      fr: 'repeat : destinataire, contenu et permission valent toujours',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const actionId = needed(given, place, 0, 'ACTION');
    const decision = decisionFrom(needed(given, place, 1, 'KIND'), given);
    const head = Number(given.text('head'));
    if (!Number.isInteger(head) || head < 1)
      throw new UsageError(
        place.say(
          '--head N is missing: read "reprise desk show ACTION" and name the head you saw.',
          'Il manque --head N : lisez « reprise desk show ACTION » et nommez le numéro vu.',
        ),
      );
    const { claim } = await api.get(Seen, `/v1/actions/${actionId}`);
    const fence = Number(given.text('fence') ?? claim?.fence ?? 1);
    const taken = await api.post(
      z.looseObject({ effect: z.string(), disposition: z.string() }),
      `/v1/actions/${actionId}/decisions`,
      {
        ...decision,
        seenHead: head,
        claimFence: fence,
      },
    );
    place.out(place.json ? JSON.stringify(taken) : `${taken.effect}, ${taken.disposition}`);
    return exitCodes.ok;
  },
};
