// `reprise runs …`: what runs and what became of it. Owns: those commands.
import { z } from 'zod';
import type { Client } from './client.ts';
import { type Command, exitCodes, type Given, needed, UsageError } from './command.ts';
import { codeFor, follow, nextLine, Run, State, stateWords } from './follow.ts';
import { pairs, table } from './table.ts';

const Conversation = z.looseObject({ conversationId: z.string(), title: z.string() });
const Action = z.looseObject({
  actionId: z.string(),
  tool: z.looseObject({ name: z.string() }),
  effect: z.string(),
  disposition: z.looseObject({ kind: z.string() }),
  attempts: z.number(),
  reference: z.string().optional(),
});
const runsOf = async (api: Client, conversationId: string, limit: number): Promise<Run[]> => {
  const page = z.looseObject({ items: z.array(Run) });
  const path = `/v1/conversations/${conversationId}/runs?limit=${limit}`;
  return (await api.get(page, path)).items;
};

const numberFrom = (given: Given, name: string, usual: number): number => {
  const value = Number(given.text(name) ?? usual);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`--${name} N`);
};

const list: Command = {
  name: 'runs list',
  en: 'Lists runs, newest first',
  fr: 'Liste les runs, les plus récents d’abord',
  options: {
    conversation: {
      type: 'string',
      value: 'ID',
      en: 'Of this one only',
      fr: 'De celle-ci seulement',
    },
    limit: {
      type: 'string',
      value: 'N',
      en: 'Conversations (default 20)',
      fr: 'Conversations (défaut 20)',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const one = given.text('conversation');
    const limit = numberFrom(given, 'limit', 20);
    const conversations =
      one === undefined
        ? await api.all(Conversation, `/v1/conversations?limit=${Math.min(limit, 100)}`, limit)
        : [{ conversationId: one, title: '' }];
    const found: Run[] = [];
    for (const { conversationId } of conversations)
      found.push(...(await runsOf(api, conversationId, one === undefined ? 5 : 100)));
    found.sort((one, other) => other.startedAt.localeCompare(one.startedAt));
    if (place.json) place.out(JSON.stringify({ items: found }));
    else
      place.out(
        table([
          [
            'RUN',
            place.say('STATE', 'ÉTAT'),
            place.say('STEPS', 'ÉTAPES'),
            place.say('SINCE', 'DEPUIS'),
            'CONVERSATION',
          ],
          ...found.map((run) => [
            run.runId,
            stateWords(run.state),
            `${run.steps.taken}/${run.steps.limit}`,
            run.startedAt,
            run.conversationId,
          ]),
        ]),
      );
    return exitCodes.ok;
  },
};

const show: Command = {
  name: 'runs show',
  arguments: 'RUN',
  takes: [1, 1],
  en: 'Shows one run with its actions',
  fr: 'Montre un run et ses actions',
  run: async (given, place) => {
    const api = await place.client();
    const runId = needed(given, place, 0, 'RUN');
    const run = await api.get(Run, `/v1/runs/${runId}`);
    const actions = await api.all(Action, `/v1/runs/${runId}/actions`);
    if (place.json) {
      place.out(JSON.stringify({ ...run, actions }));
      return codeFor(run);
    }
    place.out(
      pairs([
        ['run', run.runId],
        ['conversation', run.conversationId],
        [place.say('state', 'état'), stateWords(run.state)],
        [place.say('detail', 'détail'), run.state.detail],
        [place.say('steps', 'étapes'), `${run.steps.taken}/${run.steps.limit}`],
        [place.say('since', 'depuis'), run.startedAt],
        ...run.executions.map(({ name, trace }): [string, string] => [
          place.say('execution', 'exécution'),
          trace === undefined ? name : `${name}  ${new URL(trace, api.url)}`,
        ]),
      ]),
    );
    if (actions.length > 0)
      place.out(
        `\n${table([
          [
            'ACTION',
            place.say('TOOL', 'OUTIL'),
            place.say('EFFECT', 'EFFET'),
            'DISPOSITION',
            '#',
            place.say('REFERENCE', 'RÉFÉRENCE'),
          ],
          ...actions.map((one) => [
            one.actionId,
            one.tool.name,
            one.effect,
            one.disposition.kind,
            String(one.attempts),
            one.reference ?? '',
          ]),
        ])}`,
      );
    const next = nextLine(run, place.say);
    if (next !== undefined) place.tell(next);
    return codeFor(run);
  },
};

const tail: Command = {
  name: 'runs tail',
  arguments: 'RUN',
  takes: [1, 1],
  en: 'Prints a run’s events until it ends or waits for a person (then exit code 3)',
  fr: 'Affiche les événements d’un run jusqu’à sa fin ou l’attente d’une personne (code 3)',
  options: {
    after: {
      type: 'string',
      value: 'N',
      en: 'After event N (default 0)',
      fr: 'Après l’événement N (défaut 0)',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const runId = needed(given, place, 0, 'RUN');
    const { conversationId } = await api.get(Run, `/v1/runs/${runId}`);
    return follow(api, place, { conversationId, runId, after: Number(given.text('after') ?? 0) });
  },
};

const stop: Command = {
  name: 'runs stop',
  arguments: 'RUN',
  takes: [1, 1],
  en: 'Stops a run; what was sent is settled first',
  fr: 'Arrête un run ; ce qui est parti est d’abord réglé',
  run: async (given, place) => {
    const api = await place.client();
    const runId = needed(given, place, 0, 'RUN');
    const stopped = await api.post(z.looseObject({ state: State }), `/v1/runs/${runId}/stop`);
    place.out(place.json ? JSON.stringify(stopped) : stateWords(stopped.state));
    return exitCodes.ok;
  },
};

export const runCommands: readonly Command[] = [list, show, tail, stop];
