// `reprise desk claim|renew|release`: who is responsible for an action's recovery. Owns: those commands.
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { claimedWords, releasedWords } from '../words/desk.ts';
import { Claim, filter } from './desk-decide.ts';

const minutesOption = {
  minutes: filter('N', 'For how long (default 30)', 'Pour combien de temps (défaut 30)'),
};

const minutesFrom = (given: Given, { say }: Place): number => {
  const text = given.text('minutes') ?? '30';
  const minutes = Number(text);
  if (minutes > 0) return minutes;
  throw new UsageError(
    say(
      `--minutes "${text}" is no number above zero, such as --minutes 30.`,
      `--minutes « ${text} » n’est pas un nombre supérieur à zéro, comme --minutes 30.`,
    ),
  );
};

const claiming = (
  name: 'claim' | 'renew' | 'release',
  words: { readonly en: string; readonly fr: string },
): Command => ({
  name: `desk ${name}`,
  arguments: 'ACTION',
  takes: [1, 1],
  ...words,
  options: name === 'release' ? {} : minutesOption,
  run: async (given, place) => {
    const api = await place.client();
    const actionId = needed(given, place, 0, 'ACTION');
    const minutes = minutesFrom(given, place);
    const path = `/v1/actions/${actionId}/claim${name === 'claim' ? '' : `/${name}`}`;
    const body = name === 'release' ? {} : { forMs: Math.round(minutes * 60_000) };
    const claim = await api.post(Claim, path, body);
    const words = name === 'release' ? releasedWords(actionId, place) : undefined;
    place.out(place.json ? JSON.stringify(claim) : (words ?? claimedWords(claim, actionId, place)));
    return exitCodes.ok;
  },
});

export const claimCommands: readonly Command[] = [
  claiming('claim', {
    en: 'Takes an action’s recovery, or renews your claim',
    fr: 'Prend une reprise en charge, ou la prolonge',
  }),
  claiming('renew', { en: 'Keeps your claim for longer', fr: 'Prolonge votre prise en charge' }),
  claiming('release', { en: 'Gives your claim back', fr: 'Rend votre prise en charge' }),
];
