// What a claim and a decision mean, in words: who is responsible and until when, what happens now, what to do next.
// Owns: those words. Head and fence are numbers that a decision carries (L10); nobody has to know what they are called.
import type { Place } from '../kit/command.ts';

interface ClaimSeen {
  readonly fence: number;
  readonly holder?: { readonly name: string } | undefined;
  readonly until: string;
}

/** Who holds it now. A claim that has lapsed holds nothing. */
export const holderWords = (
  claim: ClaimSeen | undefined,
  actionId: string,
  { say }: Place,
): string => {
  if (claim?.holder === undefined)
    return say(
      `Nobody holds it. Before you decide: reprise desk claim ${actionId}`,
      `Personne ne l’a prise en charge. Avant de décider : reprise desk claim ${actionId}`,
    );
  const { name } = claim.holder;
  if (Date.parse(claim.until) <= Date.now())
    return say(
      `${name} held it and let it lapse at ${claim.until}. Before you decide: reprise desk claim ${actionId}`,
      `${name} l’avait prise en charge, jusqu’à ${claim.until}. Avant de décider : reprise desk claim ${actionId}`,
    );
  return say(
    `${name} holds it until ${claim.until} (claim number, "fence": ${claim.fence}).`,
    `${name} l’a prise en charge jusqu’à ${claim.until} (numéro de prise en charge, « fence » : ${claim.fence}).`,
  );
};

/** The first line of `desk show`. */
export const headWords = (head: number, { say }: Place): string =>
  say(
    `Head ${head}: the newest entry of its journal. A decision names what you read, --head ${head}; it is refused if anything was added since.`,
    `Numéro ${head} : la dernière entrée de son journal. Une décision nomme ce que vous avez lu, --head ${head} ; elle est refusée si quelque chose s’est ajouté depuis.`,
  );

/** After `desk claim` or `renew`. */
export const claimedWords = (claim: ClaimSeen, actionId: string, { say }: Place): string =>
  say(
    `You hold ${actionId} until ${claim.until} (fence ${claim.fence}; your decisions carry it by themselves). Nobody else decides meanwhile.\nNext: reprise desk show ${actionId}, then reprise desk decide ${actionId} KIND --head N, or reprise desk release ${actionId}`,
    `Vous avez pris ${actionId} en charge jusqu’à ${claim.until} (fence ${claim.fence} ; vos décisions le portent d’elles-mêmes). Personne d’autre ne décide entre-temps.\nEnsuite : reprise desk show ${actionId}, puis reprise desk decide ${actionId} SORTE --head N, ou reprise desk release ${actionId}`,
  );

export const releasedWords = (actionId: string, { say }: Place): string =>
  say(
    `Given back: nobody holds ${actionId} now.`,
    `Rendue : personne n’a plus ${actionId} en charge.`,
  );

export interface Taken {
  readonly kind: string;
  readonly actionId: string;
  /** wait: until when. */
  readonly until: string | undefined;
  /** reissue: the new action. */
  readonly newActionId: string | undefined;
}

/** What happens now that it is decided. */
export const afterDecision = (
  { kind, actionId, until, newActionId }: Taken,
  { say }: Place,
): string => {
  const show = `reprise desk show ${actionId}`;
  switch (kind) {
    case 'attach':
      return say(
        'Your evidence confirms the effect. Nothing is sent; the run goes on with it.',
        'Votre preuve confirme l’effet. Rien n’est envoyé ; le run continue avec elle.',
      );
    case 'not_performed':
      return say(
        'Your evidence shows that nothing happened. Nothing is sent; the agent is told and the run goes on.',
        'Votre preuve montre que rien n’a eu lieu. Rien n’est envoyé ; l’agent l’apprend et le run continue.',
      );
    case 'repeat':
      return say(
        `It is sent once more now, under the same key. Until its answer is there it stays undetermined; what came of it: ${show}`,
        `Elle est envoyée encore une fois, avec la même clé. Jusqu’à la réponse elle reste indéterminée ; ce qu’il en est : ${show}`,
      );
    case 'wait':
      return say(
        `Nothing happens until ${until}; then it is looked at again.`,
        `Rien ne se passe jusqu’à ${until} ; puis on regarde à nouveau.`,
      );
    case 'suspend':
      return say(
        `The agent is told that the outcome is not known, and the run goes on. It may still be decided: ${show}`,
        `L’agent apprend que l’issue n’est pas connue, et le run continue. On peut encore décider : ${show}`,
      );
    case 'abandon':
      return say(
        'Nobody pursues it any more; the run goes on. Evidence that comes later still counts.',
        'Plus personne ne la poursuit ; le run continue. Une preuve qui viendrait plus tard compte encore.',
      );
    default:
      return say(
        `A new action takes its place${newActionId === undefined ? '' : `, ${newActionId}`}. What it waits for: reprise requests list`,
        `Une nouvelle action la remplace${newActionId === undefined ? '' : `, ${newActionId}`}. Ce qu’elle attend : reprise requests list`,
      );
  }
};
