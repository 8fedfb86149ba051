// `reprise requests …`: what waits for a person, in short and whole. Owns: those commands; answering is beside them.
import { z } from 'zod';
import { type Command, exitCodes, needed, type Place } from '../kit/command.ts';
import { cut, pairs, table } from '../kit/table.ts';
import { callWords } from '../words/run.ts';
import { wordFor } from '../words/terms.ts';

const Request = z.looseObject({
  requestId: z.string(),
  on: z.string(),
  openedAt: z.string(),
  actionId: z.string().optional(),
  digest: z.string().optional(),
  message: z.string().optional(),
  form: z.unknown().optional(),
  decision: z.looseObject({ kind: z.string() }).optional(),
  skill: z.string().optional(),
  reason: z.string().optional(),
  because: z.string().optional(),
  about: z
    .looseObject({
      action: z
        .looseObject({
          tool: z.looseObject({ name: z.string() }),
          arguments: z.unknown().optional(),
        })
        .optional(),
    })
    .optional(),
});
type Request = z.infer<typeof Request>;
export const View = z.looseObject({
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
  /** What looks like it, and what stands against approving it, in the reader's words. */
  alike: z.array(z.looseObject({ actionId: z.string(), says: z.string() })).default([]),
  against: z.array(z.looseObject({ kind: z.string(), says: z.string() })).default([]),
});

/** What is to be done or answered, in short: the question, the skill, or the call. */
const aboutWords = ({ message, skill, reason, about, because, actionId }: Request): string => {
  if (message !== undefined) return cut(message, 100);
  if (skill !== undefined) return cut(`${skill}: ${reason ?? ''}`, 100);
  if (about?.action !== undefined) return callWords(about.action, 100);
  return cut(because ?? actionId ?? '', 100);
};

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
            wordFor('waitsFor', one.on, place.language),
            one.openedAt,
            aboutWords(one),
          ]),
        ]),
      );
    return items.length === 0 ? exitCodes.ok : exitCodes.needsPerson;
  },
};

const shownView = (
  { request, action, alike, against }: z.infer<typeof View>,
  place: Place,
): string => {
  const destination = action?.destination;
  return [
    pairs([
      [place.say('request', 'demande'), request.requestId],
      [place.say('for', 'pour'), wordFor('waitsFor', request.on, place.language)],
      [place.say('since', 'depuis'), request.openedAt],
      [
        place.say('decision', 'décision'),
        request.decision && wordFor('decision', request.decision.kind, place.language),
      ],
      ['message', request.message],
      [place.say('tool', 'outil'), action?.tool.name],
      [
        place.say('destination', 'destinataire'),
        destination && `${destination.provider} ${destination.account} ${destination.environment}`,
      ],
      [place.say('digest', 'empreinte'), request.digest ?? action?.digest],
    ]),
    ...(action === undefined ? [] : [JSON.stringify(action.arguments, undefined, 2)]),
    ...(request.on === 'question' ? [JSON.stringify(request.form, undefined, 2)] : []),
    ...alike.map(({ says }) => place.say(`Looks like ${says}`, `Ressemble à ${says}`)),
    ...against.map(({ says }) => place.say(`Against it: ${says}`, `S’y oppose : ${says}`)),
  ].join('\n');
};

/** What a person does next about a request that is open. */
const nextStep = ({ request, action, against }: z.infer<typeof View>, { say }: Place): string => {
  const { requestId, on, actionId = 'ACTION' } = request;
  const refuse = `reprise refuse ${requestId} --reason "…"`;
  switch (on) {
    case 'approval': {
      if (against.some(({ kind }) => kind !== 'look_alike'))
        return say(
          `As things stand nothing would be sent, and approving is refused. Next: ${refuse}, or clear what stands against it`,
          `En l’état rien ne partirait, et l’approbation est refusée. Ensuite : ${refuse}, ou levez ce qui s’y oppose`,
        );
      const approve = `reprise approve ${requestId} --digest ${request.digest ?? action?.digest ?? ''}`;
      return say(`Next: ${approve}, or ${refuse}`, `Ensuite : ${approve}, ou ${refuse}`);
    }
    case 'question':
      return say(
        `Next: reprise answer ${requestId} --field NAME=VALUE`,
        `Ensuite : reprise answer ${requestId} --field NOM=VALEUR`,
      );
    case 'skill': {
      const grant = `reprise grant ${requestId}`;
      return say(`Next: ${grant}, or ${refuse}`, `Ensuite : ${grant}, ou ${refuse}`);
    }
    default:
      return say(`Next: reprise desk show ${actionId}`, `Ensuite : reprise desk show ${actionId}`);
  }
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
    if (view.request.decision !== undefined) return exitCodes.ok;
    place.tell(nextStep(view, place));
    return exitCodes.needsPerson;
  },
};

export const requestCommands: readonly Command[] = [list, show];
