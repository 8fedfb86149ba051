// `reprise answer`, `approve`, `refuse`, `grant`: answering what waits for a person. Owns: those commands.
// An approval names the digest that was read: when the content has changed since, it is refused (L6, L13).
import { z } from 'zod';
import { parseKept } from '../../functions/core/base/exact-json.ts';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { readJson } from '../trials/subject.ts';
import { wordFor } from '../words/terms.ts';
import { View } from './requests.ts';

const Answered = z.looseObject({ decision: z.looseObject({ kind: z.string() }) });

const give = async (place: Place, requestId: string, answer: object) => {
  const api = await place.client();
  const answered = await api.post(Answered, `/v1/requests/${requestId}/answer`, answer);
  place.out(
    place.json
      ? JSON.stringify(answered)
      : wordFor('decision', answered.decision.kind, place.language),
  );
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
      'Il manque --digest : lisez « reprise requests show DEMANDE » et nommez l’empreinte vue.',
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
      throw new UsageError(
        place.say(
          'Say why, as in --reason "Too much.", or what should change, as in --changes "At most 100."; one of the two.',
          'Dites pourquoi, comme --reason "Trop.", ou ce qui doit changer, comme --changes "Au plus 100." ; l’un des deux.',
        ),
      );
    if (digest !== undefined) {
      const api = await place.client();
      const { action } = await api.get(View, `/v1/requests/${requestId}`);
      if (action !== undefined && action.digest !== digest) {
        place.tell(
          place.say(
            `The content has changed: its digest is now ${action.digest}. Nothing was answered.`,
            `Le contenu a changé : son empreinte est ${action.digest}. Rien n’a été répondu.`,
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

/** `name=value`, where the value is JSON if it can be read as such, else a text; a number that another would stand for is a text. */
const fieldFrom = (pair: string, { say }: Place): readonly [string, unknown] => {
  const at = pair.indexOf('=');
  if (at < 1)
    throw new UsageError(
      say(
        `--field "${pair}" names no field: write its name, "=" and its value, as in --field amount=100.`,
        `--field « ${pair} » ne nomme pas de champ : écrivez son nom, « = » et sa valeur, comme --field montant=100.`,
      ),
    );
  const text = pair.slice(at + 1);
  try {
    return [pair.slice(0, at), parseKept(text)];
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
      throw new UsageError(
        place.say(
          `Nothing is answered: give each field of the form, as in --field amount=100, the whole answer in --file FILE, or --decline "why". The form: reprise requests show ${requestId}`,
          `Aucune réponse : donnez chaque champ, comme --field montant=100, toute la réponse par --file FICHIER, ou --decline "pourquoi". Le formulaire : reprise requests show ${requestId}`,
        ),
      );
    const whole =
      file === undefined
        ? Object.fromEntries(fields.map((pair) => fieldFrom(pair, place)))
        : await readJson(file);
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

export const answerCommands: readonly Command[] = [answer, approve, refuse, grant];
