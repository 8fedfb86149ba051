// `reprise requests …`, `answer`, `approve`, `refuse`: what waits for a person, and answering it. Owns: those commands.
// An approval names the digest that was read: when the content has changed since, it is refused (L6, L13).
import { z } from 'zod';
import { type Command, exitCodes, type Given, needed, type Place, UsageError } from './command.ts';
import { cut, pairs, table } from './table.ts';
import { readJson } from './trials/subject.ts';

const Request = z.looseObject({
  requestId: z.string(),
  on: z.string(),
  openedAt: z.string(),
  actionId: z.string().optional(),
  digest: z.string().optional(),
  message: z.string().optional(),
  form: z.unknown().optional(),
  decision: z.looseObject({ kind: z.string() }).optional(),
});
const View = z.looseObject({
  request: Request,
  action: z
    .looseObject({
      tool: z.looseObject({ name: z.string() }),
      destination: z.looseObject({
        provider: z.string(),
        account: z.string(),
        environment: z.string(),
      }),
      arguments: z.unknown().optional(),
      digest: z.string(),
    })
    .optional(),
  lookAlikes: z.array(z.looseObject({ actionId: z.string(), effect: z.string() })),
});
const Answered = z.looseObject({ decision: z.looseObject({ kind: z.string() }) });

const list: Command = {
  name: 'requests list',
  en: 'Lists what waits for you (exit code 3 when anything does)',
  fr: 'Liste ce qui vous attend (code 3 s’il y a quelque chose)',
  run: async (_given, place) => {
    const api = await place.client();
    const items = await api.all(Request, '/v1/requests');
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        table([
          [
            place.say('REQUEST', 'DEMANDE'),
            place.say('FOR', 'POUR'),
            place.say('SINCE', 'DEPUIS'),
            place.say('ABOUT', 'OBJET'),
          ],
          ...items.map((one) => [
            one.requestId,
            one.on,
            one.openedAt,
            cut(one.message ?? one.actionId ?? '', 80),
          ]),
        ]),
      );
    return items.length === 0 ? exitCodes.ok : exitCodes.needsPerson;
  },
};

const shownView = ({ request, action, lookAlikes }: z.infer<typeof View>, place: Place): string => {
  const destination = action?.destination;
  return [
    pairs([
      [place.say('request', 'demande'), request.requestId],
      [place.say('for', 'pour'), request.on],
      [place.say('since', 'depuis'), request.openedAt],
      [place.say('decision', 'décision'), request.decision?.kind],
      ['message', request.message],
      [place.say('tool', 'outil'), action?.tool.name],
      [
        place.say('destination', 'destinataire'),
        destination && `${destination.provider} ${destination.account} ${destination.environment}`,
      ],
      ['digest', request.digest ?? action?.digest],
    ]),
    ...(action === undefined ? [] : [JSON.stringify(action.arguments, undefined, 2)]),
    ...(request.on === 'question' ? [JSON.stringify(request.form, undefined, 2)] : []),
    ...lookAlikes.map(({ actionId, effect }) =>
      place.say(
        `Looks like ${actionId}, which is "${effect}".`,
        `Ressemble à ${actionId}, qui est « ${effect} ».`,
      ),
    ),
  ].join('\n');
};

const show: Command = {
  name: 'requests show',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Shows exactly what is asked, with the digest to approve',
  fr: 'Montre exactement ce qui est demandé, avec l’empreinte à approuver',
  run: async (given, place) => {
    const api = await place.client();
    const view = await api.get(View, `/v1/requests/${needed(given, place, 0, 'REQUEST')}`);
    place.out(place.json ? JSON.stringify(view) : shownView(view, place));
    return view.request.decision === undefined ? exitCodes.needsPerson : exitCodes.ok;
  },
};

const give = async (place: Place, requestId: string, answer: object) => {
  const api = await place.client();
  const answered = await api.post(Answered, `/v1/requests/${requestId}/answer`, answer);
  place.out(place.json ? JSON.stringify(answered) : answered.decision.kind);
  return exitCodes.ok;
};

const digestOption = {
  digest: {
    type: 'string',
    value: 'DIGEST',
    en: 'The digest that was read (reprise requests show)',
    fr: 'L’empreinte qui a été lue (reprise requests show)',
  },
} as const;

const digestFrom = (given: Given, place: Place): string => {
  const digest = given.text('digest');
  if (digest !== undefined) return digest;
  throw new UsageError(
    place.say(
      '--digest is missing: read "reprise requests show REQUEST" and name the digest you saw.',
      'Il manque --digest : lisez « reprise requests show DEMANDE » et nommez l’empreinte vue.',
    ),
  );
};

const approve: Command = {
  name: 'approve',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Approves exactly what has this digest',
  fr: 'Approuve exactement ce qui a cette empreinte',
  options: digestOption,
  run: (given, place) =>
    give(place, needed(given, place, 0, 'REQUEST'), {
      kind: 'approve',
      digest: digestFrom(given, place),
    }),
};

const refuse: Command = {
  name: 'refuse',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Refuses, with a reason',
  fr: 'Refuse, avec un motif',
  options: {
    ...digestOption,
    reason: { type: 'string', value: 'TEXT', en: 'Why', fr: 'Pourquoi' },
    changes: {
      type: 'string',
      value: 'TEXT',
      en: 'Asks for changes instead',
      fr: 'Demande des changements',
    },
  },
  run: async (given, place) => {
    const requestId = needed(given, place, 0, 'REQUEST');
    const { reason, changes, digest } = {
      reason: given.text('reason'),
      changes: given.text('changes'),
      digest: given.text('digest'),
    };
    if ((reason === undefined) === (changes === undefined))
      throw new UsageError('--reason TEXT | --changes TEXT');
    if (digest !== undefined) {
      const api = await place.client();
      const { action } = await api.get(View, `/v1/requests/${requestId}`);
      if (action !== undefined && action.digest !== digest) {
        place.tell(
          place.say(
            `The content has changed: its digest is now ${action.digest}. Nothing was answered.`,
            `Le contenu a changé : son empreinte est ${action.digest}. Rien n’a été répondu.`,
          ),
        );
        return exitCodes.failed;
      }
    }
    return give(
      place,
      requestId,
      reason === undefined
        ? { kind: 'request_changes', text: changes }
        : { kind: 'refuse', reason },
    );
  },
};

/** `name=value`, where the value is JSON if it can be read as such, else a text. */
const fieldFrom = (pair: string): readonly [string, unknown] => {
  const at = pair.indexOf('=');
  if (at < 1) throw new UsageError(`--field NAME=VALUE: "${pair}"`);
  const text = pair.slice(at + 1);
  try {
    return [pair.slice(0, at), JSON.parse(text)];
  } catch {
    return [pair.slice(0, at), text];
  }
};

const answer: Command = {
  name: 'answer',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Answers a question',
  fr: 'Répond à une question',
  options: {
    field: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      en: 'One field of the form',
      fr: 'Un champ',
    },
    file: {
      type: 'string',
      value: 'FILE',
      en: 'The whole answer as JSON',
      fr: 'Toute la réponse en JSON',
    },
    decline: {
      type: 'string',
      value: 'REASON',
      en: 'Declines to answer',
      fr: 'Refuse de répondre',
    },
  },
  run: async (given, place) => {
    const requestId = needed(given, place, 0, 'REQUEST');
    const decline = given.text('decline');
    if (decline !== undefined) return give(place, requestId, { kind: 'decline', reason: decline });
    const file = given.text('file');
    const fields = given.texts('field');
    if (file === undefined && fields.length === 0)
      throw new UsageError('--field NAME=VALUE | --file FILE | --decline REASON');
    const whole =
      file === undefined ? Object.fromEntries(fields.map(fieldFrom)) : await readJson(file);
    return give(place, requestId, { kind: 'answer', answer: whole });
  },
};

const grant: Command = {
  name: 'grant',
  arguments: 'REQUEST',
  takes: [1, 1],
  en: 'Grants a skill, for the run or for the agent',
  fr: 'Accorde une compétence, au run ou à l’agent',
  options: {
    scope: {
      type: 'string',
      value: 'run|agent',
      en: 'For whom (default run)',
      fr: 'À qui (défaut run)',
    },
  },
  run: (given, place) =>
    give(place, needed(given, place, 0, 'REQUEST'), {
      kind: 'grant',
      scope: given.text('scope') ?? 'run',
    }),
};

export const requestCommands: readonly Command[] = [list, show, answer, approve, refuse, grant];
