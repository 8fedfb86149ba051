// The words around a report, in both languages: verdicts, headings, and the sentence that sums up. Owns: those words.
import type { Say } from '../../kit/speech.ts';
import type { Report, ToolReport, Verdict } from './report.ts';

export const verdictWord = (verdict: Verdict, say: Say): string =>
  ({
    pass: say('pass', 'réussi'),
    fail: say('fail', 'échec'),
    not_run: say('not run', 'pas faite'),
    does_not_apply: say('does not apply', 'sans objet'),
  })[verdict];

export const headings = (say: Say) => ({
  title: say('Interruption trials', 'Épreuves d’interruption'),
  environment: say('Environment', 'Environnement'),
  destination: say('Destination', 'Destinataire'),
  from: say('From', 'Du'),
  to: say('to', 'au'),
  checks: say('What the contract claims', 'Ce que le contrat affirme'),
  trials: say('The seven trials', 'Les sept épreuves'),
  trial: say('Trial', 'Épreuve'),
  verdict: say('Verdict', 'Verdict'),
  expected: say('Expected', 'Attendu'),
  observed: say('Observed', 'Observé'),
  because: say('Why', 'Pourquoi'),
  exhibit: say('Exhibit', 'Pièce'),
  reference: say('Action and reference', 'Action et référence'),
  objects: say('Objects at the destination', 'Objets chez le destinataire'),
  notCounted: say('cannot be counted', 'ne peuvent être comptés'),
  proxy: say('Calls at the fault proxy', 'Appels au proxy de pannes'),
  received: say('received', 'reçus'),
  forwarded: say('given to the destination', 'remis au destinataire'),
  answered: say('answered', 'répondus'),
  delivered: say('answers passed on', 'réponses transmises'),
  told: say('What the agent was told', 'Ce que l’agent a appris'),
  journal: say('Journal of the action', 'Journal de l’action'),
  answers: say('Answers of the destination', 'Réponses du destinataire'),
  contract: say('The contract that was tried', 'Le contrat éprouvé'),
  notes: say('How it was tried', 'Comment il a été éprouvé'),
  notTried: say(
    'What was not tried, and what that costs',
    'Ce qui n’a pas été éprouvé, et ce que cela coûte',
  ),
  left: say('What the trials left at the destination', 'Ce que les épreuves ont laissé'),
  verification: say(
    'This may be put into the contract as "verification":',
    'Ceci peut être mis dans le contrat comme « verification » :',
  ),
  seconds: say('s', 's'),
});

const numbers = [
  ['none', 'aucune'],
  ['one', 'une'],
  ['two', 'deux'],
  ['three', 'trois'],
  ['four', 'quatre'],
  ['five', 'cinq'],
  ['six', 'six'],
  ['seven', 'sept'],
] as const;

const numberWord = (count: number, say: Say): string => {
  const [en, fr] = numbers[count] ?? [String(count), String(count)];
  return say(en, fr);
};

type Judged = Pick<ToolReport, 'checks' | 'trials'>;

const titlesOf = (
  all: readonly { readonly title: string; readonly verdict: Verdict }[],
  verdict: Verdict,
): readonly string[] => all.filter((one) => one.verdict === verdict).map(({ title }) => title);

/** How many trials passed, failed, were not run, and do not apply, all but the first by name; then the claims and parts beside them. */
export const tally = ({ checks, trials }: Judged, say: Say): string => {
  const passed = trials.filter(({ verdict }) => verdict === 'pass');
  const many = passed.length === 1 ? '' : 's';
  const named = (verdict: Verdict, en: string, fr: string): string => {
    const titles = titlesOf(trials, verdict);
    const count = numberWord(titles.length, say);
    return titles.length === 0
      ? ''
      : say(`${count} ${en}: ${titles.join(', ')}`, `${count} ${fr} : ${titles.join(', ')}`);
  };
  const counts = [
    say(
      `${numberWord(passed.length, say)} passed`,
      `${numberWord(passed.length, say)} réussie${many}`,
    ),
    named('fail', 'failed', 'en échec'),
    named('not_run', 'not run', 'non faite(s)'),
    named('does_not_apply', 'not applicable', 'sans objet'),
  ].filter((text) => text !== '');
  const within = (verdict: Verdict): readonly string[] =>
    titlesOf(
      [...checks, ...trials.filter((one) => one.verdict !== verdict).flatMap(({ parts }) => parts)],
      verdict,
    );
  const failed = within('fail');
  const open = within('not_run');
  const all = passed.length === trials.length && trials.length > 1;
  return [
    all ? say('all passed', 'toutes réussies') : counts.join(', '),
    ...(failed.length === 0
      ? []
      : [
          say(
            `claims and parts that failed: ${failed.join(', ')}`,
            `affirmations et parties en échec : ${failed.join(', ')}`,
          ),
        ]),
    ...(open.length === 0
      ? []
      : [
          say(
            `claims and parts not run: ${open.join(', ')}`,
            `affirmations et parties non éprouvées : ${open.join(', ')}`,
          ),
        ]),
  ].join('; ');
};

export const summarySentence = (
  { verdict, tools }: Pick<Report, 'verdict' | 'tools'>,
  say: Say,
): string => {
  const which = (wanted: Verdict): string =>
    tools
      .filter((tool) => tool.verdict === wanted)
      .map(({ tool }) => tool)
      .join(', ');
  const each = tools.map((tool) => `${tool.tool}: ${tally(tool, say)}.`).join(' ');
  if (verdict === 'fail')
    return say(
      `Failed: ${which('fail')}. Its contract claims what the destination does not do, or something was done twice or lost. ${each}`,
      `Échec : ${which('fail')}. Le contrat affirme ce que le destinataire ne fait pas, ou une action a été faite deux fois ou perdue. ${each}`,
    );
  if (verdict === 'not_run')
    return say(
      `Not all of it could be tried or seen: ${which('not_run')}. Nothing failed, and nothing is verified by this. ${each}`,
      `Tout n’a pas pu être éprouvé ou vu : ${which('not_run')}. Rien n’a échoué, et rien n’est vérifié par là. ${each}`,
    );
  return say(
    `${each} Whatever was interrupted, nothing was done twice, and what could not be known was said to be unknown. What was not tried is named with what it costs.`,
    `${each} Quoi qu’on ait interrompu, rien n’a été fait deux fois, et ce qui ne pouvait être su a été dit inconnu. Ce qui n’a pas été éprouvé est nommé, avec ce que cela coûte.`,
  );
};
