// What a contract says and the trials did not try, and what it costs where it is not so. Owns: that list. It is kept with the
// verification, so that whoever relies on the contract reads how far it was seen.
import type { Contract } from '../../functions/core/registry/contract.ts';
import type { Say } from '../kit/speech.ts';
import type { Part, ToolReport } from './report/report.ts';

export type Untried = ToolReport['notTried'][number];

/** What the trials came to know beside their verdicts. */
export interface Learnt {
  readonly contract: Contract;
  readonly parts: readonly Part[];
  /** How long the key was seen to be held. */
  readonly heldMs: number | undefined;
  readonly usableMs: number;
  readonly notCompared: readonly string[];
  readonly refusals: number;
  /** Whether a second object beside the first would be counted. */
  readonly countsSeveral: boolean;
}

const spoken = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};

const twice = (say: Say): string =>
  say('what was done is done a second time', 'ce qui est fait l’est une seconde fois');

const ofTime = ({ contract: { key }, heldMs, usableMs }: Learnt, say: Say): Untried[] => {
  const held = spoken(heldMs ?? 0);
  return key.kind !== 'key' || (heldMs ?? 0) >= usableMs
    ? []
    : [
        {
          what: say(
            `That the key is held for longer than ${held}; the contract says ${spoken(key.retentionMs)}.`,
            `Que la clé est tenue plus de ${held} ; le contrat dit ${spoken(key.retentionMs)}.`,
          ),
          costs: say(
            `Automatic repeats under the key end ${held} after the first attempt. A person who repeats later relies on the destination’s word: if it has forgotten the key, ${twice(say)}.`,
            `Les répétitions automatiques sous la clé s’arrêtent ${held} après la première tentative. Qui répète plus tard s’en remet à la parole du destinataire : s’il a oublié la clé, ${twice(say)}.`,
          ),
        },
      ];
};

const ofKey = ({ contract: { key }, notCompared }: Learnt, say: Say): Untried[] => {
  if (key.kind !== 'key') return [];
  const scope = {
    what: say(
      `That the key holds in its whole scope ("${key.scope}"): one credential and one address were used.`,
      `Que la clé vaut dans toute sa portée (« ${key.scope} ») : un seul accès et une seule adresse ont servi.`,
    ),
    costs: say(
      `If the tool’s credential or address changes between two attempts and the scope is narrower, ${twice(say)}.`,
      `Si l’accès ou l’adresse de l’outil change entre deux tentatives et que la portée est plus étroite, ${twice(say)}.`,
    ),
  };
  const finishes = {
    what: say(
      'That a repeat finishes work that failed half-way.',
      'Qu’une répétition achève un travail échoué à mi-chemin.',
    ),
    costs: say('Half of it may be done twice.', 'La moitié peut en être faite deux fois.'),
  };
  const compared = {
    what: say(
      `That the destination compares: ${notCompared.join(', ')}.`,
      `Que le destinataire compare : ${notCompared.join(', ')}.`,
    ),
    costs: say(
      'Other content in these under the same key would pass for the first.',
      'Un autre contenu sous la même clé y passerait pour le premier.',
    ),
  };
  return [
    scope,
    ...(key.onRepeat === 'finishes_failed_work' ? [finishes] : []),
    ...(notCompared.length > 0 ? [compared] : []),
  ];
};

const ofCount = ({ contract: { key }, countsSeveral }: Learnt, say: Say): Untried[] =>
  key.kind !== 'key' || countsSeveral
    ? []
    : [
        {
          what: say(
            'That no second object was made beside the first: what counts here shows one at most. An exhibit that lists them would show it.',
            'Qu’aucun second objet n’a été fait à côté du premier : ce qui compte ici n’en montre qu’un. Une pièce qui les énumère le montrerait.',
          ),
          costs: say(
            `Where the destination makes one and answers with the first, ${twice(say)}, unseen.`,
            `Si le destinataire en fait un et répond par le premier, ${twice(say)}, sans qu’on le voie.`,
          ),
        },
      ];

const ofDisproof = ({ contract: { disproof, preset }, refusals }: Learnt, say: Say): Untried[] =>
  disproof.length === 0 && preset === 'none'
    ? []
    : [
        {
          what: say(
            `That each answer that the contract takes for proof that nothing was done is one: ${refusals} call(s) were answered so, and only those were held against the destination.`,
            `Que chaque réponse tenue par le contrat pour la preuve que rien n’a été fait en est une : ${refusals} appel(s) ont reçu une telle réponse, et seuls ceux-là ont été confrontés au destinataire.`,
          ),
          costs: say(
            'Where another of these answers did write, the agent is told that nothing was done, and may do it again.',
            'Si une autre de ces réponses a écrit, l’agent apprend que rien n’a été fait et peut recommencer.',
          ),
        },
      ];

const ofNotNow = ({ contract: { rateLimit }, parts }: Learnt, say: Say): Untried[] => {
  const seen = parts.some(({ id, verdict }) => id === 'not_now_true' && verdict !== 'not_run');
  return rateLimit === undefined || seen
    ? []
    : [
        {
          what: say(
            'That the declared "not now" did nothing: the destination never said it.',
            'Que le « pas maintenant » déclaré n’a rien fait : le destinataire ne l’a jamais dit.',
          ),
          costs: say(
            'It is taken up again by itself; where it had been done, it is done twice.',
            'C’est repris sans personne ; si c’était fait, ce l’est deux fois.',
          ),
        },
      ];
};

const ofLookUp = ({ contract: { lookUp } }: Learnt, say: Say): readonly Untried[] => {
  if (lookUp?.by !== 'reference' || !lookUp.coverage.complete) return [];
  const { archived, period, readRights, account } = lookUp.coverage;
  return [
    {
      what: say(
        `That the look-up is complete beyond what the trials made: ${archived ? 'what is archived or deleted, ' : ''}rights (${readRights}), period (${period}), no other account than ${account}, and more objects than theirs.`,
        `Que la recherche est complète au-delà de ce que les épreuves ont fait : ${archived ? 'ce qui est archivé ou supprimé, ' : ''}droits (${readRights}), période (${period}), aucun autre compte que ${account}, et plus d’objets que les leurs.`,
      ),
      costs: say(
        'What it does not show is taken for not done, and may be done again.',
        'Ce qu’elle ne montre pas passe pour non fait, et peut être refait.',
      ),
    },
  ];
};

const ofAccepted = ({ contract, parts }: Learnt, say: Say): readonly Untried[] => {
  const uncounted = parts.some(
    ({ id, verdict, exhibit }) =>
      id === 'success' && verdict === 'pass' && exhibit?.objects.count === undefined,
  );
  const acts = contract.progress !== undefined || uncounted;
  return acts
    ? [
        {
          what: say(
            'That what the destination took is always carried out: one call was followed, or nothing could count it.',
            'Que ce que le destinataire a accepté est toujours fait : un seul appel a été suivi, ou rien n’a pu le compter.',
          ),
          costs: say(
            'It is shown as taken or done, and is not.',
            'C’est montré comme accepté ou fait, et ne l’est pas.',
          ),
        },
      ]
    : [];
};

export const untriedIn = (learnt: Learnt, say: Say): Untried[] => [
  ...ofTime(learnt, say),
  ...ofKey(learnt, say),
  ...ofCount(learnt, say),
  ...ofLookUp(learnt, say),
  ...ofDisproof(learnt, say),
  ...ofNotNow(learnt, say),
  ...ofAccepted(learnt, say),
];
