// `reprise runs mark|marks|unmark`: tool calls marked as faulty, with a note for whoever improves the agent.
// Owns: those commands, and how a call is named on the command line.
import { z } from 'zod';
import { faultKinds } from '../../functions/core/records/fault-mark.ts';
import { ApiRefusal, type Client } from '../kit/client.ts';
import {
  type Command,
  exitCodes,
  needed,
  neededText,
  oneOf,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { cut, table } from '../kit/table.ts';
import { agentNamed } from '../read/agent-named.ts';
import { wordFor } from '../words/terms.ts';

const Mark = z.looseObject({
  markId: z.string(),
  runId: z.string(),
  revision: z.number(),
  step: z.number(),
  call: z.number(),
  tool: z.string(),
  at: z.string(),
  by: z.looseObject({ name: z.string() }),
  kind: z.string().optional(),
  note: z.string().optional(),
});
type Mark = z.infer<typeof Mark>;

const Step = z.looseObject({
  step: z.number(),
  calls: z.array(z.looseObject({ actionId: z.string().optional(), callId: z.string().optional() })),
});
const Steps = z.looseObject({ items: z.array(Step), next: z.string().optional() });

interface Call {
  readonly step: number;
  /** From 0, as the API counts. */
  readonly call: number;
}

/** Where a call with this id is; a call that never became an action has an id within its step. */
const callById = async (api: Client, runId: string, id: string, place: Place): Promise<Call> => {
  let after = 0;
  for (;;) {
    const page = await api.get(Steps, `/v1/runs/${runId}/steps?afterStep=${after}`);
    for (const { step, calls } of page.items) {
      const call = calls.findIndex(({ actionId, callId }) => actionId === id || callId === id);
      if (call >= 0) return { step, call };
    }
    if (page.next === undefined) break;
    after = Number(page.next);
  }
  throw new UsageError(
    place.say(
      `${runId} has no call ${id}. \`reprise runs show ${runId}\` lists its actions.`,
      `${runId} n’a pas d’appel ${id}. \`reprise runs show ${runId}\` liste ses actions.`,
    ),
  );
};

/** `2.1` is the first call of step 2. */
const callFrom = async (text: string, api: Client, runId: string, place: Place): Promise<Call> => {
  const [, step, call] = /^([1-9]\d*)\.([1-9]\d*)$/.exec(text) ?? [];
  return step === undefined || call === undefined
    ? callById(api, runId, text, place)
    : { step: Number(step), call: Number(call) - 1 };
};

/** The API counts calls from 0 and says so; here they count from 1. */
const asCounted = (error: unknown, { step, call }: Call, runId: string, place: Place): unknown => {
  if (!(error instanceof ApiRefusal) || !error.problem.type.endsWith('/no-such-call')) return error;
  const detail = place.say(
    `${runId} has no call ${step}.${call + 1}: "${step}.1" is the first call of step ${step}. Its actions: reprise runs show ${runId}`,
    `${runId} n’a pas d’appel ${step}.${call + 1} : « ${step}.1 » est le premier appel de l’étape ${step}. Ses actions : reprise runs show ${runId}`,
  );
  return new ApiRefusal({ ...error.problem, detail });
};

const rows = (marks: readonly Mark[], place: Place): string =>
  table([
    [
      place.say('MARK', 'SIGNALEMENT'),
      'RUN',
      place.say('REVISION', 'RÉVISION'),
      place.say('CALL', 'APPEL'),
      place.say('TOOL', 'OUTIL'),
      place.say('KIND', 'SORTE'),
      place.say('BY', 'PAR'),
      place.say('AT', 'LE'),
      'NOTE',
    ],
    ...marks.map((mark) => [
      mark.markId,
      mark.runId,
      String(mark.revision),
      `${mark.step}.${mark.call + 1}`,
      cut(mark.tool, 40),
      mark.kind === undefined ? '' : wordFor('faultKind', mark.kind, place.language),
      cut(mark.by.name, 30),
      mark.at,
      cut(mark.note ?? '', 120),
    ]),
  ]);

const mark: Command = {
  name: 'runs mark',
  arguments: 'RUN',
  takes: [1, 1],
  en: 'Marks a tool call as faulty, with a note; it changes nothing about the run',
  fr: 'Signale un appel d’outil comme fautif, avec une note ; ne change rien au run',
  options: {
    call: {
      type: 'string',
      value: 'STEP.CALL',
      en: '2.1 is the first call of step 2; or an action’s id',
      fr: '2.1 est le premier appel du pas 2 ; ou l’identifiant d’une action',
    },
    note: {
      type: 'string',
      value: 'TEXT',
      en: 'What the agent should have done',
      fr: 'Ce que l’agent aurait dû faire',
    },
    kind: {
      type: 'string',
      value: 'KIND',
      en: faultKinds.join(', '),
      fr: faultKinds.join(', '),
    },
  },
  run: async (given, place) => {
    const runId = needed(given, place, 0, 'RUN');
    const note = neededText(given, place, 'note', '"Should have asked first."');
    const text = neededText(given, place, 'call', '2.1');
    const kind = oneOf(given, place, 'kind', faultKinds);
    const api = await place.client();
    const call = await callFrom(text, api, runId, place);
    const body = { ...call, note, ...(kind === undefined ? {} : { kind }) };
    const made = await api
      .post(Mark, `/v1/runs/${runId}/fault-marks`, body)
      .catch((error: unknown) => Promise.reject(asCounted(error, call, runId, place)));
    place.out(place.json ? JSON.stringify(made) : rows([made], place));
    return exitCodes.ok;
  },
};

const marks: Command = {
  name: 'runs marks',
  arguments: '[RUN]',
  takes: [0, 1],
  en: 'Lists the calls marked as faulty, of a run or of an agent (newest first)',
  fr: 'Liste les appels signalés comme fautifs, d’un run ou d’un agent (le plus récent d’abord)',
  options: {
    agent: {
      type: 'string',
      value: 'AGENT',
      en: 'Of the runs of this agent (name or id)',
      fr: 'Des runs de cet agent (nom ou identifiant)',
    },
  },
  run: async (given, place) => {
    const agent = given.text('agent');
    const [runId] = given.positionals;
    if ((agent === undefined) === (runId === undefined))
      throw new UsageError(
        place.say(
          'Name a run, as in "reprise runs marks run_…", or an agent, as in --agent "Help desk"; one of the two.',
          'Nommez un run, comme dans « reprise runs marks run_… », ou un agent, comme dans --agent "Help desk" ; l’un des deux.',
        ),
      );
    const api = await place.client();
    const of =
      runId === undefined ? `agents/${await agentNamed(api, agent, place)}` : `runs/${runId}`;
    const items = await api.all(Mark, `/v1/${of}/fault-marks`);
    if (place.json) place.out(JSON.stringify({ items }));
    else if (items.length > 0) place.out(rows(items, place));
    else place.tell(place.say('No call is marked.', 'Aucun appel n’est signalé.'));
    return exitCodes.ok;
  },
};

const unmark: Command = {
  name: 'runs unmark',
  arguments: 'RUN MARK',
  takes: [2, 2],
  en: 'Takes a mark back: your own, or any as an administrator',
  fr: 'Retire un signalement : le vôtre, ou tout autre en tant qu’administrateur',
  options: {
    erase: {
      type: 'boolean',
      en: 'Erases its notes as well',
      fr: 'Efface aussi ses notes',
    },
  },
  run: async (given, place) => {
    const runId = needed(given, place, 0, 'RUN');
    const markId = needed(given, place, 1, 'MARK');
    const api = await place.client();
    const path = `/v1/runs/${runId}/fault-marks/${markId}/take-back`;
    const taken = await api.post(Mark, path, { erase: given.flag('erase') });
    place.out(place.json ? JSON.stringify(taken) : place.say('Taken back.', 'Retiré.'));
    return exitCodes.ok;
  },
};

export const faultCommands: readonly Command[] = [mark, marks, unmark];
