// `reprise runs …`: what runs and what became of it. Owns: those commands.
import { z } from 'zod';
import type { Client } from '../kit/client.ts';
import {
  type Command,
  countFrom,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { pairs, table } from '../kit/table.ts';
import { agentNamed } from '../read/agent-named.ts';
import { follow } from '../read/follow.ts';
import { codeFor, nextWords, Run, runWords, State, tokenWords } from '../words/run.ts';
import { dispositionWord, effectWord } from '../words/terms.ts';

const Action = z.looseObject({
  actionId: z.string(),
  tool: z.looseObject({ name: z.string() }),
  effect: z.string(),
  disposition: z.looseObject({ kind: z.string() }),
  attempts: z.number(),
  reference: z.string().optional(),
});

const option = (value: string, en: string, fr: string) =>
  ({ type: 'string', value, en, fr }) as const;

/** Newest first: of one conversation, or of the whole workspace, page by page. */
const runsFor = async (given: Given, api: Client, place: Place): Promise<Run[]> => {
  const limit = countFrom(given, place, 'limit', 50);
  const conversation = given.text('conversation');
  const [state, agent] = [given.text('state'), given.text('agent')];
  if (conversation !== undefined) {
    if (state !== undefined || agent !== undefined)
      throw new UsageError(
        place.say(
          '--conversation lists all runs of one conversation: leave --state and --agent out.',
          '--conversation liste tous les runs d’une conversation : omettez --state et --agent.',
        ),
      );
    return api.all(
      Run,
      `/v1/conversations/${conversation}/runs?limit=${Math.min(limit, 1_000)}`,
      limit,
    );
  }
  const wanted = new URLSearchParams({ limit: String(Math.min(limit, 100)) });
  if (state !== undefined) wanted.set('state', state);
  if (agent !== undefined) wanted.set('agentId', await agentNamed(api, agent, place));
  return api.all(Run, `/v1/runs?${wanted}`, limit);
};

const list: Command = {
  name: 'runs list',
  en: 'Lists runs of the workspace, newest first',
  fr: 'Liste les runs de l’espace de travail, les plus récents d’abord',
  options: {
    conversation: option('ID', 'Of this conversation only', 'De cette conversation seulement'),
    state: option(
      'STATE',
      'running, waiting, stopping, done, step_limit, stopped, failed, cut_off, withheld, no_answer or withdrawn',
      'running, waiting, stopping, done, step_limit, stopped, failed, cut_off, withheld, no_answer ou withdrawn',
    ),
    agent: option(
      'AGENT',
      'Of this agent only (name or id)',
      'De cet agent seulement (nom ou identifiant)',
    ),
    limit: option('N', 'At most so many (default 50)', 'Au plus (défaut 50)'),
  },
  run: async (given, place) => {
    const found = await runsFor(given, await place.client(), place);
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
            runWords(run.state, place.language),
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
        [place.say('state', 'état'), runWords(run.state, place.language)],
        [place.say('detail', 'détail'), run.state.detail],
        [place.say('steps', 'étapes'), `${run.steps.taken}/${run.steps.limit}`],
        [place.say('since', 'depuis'), run.startedAt],
        [place.say('tokens', 'jetons'), tokenWords(run, place)],
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
            effectWord(one.effect, place.language),
            // Nothing was made of it by people or policy: that is no state to show beside its effect.
            one.disposition.kind === 'open'
              ? '-'
              : dispositionWord(one.disposition.kind, place.language),
            String(one.attempts),
            one.reference ?? '',
          ]),
        ])}`,
      );
    const next = await nextWords(api, run, place);
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
    const after = given.text('after') ?? '0';
    if (!/^\d+$/.test(after))
      throw new UsageError(
        place.say(
          `--after "${after}" is no event’s number, such as --after 12.`,
          `--after « ${after} » n’est pas le numéro d’un événement, comme --after 12.`,
        ),
      );
    return follow(api, place, { conversationId, runId, after: Number(after) });
  },
};

const stop: Command = {
  name: 'runs stop',
  arguments: 'RUN',
  takes: [1, 1],
  en: 'Stops a run; what was sent is settled first',
  fr: 'Arrête un run ; ce qui est parti est d’abord réglé',
  run: async (given, place) => {
    const api = await place.client();
    const runId = needed(given, place, 0, 'RUN');
    const stopped = await api.post(z.looseObject({ state: State }), `/v1/runs/${runId}/stop`);
    place.out(place.json ? JSON.stringify(stopped) : runWords(stopped.state, place.language));
    return exitCodes.ok;
  },
};

export const runCommands: readonly Command[] = [list, show, tail, stop];
