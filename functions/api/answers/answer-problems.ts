// Why an answer was not taken, as problems: who was faster, what had expired, which field does not fit.
// Owns: that translation, in both languages. Laws: L13 (the late one is told who answered what and when).
// Tested in test/functions/api/answers/answers.test.ts.

import type { Against } from '../../core/answers/against.ts';
import type { AnswerRefusal } from '../../core/answers/answer.ts';
import type { QuestionRefusal } from '../../core/answers/answer-question.ts';
import type { SkillOutcome, SkillSince } from '../../core/answers/skill.ts';
import { Defect } from '../../core/base/errors.ts';
import type { ProblemKind } from '../../core/base/form.ts';
import type { Action } from '../../core/records/action.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Language } from '../problems/language.ts';
import { type Problem, problem } from '../problems/problems.ts';
import { againstSays, alikeSays } from './against-words.ts';

type Words = { readonly [L in Language]: string };

const misfits: { readonly [Kind in ProblemKind]: Words } = {
  missing: { en: 'An answer is needed here.', fr: 'Il faut ici une réponse.' },
  unknown: { en: 'The form has no such field.', fr: 'Le formulaire n’a pas ce champ.' },
  not_text: { en: 'A text is needed.', fr: 'Il faut un texte.' },
  too_short: { en: 'The text is too short.', fr: 'Le texte est trop court.' },
  too_long: { en: 'The text is too long.', fr: 'Le texte est trop long.' },
  bad_format: {
    en: 'It does not have the form that is asked for.',
    fr: 'Le format est incorrect.',
  },
  not_a_choice: {
    en: 'Choose among those on offer.',
    fr: 'Choisissez parmi les valeurs offertes.',
  },
  not_a_list: { en: 'A list is needed.', fr: 'Il faut une liste.' },
  too_few: { en: 'Choose more of them.', fr: 'Choisissez-en davantage.' },
  too_many: { en: 'Choose fewer of them.', fr: 'Choisissez-en moins.' },
  not_a_number: { en: 'A number is needed.', fr: 'Il faut un nombre.' },
  not_whole: { en: 'A whole number is needed.', fr: 'Il faut un nombre entier.' },
  too_small: { en: 'The number is too small.', fr: 'Le nombre est trop petit.' },
  too_big: { en: 'The number is too big.', fr: 'Le nombre est trop grand.' },
  not_yes_or_no: { en: 'Yes or no is needed.', fr: 'Il faut répondre par oui ou par non.' },
};

const remembered = {
  condition_does_not_cover: {
    en: 'It must be JSONata that is true for the call you approve.',
    fr: 'Ce doit être une expression JSONata vraie pour l’appel que vous approuvez.',
  },
  condition_names_no_argument: {
    en: 'It must say something of the arguments: name at least one of them, and not hold without any.',
    fr: 'Elle doit dire quelque chose des arguments : en nommer au moins un, et ne pas valoir sans aucun.',
  },
  condition_has_no_bound: {
    en: 'It could run on for ever. Write it without functions of its own, names for values (:=), ranges (..), $eval and $pad, and no regular expression that repeats what varies, such as (a+)+.',
    fr: 'Elle pourrait ne jamais finir. Écrivez-la sans fonctions propres, sans noms de valeurs (:=), sans intervalles (..), sans $eval ni $pad, sans expression régulière qui répète ce qui varie, comme (a+)+.',
  },
} as const satisfies { readonly [code: string]: Words };

export const fieldProblem = (code: keyof typeof remembered): Problem =>
  problem(
    'invalid-body',
    {},
    {
      errors: (language) => [
        { field: 'remember.condition', code, reason: remembered[code][language] },
      ],
    },
  );

/** Who decided a request, what and when, beside the sentence. */
export const alreadyDecided = (request: PersonRequest): Problem => {
  const { decision, decidedBy, decidedAt } = request;
  if (decision === undefined || decidedBy === undefined || decidedAt === undefined)
    throw new Defect('A decided request lacks its decision.');
  const members = { decision: decision.kind, decidedBy: { ...decidedBy }, decidedAt };
  // Nobody answered a request that was voided or expired: that is told in its own words.
  if (decision.kind === 'voided')
    return problem(
      'request-voided',
      { because: decision.because, at: decidedAt },
      { members: { ...members, because: decision.because, runId: request.runId } },
    );
  if (decision.kind === 'expired') return expired(request);
  return problem(
    'already-answered',
    { by: decidedBy.name, at: decidedAt, decision: decision.kind },
    { members },
  );
};

const expired = (request: PersonRequest): Problem => {
  const at = new Date(request.expiresAtMs ?? 0).toISOString();
  return problem('request-expired', { at }, { members: { expiredAt: at } });
};

const saidIn = (
  things: readonly { readonly [L in Language]: string }[],
): { readonly [L in Language]: string } => ({
  en: things.map(({ en }) => en).join(' '),
  fr: things.map(({ fr }) => fr).join(' '),
});

/** Nothing could be sent under it now: named one by one, and nothing was answered. */
export const cannotRunNow = (against: readonly Against[]): Problem =>
  problem(
    'cannot-run-now',
    saidIn(against.map((one) => ({ en: againstSays(one, 'en'), fr: againstSays(one, 'fr') }))),
    { members: { against: against.map((one) => ({ ...one, says: againstSays(one, 'en') })) } },
  );

/** A look-alike came up since it was asked: the request shows it now, and is answered with both on view. */
export const lookAlikeFound = (lookAlikes: readonly Action[]): Problem =>
  problem(
    'look-alike-found',
    saidIn(lookAlikes.map((one) => ({ en: alikeSays(one, 'en'), fr: alikeSays(one, 'fr') }))),
    { members: { lookAlikes: lookAlikes.map(({ actionId }) => actionId) } },
  );

/** An administrator has put another version of the skill into the agent, or taken it out. */
export const skillChanged = (
  { skill: name, version: was }: Extract<PersonRequest, { on: 'skill' }>,
  { version }: SkillSince,
): Problem =>
  problem(
    'skill-changed',
    { name, was, ...(version === undefined ? {} : { version }) },
    { members: { was, ...(version === undefined ? {} : { version }) } },
  );

export const doesNotFit = ({ on }: PersonRequest): Problem =>
  problem('answer-does-not-fit', { on }, { members: { on } });

export const problemOfApproval = (refusal: AnswerRefusal, request: PersonRequest): Problem => {
  switch (refusal.because) {
    case 'already_decided':
      return alreadyDecided(refusal.request);
    case 'expired':
      return expired(refusal.request);
    case 'digest_changed':
      return problem(
        'digest-changed',
        { digest: refusal.digest },
        { members: { digest: refusal.digest } },
      );
    case 'not_rememberable':
      return problem('not-rememberable', { why: refusal.why }, { members: { why: refusal.why } });
    case 'not_an_approval':
      return doesNotFit(request);
  }
};

export const problemOfQuestion = (refusal: QuestionRefusal, request: PersonRequest): Problem => {
  switch (refusal.because) {
    case 'already_decided':
      return alreadyDecided(refusal.request);
    case 'expired':
      return expired(refusal.request);
    case 'misfits':
      return problem(
        'invalid-body',
        {},
        {
          errors: (language) =>
            refusal.problems.map(({ field, problem: code }) => ({
              field: `answer.${field}`,
              code,
              reason: misfits[code][language],
            })),
        },
      );
    case 'not_a_question':
      return doesNotFit(request);
  }
};

export const problemOfSkill = (
  { because, request }: Extract<SkillOutcome, { kind: 'refused' }>,
  given: PersonRequest,
): Problem => {
  switch (because) {
    case 'already_decided':
      return alreadyDecided(request);
    case 'expired':
      return expired(request);
    case 'not_a_skill_request':
      return doesNotFit(given);
  }
};
