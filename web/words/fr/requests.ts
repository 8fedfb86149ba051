// The words of requests and recoveries, in French: they come with the first one that is shown.
import type { requests as english } from '../en/requests.ts';

const approval: (typeof english)['approval'] = {
  title: 'Ceci demande votre approbation',
  exact: 'Voici exactement ce qui s’exécutera, une fois :',
  approve: 'Approuver',
  refuse: 'Refuser…',
  refuseNow: 'Refuser',
  change: 'Demander des modifications…',
  changeNow: 'Envoyer la demande',
  reason: 'Raison (communiquée à l’agent)',
  what: 'Que faut-il changer ? (communiqué à l’agent)',
  role: (role) => `Demande le rôle ${role}.`,
  noRole: (role) => `Vous n’avez pas le rôle ${role}, que cette approbation demande.`,
  expires: 'Expire',
  expiresThen: ' ; rien n’est alors envoyé.',
  remember: 'Ne plus demander pour des appels semblables',
  rememberHint: 'Jamais pour ce qui est irréversible, jamais pour ce qui ressemble.',
  rememberScope: 'Pour',
  rememberScopes: { run: 'cette exécution', agent: 'cet agent, jusqu’à révocation' },
  condition: 'Quand ceci est vrai des arguments (JSONata)',
  lookAlike: 'Ressemble à une action qui n’est pas réglée',
  lookAlikeHint: 'Approuver en envoie une seconde. Comparez-les :',
  field: 'Champ',
  this: 'Cette action',
  other: 'L’autre',
  same: 'identique',
  decidedBy: (decision, name) => `${decision} par ${name}`,
  alreadyDecided: (name) => `${name} a été plus rapide.`,
  digestNote: 'Ce qui s’exécute est, octet pour octet, ce que couvre cette empreinte.',
  voided: 'N’est plus nécessaire',
};

const recovery: (typeof english)['recovery'] = {
  title: 'L’issue n’est pas connue',
  looking: 'Le système cherche encore l’issue. Vous n’avez rien à faire pour l’instant.',
  hint: 'Regardez chez la destination. Ce que vous trouvez décide ; l’appel n’est pas renvoyé de lui-même.',
  inCharge: (name) => `Responsable jusqu’à ce que quelqu’un la prenne : ${name}.`,
  released: 'L’exécution ne l’attend plus ; l’action a encore besoin de quelqu’un.',
  openAction: 'Ouvrir l’action',
  claim: 'La prendre en charge',
  claimHint:
    'Tant qu’elle est à vous, nul autre, humain ou machine, n’ouvre de tentative. Vous pouvez alors décider.',
  yours: 'Elle est à vous jusqu’au',
  heldBy: (name) => `${name} s’en occupe jusqu’au`,
  lapsed: (name) => `${name} l’a laissée expirer le`,
  nobody: 'Personne ne s’en occupe.',
  renew: 'Prolonger de 30 minutes',
  giveBack: 'La rendre',
  takeOver: 'La reprendre…',
  takeOverNow: 'J’ai lu ceci : la reprendre',
  changed: 'Lisez ce que l’on sait avant de la reprendre :',
  changedSince: (name) => `Écrit depuis que ${name} l’a prise :`,
  nothingSince: (name) => `Rien n’a été écrit depuis que ${name} l’a prise.`,
  soon: 'Votre prise en charge expire bientôt.',
  noRole: (role) => `Vous n’avez pas le rôle ${role}, que la prise en charge demande.`,
  correct: 'Preuves et corrections',
  setAside: {
    suspended:
      'Suspendue : l’exécution a continué. On peut encore la régler, l’abandonner ou l’envoyer de nouveau.',
    abandoned: 'Plus personne ne la poursuit. Une preuve de ce qu’elle est devenue reste acceptée.',
    reissued: 'Une nouvelle intention la remplace. Une preuve au sujet de celle-ci reste acceptée.',
  },
  decided: 'décidée',
  decidedAs: {
    suspended: 'décidée (suspendre)',
    abandoned: 'décidée (abandonner)',
    reissued: 'décidée (nouvelle intention)',
  },
  waits: 'Attend jusqu’au',
  decidedBy: (name) => `, décidé par ${name}`,
  claimGone:
    'Plus personne ne l’a en charge : reprenez-la pour envoyer ceci. Votre saisie est gardée.',
  heldKept: 'Votre saisie est gardée ; elle ne peut être envoyée tant qu’un autre s’en occupe.',
  decide: 'Décider',
  refusedBecause: 'pas maintenant',
  kinds: {
    attach: 'Cela a eu lieu : rattacher un résultat',
    not_performed: 'Cela n’a pas eu lieu : donner la preuve',
    repeat: 'Répéter avec la même clé',
    wait: 'Attendre jusqu’à…',
    suspend: 'Suspendre : l’exécution continue',
    abandon: 'Abandonner, avec une raison',
    reissue: 'Nouvelle intention explicite…',
  },
  waitBlind:
    'Rien n’est envoyé. Le contrat ne déclare aucune recherche : le moment venu, elle attend de nouveau quelqu’un.',
  kindMeans: {
    attach: 'Votre preuve confirme l’effet. Rien n’est envoyé.',
    not_performed: 'Votre preuve montre que rien n’a eu lieu. Rien n’est envoyé.',
    repeat:
      'La même action est envoyée encore une fois avec la même clé, que la destination honore encore.',
    wait: 'Rien n’est envoyé. Le moment venu, le système regarde à nouveau.',
    suspend:
      'L’agent apprend que l’issue n’est pas connue et continue. L’action reste indéterminée.',
    abandon: 'Plus personne ne la poursuit. L’effet reste ouvert aux preuves.',
    reissue:
      'Une nouvelle action, de nouvelle identité, est envoyée de nouveau, après une approbation. Si la première a eu lieu, cela aura eu lieu deux fois.',
  },
  what: 'Qu’avez-vous vu ?',
  whatHint: 'L’objet, l’enregistrement ou la ligne de journal',
  where: 'Où ?',
  whereHint: 'Lien ou lieu chez la destination, avec compte et environnement',
  when: 'Quand avez-vous regardé ?',
  coverage: 'Jusqu’où allait la recherche ?',
  coverageHint: 'Compte, environnement, objets archivés, droits de lecture, période',
  reference: 'La référence propre de la destination',
  optional: 'facultatif',
  reason: 'Raison',
  affirm: 'Destinataire, contenu et permission valent toujours',
  until: 'Jusqu’à quand ?',
  risk: 'Quel risque acceptez-vous ?',
  riskHint: 'La première a peut-être déjà eu lieu',
  records: {
    attach: 'Consigner : cela a eu lieu',
    not_performed: 'Consigner : cela n’a pas eu lieu',
    repeat: 'Répéter maintenant avec la même clé',
    wait: 'Attendre jusque-là',
    suspend: 'La suspendre',
    abandon: 'L’abandonner',
    reissue: 'Demander l’approbation d’un nouvel envoi',
  },
  zone: (zone) => `Heure de ${zone}`,
};

const question: (typeof english)['question'] = {
  title: 'Une question pour vous',
  send: 'Répondre',
  decline: 'Décliner…',
  declineNow: 'Décliner',
  declineReason: 'Raison (communiquée à l’agent)',
  optional: 'facultatif',
  choose: 'Choisir…',
  expires: 'Expire',
  afterwards: {
    default: 'les valeurs par défaut sont alors prises.',
    continue: 'l’agent continue alors sans réponse.',
    stop: 'l’exécution cesse alors de demander et l’agent l’apprend.',
  },
  noteOnMessage: 'Un message dans le fil n’y répond pas.',
};

const skill: (typeof english)['skill'] = {
  title: 'L’agent demande une compétence',
  asks: (name) => `Il demande la compétence « ${name} ».`,
  brings: 'Elle apporte ces outils :',
  noTools: 'Elle n’apporte aucun outil.',
  forRun: 'Accorder pour cette exécution',
  forAgent: 'Accorder à l’agent (nouvelle révision)',
};

const roles: (typeof english)['roles'] = {
  viewer: 'lecteur',
  member: 'membre',
  approver: 'approbateur',
  recoverer: 'responsable de reprise',
  reporter: 'rapporteur',
  admin: 'administrateur',
};

export const requests: typeof english = { approval, recovery, question, skill, roles };
