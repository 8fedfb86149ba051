// The words around a report, in both languages: verdicts, headings, and the sentence that sums up. Owns: those words.
import type { Say } from '../kit/speech.ts';
import type { Report, ToolReport, Verdict } from './report.ts';

export const verdictWord = (verdict: Verdict, say: Say): string =>
  ({
    pass: say('pass', 'réussi'),
    fail: say('fail', 'échec'),
    undecidable: say('not decidable with this contract', 'indécidable avec ce contrat'),
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

/**
 * How many trials passed, failed, and could not be decided, the last two by name; then claims of the contract, and parts of
 * passed trials, that could not be decided either.
 */
export const tally = ({ checks, trials }: Judged, say: Say): string => {
  const passed = trials.filter(({ verdict }) => verdict === 'pass');
  const failed = titlesOf(trials, 'fail');
  const open = titlesOf(trials, 'undecidable');
  const within = titlesOf([...checks, ...passed.flatMap(({ parts }) => parts)], 'undecidable');
  const many = passed.length === 1 ? '' : 's';
  const counts = [
    say(
      `${numberWord(passed.length, say)} passed`,
      `${numberWord(passed.length, say)} réussie${many}`,
    ),
    failed.length > 0
      ? say(
          `${numberWord(failed.length, say)} failed: ${failed.join(', ')}`,
          `${numberWord(failed.length, say)} en échec : ${failed.join(', ')}`,
        )
      : '',
    open.length > 0
      ? say(
          `${numberWord(open.length, say)} not decidable with this contract: ${open.join(', ')}`,
          `${numberWord(open.length, say)} indécidable(s) avec ce contrat : ${open.join(', ')}`,
        )
      : '',
  ].filter((text) => text !== '');
  const all = passed.length === trials.length && trials.length > 1;
  return [
    all ? say('all passed', 'toutes réussies') : counts.join(', '),
    ...(within.length === 0
      ? []
      : [
          say(
            `claims and parts not decidable: ${within.join(', ')}`,
            `affirmations et parties indécidables : ${within.join(', ')}`,
          ),
        ]),
  ].join('; ');
};

export const summarySentence = (
  { verdict, tools }: Pick<Report, 'verdict' | 'tools'>,
  say: Say,
): string => {
  const failed = tools.filter((tool) => tool.verdict === 'fail').map(({ tool }) => tool);
  if (verdict === 'fail')
    return say(
      `Failed: ${failed.join(', ')}. Its contract claims what the destination does not do, or something was done twice or lost.`,
      `Échec : ${failed.join(', ')}. Le contrat affirme ce que le destinataire ne fait pas, ou une action a été faite deux fois ou perdue.`,
    );
  if (verdict === 'pass') {
    const each = tools.map((tool) => `${tool.tool}: ${tally(tool, say)}.`).join(' ');
    return say(
      `${each} Whatever was interrupted, nothing was done twice, and what could not be known was said to be unknown.`,
      `${each} Quoi qu’on ait interrompu, rien n’a été fait deux fois, et ce qui ne pouvait être su a été dit inconnu.`,
    );
  }
  return say(
    'Nothing could be decided with this contract.',
    'Rien n’a pu être décidé avec ce contrat.',
  );
};
