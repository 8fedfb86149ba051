// `reprise desk observe`: evidence without a decision, or a look at the destination ordered. Owns: that command.
import { z } from 'zod';
import { type Command, exitCodes, needed, oneOf, type Place } from '../kit/command.ts';
import { effectWord } from '../words/terms.ts';
import { checkEvidence, evidenceFrom, evidenceOptions, filter } from './desk-decide.ts';

const Added = z.looseObject({
  observation: z.looseObject({ uncounted: z.boolean().optional() }),
  effect: z.string(),
  contradicted: z.boolean(),
  head: z.number(),
});

const lookWords = (actionId: string, { say }: Place): string =>
  say(
    `The destination is looked at now. What it finds is added as evidence: reprise desk show ${actionId}`,
    `On regarde maintenant chez le destinataire. Ce qui s’y trouve s’ajoute comme preuve : reprise desk show ${actionId}`,
  );

const addedWords = (
  { effect, contradicted, head, observation }: z.infer<typeof Added>,
  says: string,
  { say, language }: Place,
): string => {
  const word = effectWord(effect, language);
  const settled = say(`Added. The action is now: ${word}.`, `Ajouté. L’action est : ${word}.`);
  const stands = say(
    `Added, and shown to whoever decides. It settles nothing by itself; the action stays: ${word}.`,
    `Ajouté, et montré à qui décide. Cela ne règle rien en soi ; l’action reste : ${word}.`,
  );
  const proves = say(
    'It proves neither way (--says confirms or disproves would).',
    'Cela ne prouve rien (--says confirms ou disproves le ferait).',
  );
  const contradicts = say(
    'The evidence contradicts itself: a person has to look.',
    'Les preuves se contredisent : une personne doit regarder.',
  );
  const next = say(
    `Its journal’s head is now ${head}: a decision names that, --head ${head}.`,
    `Son journal en est au numéro ${head} : une décision le nomme, --head ${head}.`,
  );
  return [
    observation.uncounted ? stands : settled,
    ...(says === 'nothing' ? [proves] : []),
    ...(contradicted ? [contradicts] : []),
    next,
  ].join('\n');
};

export const observe: Command = {
  name: 'desk observe',
  arguments: 'ACTION',
  takes: [1, 1],
  en: 'Adds evidence without deciding, or has the destination looked at again',
  fr: 'Ajoute une preuve sans décider, ou fait regarder à nouveau chez le destinataire',
  options: {
    ...evidenceOptions,
    says: filter('confirms|disproves|nothing', 'What it shows', 'Ce qu’elle montre'),
    look: { type: 'boolean', en: 'Looks the effect up now', fr: 'Recherche l’effet maintenant' },
  },
  run: async (given, place) => {
    const api = await place.client();
    const actionId = needed(given, place, 0, 'ACTION');
    if (given.flag('look')) {
      const ordered = await api.post(z.looseObject({}), `/v1/actions/${actionId}/look`);
      place.out(place.json ? JSON.stringify(ordered) : lookWords(actionId, place));
      return exitCodes.ok;
    }
    checkEvidence(given, place.say);
    const says = oneOf(given, place, 'says', ['confirms', 'disproves', 'nothing']) ?? 'nothing';
    const evidence = { ...evidenceFrom(given), says };
    const added = await api.post(Added, `/v1/actions/${actionId}/observations`, evidence);
    place.out(place.json ? JSON.stringify(added) : addedWords(added, says, place));
    return exitCodes.ok;
  },
};
