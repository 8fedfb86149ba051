// `reprise routines …`: scheduled messages and what came of them. Owns: those commands.
import { z } from 'zod';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { pairs, table } from '../kit/table.ts';
import { routineNamed } from '../read/routine-named.ts';
import { runWords, State } from '../words/run.ts';
import { wordFor } from '../words/terms.ts';

const Routine = z.looseObject({
  routineId: z.string(),
  name: z.string(),
  state: z.string(),
  schedule: z.string(),
  zone: z.string(),
  message: z.string(),
  nextAt: z.string().optional(),
});
const Occurrence = z.looseObject({
  occurrenceId: z.string(),
  cause: z.string(),
  dueAt: z.string(),
  outcome: z.looseObject({
    kind: z.string().optional(),
    because: z.string().optional(),
    conversationId: z.string().optional(),
    runId: z.string().optional(),
  }),
  run: z.looseObject({ runId: z.string(), state: State }).optional(),
});
const Preview = z.looseObject({
  occurrences: z.array(z.looseObject({ at: z.string(), local: z.string() })),
  words: z.looseObject({ en: z.string(), fr: z.string() }),
  warnings: z.array(z.looseObject({ words: z.looseObject({ en: z.string(), fr: z.string() }) })),
});

const occurrenceWords = (
  { cause, outcome }: Pick<z.infer<typeof Occurrence>, 'cause' | 'outcome'>,
  { language }: Place,
): readonly string[] =>
  [cause, outcome.kind ?? '', outcome.because ?? ''].map((value) =>
    wordFor('occurrence', value, language),
  );

const firedText = (fired: z.infer<typeof Occurrence>, place: Place): string => {
  const [cause = '', kind = '', because = ''] = occurrenceWords(fired, place);
  return pairs([
    [place.say('occurrence', 'échéance'), fired.occurrenceId],
    [place.say('cause', 'cause'), cause],
    [
      place.say('outcome', 'issue'),
      because === '' ? kind : `${kind}${place.say(':', ' :')} ${because}`,
    ],
    ['run', fired.outcome.runId],
    ['conversation', fired.outcome.conversationId],
  ]);
};

const list: Command = {
  name: 'routines list',
  en: 'Lists routines and when each is due next',
  fr: 'Liste les routines et leur prochaine échéance',
  run: async (_given, place) => {
    const api = await place.client();
    const items = await api.all(Routine, '/v1/routines');
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        table([
          [
            'ROUTINE',
            place.say('NAME', 'NOM'),
            place.say('STATE', 'ÉTAT'),
            place.say('SCHEDULE', 'HORAIRE'),
            place.say('NEXT', 'PROCHAINE'),
          ],
          ...items.map((one) => [
            one.routineId,
            one.name,
            wordFor('routineState', one.state, place.language),
            `${one.schedule} ${one.zone}`,
            one.nextAt ?? '',
          ]),
        ]),
      );
    return exitCodes.ok;
  },
};

const show: Command = {
  name: 'routines show',
  arguments: 'ROUTINE',
  takes: [1, 1],
  en: 'Shows a routine and its newest occurrences',
  fr: 'Montre une routine et ses dernières échéances',
  run: async (given, place) => {
    const api = await place.client();
    const routineId = await routineNamed(api, needed(given, place, 0, 'ROUTINE'), place);
    const routine = await api.get(Routine, `/v1/routines/${routineId}`);
    const occurrences = await api.all(Occurrence, `/v1/routines/${routineId}/occurrences`, 20);
    if (place.json) {
      place.out(JSON.stringify({ ...routine, occurrences }));
      return exitCodes.ok;
    }
    place.out(
      pairs([
        ['routine', routine.routineId],
        [place.say('name', 'nom'), routine.name],
        [place.say('state', 'état'), wordFor('routineState', routine.state, place.language)],
        [place.say('schedule', 'horaire'), `${routine.schedule} ${routine.zone}`],
        ['message', routine.message],
        [place.say('next', 'prochaine'), routine.nextAt],
      ]),
    );
    if (occurrences.length > 0)
      place.out(
        `\n${table(
          occurrences.map(({ dueAt, cause, outcome, run }) => [
            dueAt,
            ...occurrenceWords({ cause, outcome }, place),
            run === undefined ? '' : `${run.runId} ${runWords(run.state, place.language)}`,
          ]),
        )}`,
      );
    return exitCodes.ok;
  },
};

const acting = (
  name: 'pause' | 'resume' | 'run',
  words: { readonly en: string; readonly fr: string },
): Command => ({
  name: `routines ${name}`,
  arguments: 'ROUTINE',
  takes: [1, 1],
  ...words,
  run: async (given, place) => {
    const api = await place.client();
    const routineId = await routineNamed(api, needed(given, place, 0, 'ROUTINE'), place);
    const path = `/v1/routines/${routineId}/${name}`;
    if (name === 'run') {
      const fired = await api.post(Occurrence, path);
      place.out(place.json ? JSON.stringify(fired) : firedText(fired, place));
      const { runId } = fired.outcome;
      if (runId !== undefined)
        place.tell(
          place.say(`Follow it: reprise runs tail ${runId}`, `Suivre : reprise runs tail ${runId}`),
        );
      return exitCodes.ok;
    }
    const done = await api.post(Routine, path);
    place.out(
      place.json ? JSON.stringify(done) : wordFor('routineState', done.state, place.language),
    );
    return exitCodes.ok;
  },
});

const timetable = (given: Given, place: Place) => {
  const schedule = given.text('schedule');
  const zone = given.text('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (schedule === undefined)
    throw new UsageError(
      place.say(
        'Say when, as in: --schedule "cron(0 9 ? * MON-FRI *)"',
        'Dites quand, comme : --schedule "cron(0 9 ? * MON-FRI *)"',
      ),
    );
  return { schedule, zone };
};

const scheduleOptions = {
  schedule: {
    type: 'string',
    value: 'EXPRESSION',
    en: 'cron(…) with six fields, rate(…) or at(…)',
    fr: 'cron(…) à six champs, rate(…) ou at(…)',
  },
  zone: {
    type: 'string',
    value: 'ZONE',
    en: 'IANA zone (default: yours)',
    fr: 'Zone IANA (défaut : la vôtre)',
  },
} as const;

const shownPreview = (
  { words, occurrences, warnings }: z.infer<typeof Preview>,
  zone: string,
  place: Place,
): string =>
  [
    words[place.language],
    table([['UTC', zone], ...occurrences.map(({ at, local }) => [at, local])]),
    ...warnings.map((warning) => place.paint('open', warning.words[place.language])),
  ].join('\n');

const preview: Command = {
  name: 'routines preview',
  en: 'Shows when a schedule is due, with warnings about clock changes',
  fr: 'Montre les échéances d’un horaire, et avertit des changements d’heure',
  options: scheduleOptions,
  run: async (given, place) => {
    const api = await place.client();
    const when = timetable(given, place);
    const seen = await api.post(Preview, '/v1/routines/preview', { ...when, count: 5 });
    place.out(place.json ? JSON.stringify(seen) : shownPreview(seen, when.zone, place));
    return exitCodes.ok;
  },
};

export const routineCommands: readonly Command[] = [
  list,
  show,
  preview,
  acting('pause', { en: 'Pauses a routine', fr: 'Met une routine en pause' }),
  acting('resume', { en: 'Resumes a routine', fr: 'Reprend une routine' }),
  acting('run', { en: 'Fires a routine now', fr: 'Déclenche une routine maintenant' }),
];
