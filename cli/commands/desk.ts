// `reprise desk …` and `reprise sheet export`: the recovery desk from a terminal, with the same refusals as the page.
// Owns: those commands, but for claims, evidence and decisions.
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { ApiRefusal, problemIn } from '../kit/client.ts';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { cut, table } from '../kit/table.ts';
import { headWords, holderWords } from '../words/desk.ts';
import { sheetText } from '../words/sheet.ts';
import { effectWord } from '../words/terms.ts';
import { claimCommands } from './desk-claim.ts';
import { decideCommand, filter, Seen } from './desk-decide.ts';
import { observe } from './desk-observe.ts';

const Entry = z.looseObject({
  actionId: z.string(),
  tool: z.looseObject({ name: z.string() }),
  about: z.string().default(''),
  effect: z.string(),
  disposition: z.string(),
  attempts: z.number(),
  since: z.string(),
  needsPerson: z.boolean(),
  because: z.string().optional(),
  holder: z.looseObject({ name: z.string() }).optional(),
  head: z.number(),
});
const Summary = z.looseObject({ total: z.number(), undetermined: z.number(), more: z.boolean() });

/** "12 actions, 11 undetermined."; at least so many where there are more than the server looks at. */
const countWords = ({ total, undetermined, more }: z.infer<typeof Summary>, place: Place) => {
  const en = `${total} action${total === 1 ? '' : 's'}, ${undetermined} undetermined.`;
  const ending = undetermined < 2 ? '' : 's';
  const fr = `${total} action${total < 2 ? '' : 's'}, dont ${undetermined} indéterminée${ending}.`;
  return more ? place.say(`At least ${en}`, `Au moins ${fr}`) : place.say(en, fr);
};

const query = (given: Given): string => {
  const wanted = new URLSearchParams();
  for (const name of ['state', 'tool', 'destination', 'owner', 'part'])
    if (given.text(name) !== undefined) wanted.set(name, given.text(name) ?? '');
  const text = wanted.toString();
  return text === '' ? '' : `?${text}`;
};

const list: Command = {
  name: 'desk list',
  en: 'Lists actions that need recovery (exit code 3 when one needs a person)',
  fr: 'Liste les actions à reprendre (code 3 si l’une demande une personne)',
  options: {
    state: filter('EFFECT', 'Only with this effect', 'Seulement avec cet effet'),
    tool: filter('TOOL', 'Only of this tool', 'Seulement de cet outil'),
    destination: filter('PROVIDER', 'Only there', 'Seulement là'),
    owner: filter('me|none|SUBJECT', 'Only held by', 'Seulement détenues par'),
    part: filter('PART', 'Part of the desk (default open)', 'Partie du bureau (défaut open)'),
  },
  run: async (given, place) => {
    const api = await place.client();
    const [items, counted] = await Promise.all([
      api.all(Entry, `/v1/desk${query(given)}`),
      api.get(Summary, `/v1/desk/summary${query(given)}`),
    ]);
    if (place.json) place.out(JSON.stringify({ items, counted }));
    else {
      place.out(
        table([
          [
            'ACTION',
            place.say('TOOL', 'OUTIL'),
            place.say('ABOUT', 'OBJET'),
            place.say('EFFECT', 'EFFET'),
            '#',
            place.say('SINCE', 'DEPUIS'),
            place.say('HELD BY', 'DÉTENUE PAR'),
            place.say('WHY', 'POURQUOI'),
          ],
          ...items.map((one) => [
            one.actionId,
            one.tool.name,
            cut(one.about, 40),
            effectWord(one.effect, place.language),
            String(one.attempts),
            one.since,
            one.holder?.name ?? '',
            cut(one.because ?? '', 100),
          ]),
        ]),
      );
      place.tell(countWords(counted, place));
    }
    return items.some(({ needsPerson }) => needsPerson) ? exitCodes.needsPerson : exitCodes.ok;
  },
};

const formats = { md: 'text/markdown', html: 'text/html', json: 'application/json' } as const;
type Format = keyof typeof formats;
const isFormat = (name: string): name is Format => Object.hasOwn(formats, name);

/** The sheet as the API writes it. Rejects with ApiRefusal. */
const sheetOf = async (place: Place, actionId: string, format: Format): Promise<string> => {
  const api = await place.client();
  const path = `/v1/actions/${actionId}/sheet?format=${format}&lang=${place.language}`;
  const answer = await api.raw('GET', path, undefined, { accept: formats[format] });
  if (answer.status >= 300) throw new ApiRefusal(problemIn(answer));
  return answer.text;
};

const show: Command = {
  name: 'desk show',
  arguments: 'ACTION',
  takes: [1, 1],
  en: 'Shows the sheet, the head to decide on, and what may be decided now',
  fr: 'Montre la fiche, le numéro sur lequel décider, et ce qui peut l’être',
  run: async (given, place) => {
    const api = await place.client();
    const actionId = needed(given, place, 0, 'ACTION');
    const seen = await api.get(Seen, `/v1/actions/${actionId}`);
    if (place.json) {
      place.out(JSON.stringify(seen));
      return exitCodes.ok;
    }
    place.out(headWords(seen.action.head, place));
    place.out(holderWords(seen.claim, actionId, place));
    place.out(sheetText(JSON.parse(await sheetOf(place, actionId, 'json')), place.say));
    place.out(
      place.say(
        `What may be decided now, with reprise desk decide ${actionId} KIND --head ${seen.action.head}:`,
        `Ce qui peut être décidé, par reprise desk decide ${actionId} SORTE --head ${seen.action.head} :`,
      ),
    );
    place.out(
      table(
        seen.decisions.map(({ kind, allowed, reason }) => [
          kind,
          allowed ? place.say('allowed', 'permis') : place.say('not now', 'pas maintenant'),
          reason ?? '',
        ]),
      ),
    );
    return exitCodes.ok;
  },
};

const sheet: Command = {
  name: 'sheet export',
  arguments: 'ACTION',
  takes: [1, 1],
  en: 'Writes the recovery sheet',
  fr: 'Écrit la fiche de reprise',
  options: {
    format: filter('md|html|json', 'Form (default md)', 'Forme (défaut md)'),
    out: filter(
      'FILE',
      'Into this file (default stdout)',
      'Dans ce fichier (défaut sortie standard)',
    ),
  },
  run: async (given, place) => {
    const format = given.text('format') ?? (place.json ? 'json' : 'md');
    if (!isFormat(format))
      throw new UsageError(
        place.say(
          `--format "${format}" is none of these: md, html, json.`,
          `--format « ${format} » n’est rien de cela : md, html, json.`,
        ),
      );
    const text = await sheetOf(place, needed(given, place, 0, 'ACTION'), format);
    const file = given.text('out');
    if (file === undefined) place.out(text);
    else await writeFile(file, text);
    return exitCodes.ok;
  },
};

export const deskCommands: readonly Command[] = [
  list,
  show,
  ...claimCommands,
  observe,
  decideCommand,
  sheet,
];
