// `reprise tools …`: the tools that are registered, and barring one for everybody. Owns: those commands.
// After a bar no attempt of the tool opens (L7); what was sent is not undone.
import { z } from 'zod';
import { type Command, exitCodes, type Given, needed, type Place } from '../kit/command.ts';
import { alreadyWords, Change, changeRows, reasonFrom, reasonOption } from '../kit/reason.ts';
import { cut, pairs, table } from '../kit/table.ts';
import { wordFor } from '../words/terms.ts';

const Tool = z.looseObject({
  version: z.number(),
  createdAt: z.string(),
  createdBy: z.string(),
  author: z.looseObject({ name: z.string() }).optional(),
  registration: z.looseObject({
    name: z.string(),
    description: z.string(),
    transport: z.looseObject({ kind: z.string() }),
    contract: z.looseObject({
      effect: z.string(),
      destination: z.looseObject({
        provider: z.string(),
        account: z.string(),
        environment: z.string(),
      }),
      policy: z.looseObject({ approval: z.looseObject({ when: z.string() }) }),
    }),
  }),
});
type Tool = z.infer<typeof Tool>;

const Bar = z.looseObject({ tool: z.string(), barred: z.boolean(), changes: z.array(Change) });
type Bar = z.infer<typeof Bar>;

const pathOf = (given: Given, place: Place): string =>
  `/v1/tools/${encodeURIComponent(needed(given, place, 0, 'NAME'))}`;

const destinationOf = ({ registration }: Tool): string => {
  const { provider, account, environment } = registration.contract.destination;
  return `${provider} ${account} ${environment}`;
};

/** Effect and approval. */
const contractWords = (
  { registration: { contract } }: Tool,
  { language }: Place,
): readonly [effect: string, approval: string] => [
  wordFor('contractEffect', contract.effect, language),
  wordFor('approvalWhen', contract.policy.approval.when, language),
];

const list: Command = {
  name: 'tools list',
  en: 'Lists the tools, each with its newest version',
  fr: 'Liste les outils, chacun avec sa dernière version',
  run: async (_given, place) => {
    const api = await place.client();
    const items = await api.all(Tool, '/v1/tools');
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        table([
          [
            place.say('TOOL', 'OUTIL'),
            'VERSION',
            place.say('EFFECT', 'EFFET'),
            place.say('APPROVAL', 'APPROBATION'),
            place.say('DESTINATION', 'DESTINATAIRE'),
          ],
          ...items.map((one) => [
            one.registration.name,
            String(one.version),
            ...contractWords(one, place),
            destinationOf(one),
          ]),
        ]),
      );
    return exitCodes.ok;
  },
};

const barText = ({ tool, barred, changes }: Bar, place: Place): string =>
  [
    pairs([
      [place.say('tool', 'outil'), tool],
      [place.say('barred', 'interdit'), barred ? place.say('yes', 'oui') : place.say('no', 'non')],
    ]),
    ...(changes.length === 0 ? [] : [changeRows(changes, place)]),
  ].join('\n');

const toolText = (tool: Tool, place: Place): string => {
  const { description, transport, contract } = tool.registration;
  return [
    pairs([
      ['version', String(tool.version)],
      [place.say('since', 'depuis'), tool.createdAt],
      [place.say('by', 'par'), tool.author?.name ?? tool.createdBy],
      ['transport', transport.kind],
      [place.say('effect', 'effet'), contractWords(tool, place)[0]],
      [place.say('destination', 'destinataire'), destinationOf(tool)],
      [place.say('approval', 'approbation'), contractWords(tool, place)[1]],
      ['description', cut(description, 200)],
    ]),
    JSON.stringify(contract, undefined, 2),
  ].join('\n');
};

const show: Command = {
  name: 'tools show',
  arguments: 'NAME',
  takes: [1, 1],
  en: 'Shows a tool with its contract, and whether it is barred',
  fr: 'Montre un outil et son contrat, et s’il est interdit',
  run: async (given, place) => {
    const api = await place.client();
    const path = pathOf(given, place);
    const tool = await api.get(Tool, path);
    const bar = await api.get(Bar, `${path}/bar`);
    place.out(
      place.json
        ? JSON.stringify({ ...tool, bar })
        : `${barText(bar, place)}\n\n${toolText(tool, place)}`,
    );
    return exitCodes.ok;
  },
};

const barring = (
  name: 'bar' | 'unbar',
  words: { readonly en: string; readonly fr: string },
): Command => ({
  name: `tools ${name}`,
  arguments: 'NAME',
  takes: [1, 1],
  ...words,
  options: reasonOption,
  run: async (given, place) => {
    const path = pathOf(given, place);
    const body = reasonFrom(given, place);
    const api = await place.client();
    const before = await api.get(Bar, `${path}/bar`);
    const bar = await api.post(Bar, `${path}/${name}`, body);
    place.out(place.json ? JSON.stringify(bar) : barText(bar, place));
    if (before.barred === bar.barred) {
      const state = bar.barred ? place.say('barred', 'interdit') : place.say('allowed', 'permis');
      place.tell(alreadyWords(state, before.changes.at(-1), place));
    }
    return exitCodes.ok;
  },
});

export const toolCommands: readonly Command[] = [
  list,
  show,
  barring('bar', {
    en: 'Bars a tool for everybody: no attempt of it opens any more',
    fr: 'Interdit un outil à tous : plus aucune tentative ne s’ouvre',
  }),
  barring('unbar', {
    en: 'Lets a barred tool be used again',
    fr: 'Permet à nouveau un outil interdit',
  }),
];
