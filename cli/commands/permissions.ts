// `reprise permissions …` and `reprise requests revoke`: an agent's standing permissions to use tools, and approvals taken
// back. Owns: those commands. After a revocation no attempt opens under it (L7); what was sent is not undone.
import { z } from 'zod';
import type { Client } from '../kit/client.ts';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  neededText,
  type Place,
} from '../kit/command.ts';
import { nearest } from '../kit/near.ts';
import {
  alreadyWords,
  By,
  byWhom,
  Change,
  changeRows,
  reasonFrom,
  reasonOption,
} from '../kit/reason.ts';
import { cut, pairs, table } from '../kit/table.ts';
import { agentNamed } from '../read/agent-named.ts';

const Permission = z.looseObject({
  agentId: z.string(),
  tool: z.string(),
  stands: z.boolean(),
  changes: z.array(Change),
  remembered: z
    .array(
      z.looseObject({
        requestId: z.string(),
        condition: z.string(),
        runId: z.string().optional(),
        expiresAtMs: z.number().optional(),
        stands: z.boolean(),
        grantedBy: By,
      }),
    )
    .default([]),
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
  agentNamed(api, neededText(given, place, 'agent', '"Help desk"'), place);

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

/** What was remembered with approvals and still stands: who said so, for what, until when, and how it is taken back. */
const rememberedText = (items: readonly Permission[], { say }: Place): string =>
  items
    .flatMap(({ tool, remembered }) =>
      remembered
        .filter(({ stands }) => stands)
        .map(({ requestId, condition, runId, expiresAtMs, grantedBy }) => {
          const until = expiresAtMs === undefined ? '' : new Date(expiresAtMs).toISOString();
          const scope = runId ?? say('this agent', 'cet agent');
          return say(
            `${tool}: not asked when ${condition}, for ${scope}, until ${until}, by ${byWhom(grantedBy)}. Take it back: reprise requests revoke ${requestId} --reason "…"`,
            `${tool} : sans demande quand ${condition}, pour ${scope}, jusqu’au ${until}, par ${byWhom(grantedBy)}. Pour le retirer : reprise requests revoke ${requestId} --reason "…"`,
          );
        }),
    )
    .join('\n');

/** Tool by tool: what was changed. */
const historyText = (items: readonly Permission[], place: Place): string =>
  items
    .map(({ tool, changes }) =>
      changes.length === 0
        ? place.say(`${tool}\n  never changed`, `${tool}\n  jamais changée`)
        : `${tool}\n${changeRows(changes, place).replaceAll(/^/gm, '  ')}`,
    )
    .join('\n');

/** As it stands. Throws UsageError when the agent has no such tool, not even from a skill or in an earlier revision. */
const permissionFor = async (
  api: Client,
  agentId: string,
  tool: string,
  place: Place,
): Promise<Permission> => {
  const items = await api.all(Permission, `/v1/agents/${agentId}/mandates`);
  const found = items.find((one) => one.tool === tool);
  if (found !== undefined) return found;
  const meant = nearest(
    tool,
    items.map((one) => one.tool),
  );
  const names = items.map((one) => one.tool).join(', ');
  throw new Error(
    place.say(
      `This agent has no tool "${tool}"${meant === undefined ? '' : ` (did you mean ${meant}?)`}. It has: ${names}. Nothing was changed.`,
      `Cet agent n’a pas d’outil « ${tool} »${meant === undefined ? '' : ` (${meant} ?)`}. Il a : ${names}. Rien n’a été changé.`,
    ),
  );
};

const list: Command = {
  name: 'permissions list',
  en: 'Lists which tools an agent may use',
  fr: 'Liste les outils qu’un agent peut utiliser',
  options: {
    ...agentOption,
    history: {
      type: 'boolean',
      en: 'Every change, with who and why, oldest first',
      fr: 'Chaque changement, avec qui et pourquoi, du plus ancien au plus récent',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const agentId = await agentFrom(api, given, place);
    const items = await api.all(Permission, `/v1/agents/${agentId}/mandates`);
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        [
          given.flag('history') ? historyText(items, place) : permissionRows(items, place),
          rememberedText(items, place),
        ]
          .filter((part) => part !== '')
          .join('\n'),
      );
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
    const body = reasonFrom(given, place);
    const api = await place.client();
    const agentId = await agentFrom(api, given, place);
    const before = await permissionFor(api, agentId, tool, place);
    const path = `/v1/agents/${agentId}/tools/${encodeURIComponent(tool)}/${name}`;
    const permission = await api.post(Permission, path, body);
    place.out(place.json ? JSON.stringify(permission) : permissionRows([permission], place));
    if (before.stands === permission.stands) {
      const state = permission.stands
        ? place.say('in force', 'en vigueur')
        : place.say('revoked', 'révoquée');
      place.tell(alreadyWords(state, before.changes.at(-1), place));
    }
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
  fr: 'Retire une approbation : plus aucune tentative ne s’ouvre sous elle',
  options: reasonOption,
  run: async (given, place) => {
    const requestId = encodeURIComponent(needed(given, place, 0, 'REQUEST'));
    const body = reasonFrom(given, place);
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
          `Ce qui a été envoyé avant n’est pas défait : reprise desk show ${taken.actionId}`,
        ),
      );
    return exitCodes.ok;
  },
};
