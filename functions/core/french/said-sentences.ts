// The sentences that Reprise itself stores in English as reasons, in French: one for one. What is not among them is somebody's own
// text. Owns: these pairs. Each sentence that the code can store has one: a test reads the sources and looks for it here.
// Tested in test/core/french/said.test.ts.

export const sentencesFr: Readonly<Record<string, string>> = {
  'The agent gave its answer.': 'L’agent a donné sa réponse.',
  'The answer was cut off: the model reached its limit of tokens before the end. What it said is kept. "Continue" asks it to go on; a larger limit in the agent’s model options avoids it.':
    'La réponse a été coupée : le modèle a atteint sa limite de jetons avant la fin. Ce qu’il a dit est gardé. « Continuer » lui demande la suite ; une limite plus grande dans les options de modèle de l’agent l’évite.',
  'The provider’s content filter withheld the answer. Calls of the withheld answer were not made. Say it in other words, or change the agent’s prompt or model.':
    'Le filtre de contenu du fournisseur a retenu la réponse. Les appels de la réponse retenue n’ont pas été faits. Dites-le autrement, ou changez l’invite ou le modèle de l’agent.',
  'The model ended without an answer: it said nothing and called nothing. "Continue" asks it again; if that happens again, change the agent’s prompt or model.':
    'Le modèle a fini sans réponse : il n’a rien dit et rien appelé. « Continuer » le redemande ; si cela se répète, changez l’invite ou le modèle de l’agent.',
  'The message that began it was withdrawn before it was read. Nothing was done. Send a message to start a new run.':
    'Le message qui l’avait lancée a été retiré avant d’être lu. Rien n’a été fait. Envoyez un message pour lancer une nouvelle exécution.',
  'The run ended with an answer that was cut off.':
    'L’exécution s’est terminée par une réponse coupée.',
  'The run ended with an answer that was withheld.':
    'L’exécution s’est terminée par une réponse retenue.',
  'The run ended without an answer.': 'L’exécution s’est terminée sans réponse.',
  'The run ended: its message was withdrawn.':
    'L’exécution s’est terminée : son message a été retiré.',
  'The model call was cut short.': 'L’appel du modèle a été coupé.',
  'Send the message again then.': 'Renvoyez le message à ce moment-là.',
  'The run was stopped.': 'L’exécution a été arrêtée.',
  'The run failed. Send the message again to start a new run.':
    'L’exécution a échoué. Renvoyez le message pour en lancer une nouvelle.',
  'A person asked for a look.': 'Une personne a demandé une recherche.',
  'A person said to wait.': 'Une personne a dit d’attendre.',
  'An attempt may still be running.': 'Une tentative est peut-être encore en route.',
  'An object that looks right was found by its name; a name proves nothing.':
    'Un objet qui convient a été trouvé par son nom ; un nom ne prouve rien.',
  'More than one object matches: the destination may have acted more than once.':
    'Plus d’un objet concorde : la destination a peut-être agi plus d’une fois.',
  'The state that came with the question held a secret and was not kept.':
    'L’état joint à la question contenait un secret et n’a pas été conservé.',
  'Found by the action’s own reference, and it matches.':
    'Trouvé par la référence propre de l’action, et cela concorde.',
  'It was still in progress at the contract’s limit.':
    'C’était encore en cours à la limite du contrat.',
  'Nobody has verified what the destination does with a repeat.':
    'Nul n’a vérifié ce que la destination fait d’une répétition.',
  'Not found yet; too early to prove absence.':
    'Pas encore trouvé ; trop tôt pour prouver l’absence.',
  'Nothing was done, and the agent knows.': 'Rien n’a été fait, et l’agent le sait.',
  'Nothing was ever sent.': 'Rien n’a jamais été envoyé.',
  'Searched and not found, but nobody has verified that the look-up finds what is there.':
    'Cherché et non trouvé, mais personne n’a vérifié que la recherche trouve ce qui existe.',
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
    'Les preuves se contredisent : est-ce le même système, la même action ?',
  'A repeat would overwrite what somebody may have changed since.':
    'Une répétition écraserait ce que quelqu’un a pu modifier depuis.',
  'The trials saw the key held for a shorter time.':
    'Les épreuves ont vu la clé tenue moins longtemps.',
  'What had authorised the next attempt was taken back: it is not sent.':
    'Ce qui autorisait la tentative suivante a été retiré : elle n’est pas envoyée.',
  'The key no longer covers the first attempt.': 'La clé ne couvre plus la première tentative.',
  'The look-up covers another account or environment.':
    'La recherche couvre un autre compte ou environnement.',
  'The look-up did not answer.': 'La recherche n’a pas répondu.',
  'The look-up failed before; it is tried again.': 'La recherche avait échoué ; elle est refaite.',
  'The look-up failed; it is tried again.': 'La recherche a échoué ; elle est refaite.',
  'The newest attempt never left; it is tried again.':
    'La dernière tentative n’est pas partie ; une autre suit.',
  'The look-up says "found" and shows no object.':
    'La recherche dit « trouvé » et ne montre aucun objet.',
  'The look-up’s answer settles nothing.': 'La réponse de la recherche ne règle rien.',
  'The next attempt is authorised.': 'La tentative suivante est autorisée.',
  'The outcome is not known, and nothing looks for it yet.':
    'L’issue n’est pas connue, et rien ne la cherche encore.',
  'The poll did not answer.': 'Le suivi n’a pas répondu.',
  'The read did not succeed.': 'La lecture n’a pas réussi.',
  'The reissue was approved.': 'La réémission a été approuvée.',
  'The settle time has passed.': 'Le délai est passé.',
  'The tool asked something before it acts.': 'L’outil a demandé quelque chose avant d’agir.',
  'The tool asks something.': 'L’outil demande quelque chose.',
  'The tool asked something, and it was not answered.':
    'L’outil a demandé quelque chose, et nul n’a répondu.',
  'The tool asked something; a repeat would ask it again.':
    'L’outil a demandé quelque chose ; une répétition le demanderait de nouveau.',
  'The tool asked something, and nobody is asked.':
    'L’outil a demandé quelque chose, et on ne demande à personne.',
  'What the tool had asked was answered.': 'Ce que l’outil avait demandé a reçu une réponse.',
  'What the tool had asked was declined.': 'Ce que l’outil avait demandé a été décliné.',
  'Nobody answered what the tool had asked.': 'Nul n’a répondu à ce que l’outil avait demandé.',
  'The contract says that the tool does nothing before it has asked: that attempt did nothing.':
    'Le contrat dit que l’outil ne fait rien avant d’avoir demandé : cette tentative n’a rien fait.',
  'Whether the tool had done something before it asked is not known.':
    'On ne sait pas si l’outil avait fait quelque chose avant de demander.',
  'The tool was told that a person declined.': 'L’outil a appris qu’une personne a décliné.',
  'The contract says that it does nothing before what it asks is accepted.':
    'Le contrat dit qu’il ne fait rien avant que ce qu’il demande soit accepté.',
  'Whether it had done something before it asked is not known.':
    'On ne sait pas s’il avait fait quelque chose avant de demander.',
  // Of questions that were asked before.
  'The tool asks something before it acts.': 'L’outil demande quelque chose avant d’agir.',
  'The tool says it failed; that is no proof that nothing was done.':
    'L’outil dit avoir échoué ; cela ne prouve pas que rien n’a été fait.',
  'The approval expired.': 'L’approbation a expiré.',
  'The question was declined.': 'La question a été déclinée.',
  'Nobody answered in time.': 'Nul n’a répondu à temps.',
  'The run ended.': 'L’exécution a pris fin.',
  'The run ended at its step limit.': 'L’exécution a atteint sa limite d’étapes.',
  'The run failed.': 'L’exécution a échoué.',
  'The run was stopped in the console.': 'L’exécution a été arrêtée dans la console.',
  'Its execution was stopped in the console.': 'Son exécution a été arrêtée dans la console.',
  'The run ended before it was settled.': 'L’exécution a pris fin avant qu’elle soit réglée.',
  'The run has ended or is stopping.': 'L’exécution a pris fin ou s’arrête.',
  // Of runs that ended before.
  'Unresolved actions stay listed.': 'Les actions non résolues restent listées.',
  'The next step could not be taken: its answer is larger than a state may carry.':
    'L’étape suivante n’a pas pu être faite : sa réponse dépasse ce qu’un état peut porter.',
  'The calls of a step were cut short: their answers are larger than a state may carry.':
    'Les appels d’une étape ont été interrompus : leurs réponses dépassent ce qu’un état peut porter.',
  'This step sent nothing; what was sent before stays listed with what is known.':
    'Cette étape n’a rien envoyé ; ce qui fut envoyé avant reste listé avec ce qui est connu.',
  'What was sent stays listed with what is known; only a person’s decision sends it again.':
    'Ce qui a été envoyé reste listé avec ce qui est connu ; seule la décision d’une personne le renvoie.',
  'Messages that waited are held.': 'Les messages en attente sont conservés.',
  'Send the message again to start a new run.':
    'Renvoyez le message pour lancer une nouvelle exécution.',
  'Send the message again when it is back.': 'Renvoyez le message quand il sera revenu.',
  'A tool call failed time and again without an answer.':
    'Un appel d’outil a échoué plusieurs fois sans réponse.',
  'Its action stays listed with what is known.':
    'Son action reste listée avec ce que l’on en sait.',
  'Nothing was sent.': 'Rien n’a été envoyé.',
  'Nothing was done.': 'Rien n’a été fait.',
  'Nothing is open.': 'Rien n’est ouvert.',
  'Propose it anew.': 'Proposez-la de nouveau.',
  'Do not repeat it.': 'Ne la répétez pas.',
  'Do not repeat either.': 'Ne répétez ni l’une ni l’autre.',
  'It must not be repeated and must not be assumed.':
    'Elle ne doit être ni répétée ni tenue pour faite.',
  'The attempt was engaged and its owner never reported; whether the request was sent is not known.':
    'La tentative a été engagée et son exécutant n’a jamais rendu compte ; on ne sait pas si la requête est partie.',
  'The tool asked something before it acts, and nobody is asked any more: the attempt did nothing.':
    'L’outil a demandé quelque chose avant d’agir, et on ne demande plus à personne : la tentative n’a rien fait.',
  'The attempt only asked; its question is closed.':
    'La tentative n’a fait que demander ; sa question est close.',
  'What became of the call is known.': 'On sait ce que l’appel est devenu.',
  'By contract this means "not now": nothing was done.':
    'Selon le contrat, cela veut dire « pas maintenant » : rien n’a été fait.',
  'Such an object exists already.': 'Un tel objet existe déjà.',
  'It is a web page, and anything on the way can have written it.':
    'C’est une page web, que n’importe quel intermédiaire peut avoir écrite.',
  'The contract names what a success looks like, and this is none.':
    'Le contrat dit à quoi ressemble un succès, et ceci n’en est pas un.',
  'That is no answer of the convention it keeps to.':
    'Ce n’est pas une réponse de la convention qu’elle suit.',
  'By contract this proves nothing.': 'Selon le contrat, cela ne prouve rien.',
  'By contract this says that it was taken, not that it was done.':
    'Selon le contrat, cela dit que c’est pris en compte, non que c’est fait.',
  'The work ended badly; whether anything was done is not known.':
    'Le travail s’est mal terminé ; on ne sait pas si quelque chose a été fait.',
  'Nothing in its patterns says what that means.':
    'Aucun de ses motifs ne dit ce que cela signifie.',
  'Nothing in the contract says that this proves the effect.':
    'Rien dans le contrat ne dit que cela prouve l’effet.',
  'That proves neither that it was done nor that it was not.':
    'Cela ne prouve ni que cela a été fait ni le contraire.',
  'By reference, with complete coverage, after the settle time: it is not there.':
    'Par référence, avec une couverture complète, après le délai : ce n’y est pas.',
  'Too early to count.': 'Trop tôt pour que cela compte.',
  'Every attempt is disproved.': 'Toutes les tentatives sont réfutées.',
  'The time for automatic repeats is over.': 'Le temps des répétitions automatiques est passé.',
  'The mandate no longer stands.': 'Le mandat ne vaut plus.',
  'A person is in charge.': 'Une personne s’en charge.',
  'Its stored content is not what was planned or approved: the digest differs.':
    'Son contenu stocké n’est pas celui qui fut planifié ou approuvé : l’empreinte diffère.',
  'Somebody has claimed it since the decision to repeat it.':
    'Quelqu’un l’a prise en charge depuis la décision de la répéter.',
  'Accepted; the look-up could not confirm it.': 'Acceptée ; la recherche n’a pas pu la confirmer.',
  'Another action that looks alike is under way or undetermined.':
    'Une autre action semblable est en cours ou indéterminée.',
  'The permission to use this tool was revoked.':
    'La permission d’utiliser cet outil a été révoquée.',
  'The approval has expired or was revoked.': 'L’approbation a expiré ou a été révoquée.',
  'The approval was revoked.': 'L’approbation a été révoquée.',
  'The remembered approval was revoked.': 'L’approbation mémorisée a été révoquée.',
  'The remembered approval has expired.': 'L’approbation mémorisée a expiré.',
  'The approval was given, and expired before it was begun.':
    'L’approbation a été donnée, et a expiré avant que l’action ait commencé.',
  'The approval is of another content.': 'L’approbation porte sur un autre contenu.',
  'The tool is barred.': 'L’outil est interdit.',
  'The attempt reached its deadline before it could be sent.':
    'La tentative a atteint son échéance avant de pouvoir partir.',
  'The deadline passed before the connection stood.':
    'L’échéance est passée avant que la connexion soit établie.',
  'The deadline has passed.': 'L’échéance est passée.',
  'The invocation has ended.': 'L’invocation a pris fin.',
  'The last check failed.': 'Le dernier contrôle a échoué.',
  'The connection was used up.': 'La connexion avait déjà servi.',
  'A connection carries one request only.': 'Une connexion ne porte qu’une requête.',
  'A tool call is sent once.': 'Un appel d’outil n’est envoyé qu’une fois.',
  'An invocation is sent once.': 'Une invocation n’est envoyée qu’une fois.',
  'The MCP client wrote a body that is no text.':
    'Le client MCP a écrit un corps qui n’est pas du texte.',
  'Try again later.': 'Réessayez plus tard.',
  'Add the host to the egress rules.': 'Ajoutez l’hôte aux règles de sortie.',
  'Add the host to the egress rules (REPRISE_EGRESS on one machine, egressHosts on AWS).':
    'Ajoutez l’hôte aux règles de sortie (REPRISE_EGRESS sur une machine, egressHosts sur AWS).',
  'Add it to allowPrivate in the egress rules if that is meant.':
    'Ajoutez-la à allowPrivate dans les règles de sortie si c’est voulu.',
  'If that is meant, name the address in allowPrivate of REPRISE_EGRESS on one machine; on AWS nothing private is reached.':
    'Si c’est voulu, nommez l’adresse dans allowPrivate de REPRISE_EGRESS sur une machine ; sur AWS, rien de privé n’est joint.',
  'Until then every call there ends like this, so none is repeated.':
    'D’ici là, chaque appel y finit ainsi ; aucun n’est donc répété.',
  'Add it to the secret store.': 'Ajoutez-le au magasin de secrets.',
  'Add it with "reprise secrets set" on one machine, in AWS Secrets Manager on AWS.':
    'Ajoutez-le avec « reprise secrets set » sur une machine, dans AWS Secrets Manager sur AWS.',
  'Give it one.': 'Donnez-lui-en une.',
  'Make the argument required.': 'Rendez l’argument obligatoire.',
  'Give a real value.': 'Donnez une vraie valeur.',
  'The tool’s URL is not a valid URL.': 'L’URL de l’outil n’est pas une URL valide.',
  'The call could not be formed from the tool’s registration.':
    'L’appel n’a pas pu être formé d’après l’enregistrement de l’outil.',
  'The convention takes this for a refusal before anything was done.':
    'La convention tient cela pour un refus avant tout effet.',
  'The content was not acceptable, or the key was used before with other content; this request was not processed.':
    'Le contenu n’était pas acceptable, ou la clé avait servi avec un autre contenu ; cette requête n’a pas été traitée.',
  'The API named its error and, as documented, did not carry the request out.':
    'L’API a nommé son erreur et, comme documenté, n’a pas exécuté la requête.',
  'The tool asks something; a read may not.':
    'L’outil demande quelque chose ; une lecture ne le peut pas.',
  'It is worth another try.': 'Un nouvel essai vaut la peine.',
  'Check the key and what it may use.': 'Vérifiez la clé et ce qu’elle peut utiliser.',
  'Check the model’s name and the address.': 'Vérifiez le nom du modèle et l’adresse.',
  'Another try will not help: change the agent’s model, options or messages.':
    'Un nouvel essai n’aidera pas : changez le modèle, les options ou les messages de l’agent.',
  'Nobody holds the claim.': 'Personne n’a pris ce cas en charge.',
  'The claim before this one lapsed.': 'La prise en charge précédente a expiré.',
  'The contract promises no key.': 'Le contrat ne promet aucune clé.',
};
