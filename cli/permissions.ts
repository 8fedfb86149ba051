// `reprise permissions …` and `reprise requests revoke`: an agent's standing permissions to use tools, and approvals taken
// back. Owns: those commands. After a revocation no attempt opens under it (L7); what was sent is not undone.
import { z } from 'zod';
import { agentNamed } from './agent-named.ts';
import type { Client } from './client.ts';
import { type Command, exitCodes, type Given, needed, neededText, type Place } from './command.ts';
import { By, byWhom, Change, reasonFrom, reasonOption } from './reason.ts';
import { cut, pairs, table } from './table.ts';

const Permission = z.looseObject({
  agentId: z.string(),
  tool: z.string(),
  stands: z.boolean(),
  changes: z.array(Change),
});
type Permission = z.infer<typeof Permission>;

const TakenBack = z.looseObject({
  requestId: z.string(),
  actionId: z.string(),
  revokedAt: z.string(),
  revokedBy: By.optional(),
  attempts: z.number(),
});

const agentOption = {
  agent: {
    type: 'string',
    value: 'AGENT',
    en: 'Name or id of the agent',
    fr: 'Nom ou identifiant de l’agent',
  },
} as const;

/** Never guessed, not even where there is one agent only: a permission is somebody's. */
const agentFrom = (api: Client, given: Given, place: Place): Promise<string> =>
  agentNamed(api, neededText(given, 'agent', 'AGENT'), place);

const permissionRows = (items: readonly Permission[], place: Place): string =>
  table([
    [
      place.say('TOOL', 'OUTIL'),
      place.say('STATE', 'ÉTAT'),
      place.say('CHANGED', 'CHANGÉE'),
      place.say('BY', 'PAR'),
      place.say('BECAUSE', 'MOTIF'),
    ],
    ...items.map(({ tool, stands, changes }) => {
      const last = changes.at(-1);
      return [
        tool,
        stands ? place.say('stands', 'en vigueur') : place.say('revoked', 'révoquée'),
        last?.at ?? '-',
        last === undefined ? '' : byWhom(last.by),
        cut(last?.reason ?? '', 120),
      ];
    }),
  ]);

const list: Command = {
  name: 'permissions list',
  en: 'Lists which tools an agent may use',
  fr: 'Liste les outils qu’un agent peut utiliser',
  options: agentOption,
  run: async (given, place) => {
    const api = await place.client();
    const agentId = await agentFrom(api, given, place);
    const items = await api.all(Permission, `/v1/agents/${agentId}/mandates`);
    place.out(place.json ? JSON.stringify({ items }) : permissionRows(items, place));
    return exitCodes.ok;
  },
};

const changing = (
  name: 'revoke' | 'restore',
  words: { readonly en: string; readonly fr: string },
): Command => ({
  name: `permissions ${name}`,
  arguments: 'TOOL',
  takes: [1, 1],
  ...words,
  options: { ...agentOption, ...reasonOption },
  run: async (given, place) => {
    const tool = needed(given, place, 0, 'TOOL');
    const body = reasonFrom(given);
    const api = await place.client();
    const agentId = await agentFrom(api, given, place);
    const path = `/v1/agents/${agentId}/tools/${encodeURIComponent(tool)}/${name}`;
    const permission = await api.post(Permission, path, body);
    place.out(place.json ? JSON.stringify(permission) : permissionRows([permission], place));
    return exitCodes.ok;
  },
});

export const permissionCommands: readonly Command[] = [
  list,
  changing('revoke', {
    en: 'Revokes an agent’s permission to use a tool',
    fr: 'Révoque la permission d’un agent d’utiliser un outil',
  }),
  changing('restore', {
    en: 'Restores an agent’s permission to use a tool',
    fr: 'Rétablit la permission d’un agent d’utiliser un outil',
  }),
];

export const takeBackCommand: Command = {
  name: 'requests revoke',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Takes an approval back: no attempt opens under it any more',
  fr: 'Retire une approbation : plus aucune tentative ne s’ouvre sous elle',
  options: reasonOption,
  run: async (given, place) => {
    const requestId = encodeURIComponent(needed(given, place, 0, 'REQUEST'));
    const body = reasonFrom(given);
    const api = await place.client();
    const taken = await api.post(TakenBack, `/v1/requests/${requestId}/revoke`, body);
    place.out(
      place.json
        ? JSON.stringify(taken)
        : pairs([
            [place.say('request', 'demande'), taken.requestId],
            ['action', taken.actionId],
            [place.say('revoked', 'retirée'), taken.revokedAt],
            [place.say('by', 'par'), taken.revokedBy && byWhom(taken.revokedBy)],
            [place.say('attempts', 'tentatives'), String(taken.attempts)],
          ]),
    );
    if (taken.attempts > 0)
      place.tell(
        place.say(
          `What was sent before is not undone: reprise desk show ${taken.actionId}`,
          `Ce qui a été envoyé avant n’est pas défait : reprise desk show ${taken.actionId}`,
        ),
      );
    return exitCodes.ok;
  },
};
