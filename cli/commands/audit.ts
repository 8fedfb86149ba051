// `reprise audit`: who decided what, when and why, newest first. Owns: that command.
import { z } from 'zod';
import { auditKinds } from '../../functions/api/schemas/audit-kinds.ts';
import {
  type Command,
  countFrom,
  exitCodes,
  type Given,
  oneOf,
  type Place,
} from '../kit/command.ts';
import { By, byWhom } from '../kit/reason.ts';
import { cut, table } from '../kit/table.ts';
import { wordFor } from '../words/terms.ts';

const Entry = z.looseObject({
  at: z.string(),
  by: By,
  kind: z.string(),
  decision: z.string(),
  on: z.string().optional(),
  reason: z.string().optional(),
  requestId: z.string().optional(),
  actionId: z.string().optional(),
  agentId: z.string().optional(),
  tool: z.string().optional(),
  skill: z.string().optional(),
  version: z.number().optional(),
});
type Entry = z.infer<typeof Entry>;

const pageMost = 100;

const pathFor = (given: Given, place: Place, limit: number): string => {
  const wanted = Object.entries({
    kind: oneOf(given, place, 'kind', auditKinds),
    by: given.text('by'),
    tool: given.text('tool'),
  }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const size = String(Math.min(limit, pageMost));
  return `/v1/audit?${new URLSearchParams([['limit', size], ...wanted])}`;
};

const aboutOf = (one: Entry, place: Place): string => {
  const number =
    one.version === undefined ? [] : [`${place.say('number', 'numéro')} ${one.version}`];
  const id = one.requestId ?? one.actionId ?? one.agentId ?? [];
  return [id, number].flat().join(', ');
};

const entryRows = (items: readonly Entry[], place: Place): string =>
  table([
    [
      place.say('AT', 'LE'),
      place.say('BY', 'PAR'),
      place.say('KIND', 'SORTE'),
      place.say('DECISION', 'DÉCISION'),
      place.say('TOOL', 'OUTIL'),
      place.say('ABOUT', 'OBJET'),
      place.say('BECAUSE', 'MOTIF'),
    ],
    ...items.map((one) => [
      one.at,
      byWhom(one.by),
      wordFor('auditKind', one.kind, place.language),
      wordFor('decision', one.decision, place.language),
      one.tool ?? one.skill ?? one.on ?? '',
      aboutOf(one, place),
      cut(one.reason ?? '', 120),
    ]),
  ]);

export const auditCommand: Command = {
  name: 'audit',
  en: 'Lists who decided or changed what, when and why, newest first',
  fr: 'Liste qui a décidé ou changé quoi, quand et pourquoi, du plus récent au plus ancien',
  options: {
    kind: {
      type: 'string',
      value: 'KIND',
      en: `Of this kind only: ${auditKinds.join(', ')}`,
      fr: `De cette sorte seulement : ${auditKinds.join(', ')}`,
    },
    by: {
      type: 'string',
      value: 'SUBJECT',
      en: 'By this subject only, or by "me"',
      fr: 'Par ce sujet seulement, ou par « me » (vous)',
    },
    tool: {
      type: 'string',
      value: 'NAME',
      en: 'About this tool only',
      fr: 'Au sujet de cet outil seulement',
    },
    limit: {
      type: 'string',
      value: 'N',
      en: 'At most so many (default 50)',
      fr: 'Au plus (défaut 50)',
    },
  },
  run: async (given, place) => {
    const limit = countFrom(given, place, 'limit', 50);
    const path = pathFor(given, place, limit);
    const api = await place.client();
    const items = await api.all(Entry, path, limit);
    place.out(place.json ? JSON.stringify({ items }) : entryRows(items, place));
    return exitCodes.ok;
  },
};
