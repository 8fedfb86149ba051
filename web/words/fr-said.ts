// The fixed sentences that Reprise itself stores in English (reasons of verdicts, ends, runs), as French shows them.
// What is not among them is somebody's own text and is shown as it is.

const sentences: Readonly<Record<string, string>> = {
  'The agent gave its answer.': 'L’agent a donné sa réponse.',
  'The run was stopped.': 'L’exécution a été arrêtée.',
  'The run failed. Send the message again to start a new run.':
    'L’exécution a échoué. Renvoyez le message pour en lancer une nouvelle.',
  'A person asked for a look.': 'Une personne a demandé une recherche.',
  'A person said to wait.': 'Une personne a dit d’attendre.',
  'An attempt may still be running.': 'Une tentative est peut-être encore en route.',
  'An object that looks right was found by its name; a name proves nothing.':
    'Un objet qui convient a été trouvé par son nom ; un nom ne prouve rien.',
  'Found by the action’s own reference, and it matches.':
    'Trouvé par la référence propre de l’action, et cela concorde.',
  'It was still in progress at the contract’s limit.':
    'C’était encore en cours à la limite du contrat.',
  'Nobody has verified what the destination does with a repeat.':
    'Nul n’a vérifié ce que la destination fait d’une répétition.',
  'Not found yet; too early to prove absence.':
    'Pas encore trouvé ; trop tôt pour prouver l’absence.',
  'Nothing was done, and the agent knows.': 'Rien n’a été fait, et l’agent le sait.',
  'Nothing was ever sent.': 'Rien n’a jamais été envoyé.',
  'Searched and not found, but by contract that proves nothing.':
    'Cherché et non trouvé, mais selon le contrat cela ne prouve rien.',
  'The attempt was engaged and nobody closed it.':
    'La tentative a été engagée et nul ne l’a close.',
  'The attempt’s time is over and its owner never reported.':
    'Le temps de la tentative est écoulé et son détenteur n’a jamais rendu compte.',
  'The contract declares a look-up.': 'Le contrat déclare une recherche.',
  'The destination answered the read.': 'La destination a répondu à la lecture.',
  'The destination honours the same key, and it still covers the first attempt.':
    'La destination honore la même clé, et elle couvre encore la première tentative.',
  'The destination is still working on the same key.':
    'La destination travaille encore sur la même clé.',
  'The destination is still working.': 'La destination travaille encore.',
  'The destination promises neither a look-up nor a key.':
    'La destination ne promet ni recherche ni clé.',
  'The destination took it.': 'La destination l’a pris.',
  'The destination was still working.': 'La destination travaillait encore.',
  'The effect is confirmed.': 'L’effet est confirmé.',
  'The evidence disagrees: is it the same system, the same action?':
    'Les preuves se contredisent : est-ce le même système, la même action ?',
  'The key no longer covers the first attempt.': 'La clé ne couvre plus la première tentative.',
  'The look-up covers another account or environment.':
    'La recherche couvre un autre compte ou environnement.',
  'The look-up did not answer.': 'La recherche n’a pas répondu.',
  'The look-up failed before; it is tried again.': 'La recherche avait échoué ; elle est refaite.',
  'The look-up failed; it is tried again.': 'La recherche a échoué ; elle est refaite.',
  'The look-up says "found" and shows no object.':
    'La recherche dit « trouvé » et ne montre aucun objet.',
  'The look-up’s answer settles nothing.': 'La réponse de la recherche ne règle rien.',
  'The next attempt is authorised.': 'La tentative suivante est autorisée.',
  'The outcome is not known, and nothing looks for it yet.':
    'L’issue n’est pas connue, et rien ne la cherche encore.',
  'The poll did not answer.': 'Le suivi n’a pas répondu.',
  'The read did not succeed.': 'La lecture n’a pas réussi.',
  'The reissue was approved.': 'La réémission a été approuvée.',
  'The settle time has passed.': 'Le délai est passé.',
  'The tool asked something before it acts.': 'L’outil a demandé quelque chose avant d’agir.',
  'The tool asks something before it acts.': 'L’outil demande quelque chose avant d’agir.',
  'The tool says it failed; that is no proof that nothing was done.':
    'L’outil dit avoir échoué ; cela ne prouve pas que rien n’a été fait.',
  'The approval expired.': 'L’approbation a expiré.',
  'The question was declined.': 'La question a été déclinée.',
  'Nobody answered in time.': 'Nul n’a répondu à temps.',
};

const patterns: readonly (readonly [RegExp, string])[] = [
  [/^The destination answered (\d{3})\.$/, 'La destination a répondu $1.'],
  [
    /^The destination answered (\d{3}), which its contract takes for a refusal\.$/,
    'La destination a répondu $1, ce que son contrat tient pour un refus.',
  ],
  [/^No reply: it broke off \((.+)\)\.$/, 'Pas de réponse : coupure ($1).'],
  [/^(.+) stopped the run\.$/, '$1 a arrêté l’exécution.'],
  [
    /^Step limit: (\d+) of (\d+) model calls were used.*$/,
    'Limite de pas : $1 appels du modèle sur $2 ont servi, et il n’y a pas de réponse finale. « Continuer » lance une nouvelle exécution.',
  ],
];

export const frenchOf = (text: string): string => {
  const whole = sentences[text];
  if (whole !== undefined) return whole;
  const pattern = patterns.find(([form]) => form.test(text));
  return pattern === undefined ? text : text.replace(pattern[0], pattern[1]);
};
