// The words of agents, tools and skills, in French.
import type { registry as english } from './en-registry.ts';
import { pluralIn } from './plural.ts';

const plural = pluralIn('fr');

export const registry: typeof english = {
  agents: {
    title: 'Agents',
    empty: 'Il n’y a pas encore d’agent.',
    emptyHint: 'Un administrateur en crée un, ici ou avec POST /v1/agents.',
    revision: (revision) => `Révision ${revision}`,
    revisions: 'Révisions',
    newest: 'la plus récente',
    prompt: 'Instructions',
    model: 'Modèle',
    tools: 'Outils',
    skills: 'Compétences',
    grant: { always: 'accordée d’emblée', on_request: 'sur demande' },
    stepLimit: 'Limite d’étapes',
    price: 'Prix par million de jetons',
    made: 'créée',
    compare: 'Comparer',
    with: 'avec',
    differences: 'Ce qui a changé',
    first: 'La première révision.',
    same: 'Rien n’a changé.',
    was: 'était',
    becomes: 'devient',
    added: 'ajouté',
    removed: 'retiré',
    keep: 'Les exécutions en cours gardent la révision avec laquelle elles ont commencé.',
    edit: 'Créer une nouvelle révision',
    saveRevision: 'Enregistrer comme nouvelle révision',
    saved: (revision) => `La révision ${revision} est créée.`,
    json: 'Configuration en JSON',
    firstOne: 'Créer un agent',
    badJson: 'Ce n’est pas un objet JSON.',
    talk: 'Commencer une conversation',
    script: (name) => `Script « ${name} »`,
    providers: {
      anthropic: 'Anthropic',
      bedrock: 'Amazon Bedrock',
      'openai-compatible': 'compatible OpenAI',
      scripted: 'joue un script, sans modèle',
    },
    brings: (tools, skills) =>
      `${plural(tools, { one: '# outil', other: '# outils' })}, ${plural(skills, { one: '# compétence', other: '# compétences' })}`,
  },
  tools: {
    title: 'Outils',
    empty: 'Il n’y a pas encore d’outil.',
    emptyHint: 'Un administrateur en enregistre un, ici ou avec POST /v1/tools.',
    version: (version) => `Version ${version}`,
    versions: 'Versions',
    description: 'Description',
    transport: 'Transport',
    argumentsSchema: 'Arguments',
    contract: 'Contrat',
    contractHint:
      'Ce que la destination promet, et ce que cela signifie quand une réponse se perd.',
    field: 'Champ',
    value: 'Déclaré',
    meaning: 'Ce que cela signifie pour la reprise',
    verification: 'Vérification',
    noNeed: 'inutile',
    neverVerified: 'Jamais vérifié : aucune répétition automatique.',
    verifiedBy: (name) => `par ${name}`,
    raw: 'Enregistrement en JSON',
    newest: 'la plus récente',
    edit: 'Créer une nouvelle version',
    save: 'Enregistrer comme nouvelle version',
    json: 'Enregistrement en JSON, à modifier',
    firstOne: 'Enregistrer un outil',
    first: 'La première version.',
    keep: 'Les agents gardent la version à laquelle ils sont liés jusqu’à leur prochaine révision.',
    fields: {
      effect: 'Effet',
      destination: 'Destination',
      success: 'Preuve de succès',
      disproof: 'Preuve d’absence d’effet',
      alreadyExists: 'Existe déjà',
      key: 'Clé',
      lookUp: 'Recherche',
      coverage: 'Couverture de la recherche',
      progress: 'Avancement',
      rateLimit: 'Pas maintenant',
      timeout: 'Limite de temps',
      likeness: 'Ressemblance',
      whenUndetermined: 'Si indéterminé',
      approval: 'Approbation',
      repeatWindow: 'Fenêtre de répétition',
      recoverer: 'Responsable',
    },
    means: {
      read: 'Une lecture peut être refaite ; elle n’ouvre pas de tentative et n’est jamais indéterminée.',
      write: 'Une réponse perdue la laisse indéterminée jusqu’à ce qu’une preuve tranche.',
      irreversible: 'Comme une écriture, et aucune permission permanente ne peut la couvrir.',
      success: (count) =>
        plural(count, {
          one: '# forme prouve l’effet ; tout autre 2xx est seulement accepté.',
          other: '# formes prouvent l’effet ; tout autre 2xx est seulement accepté.',
        }),
      noSuccess:
        'Aucune réponse ne prouve l’effet : un 2xx est accepté, tout le reste est indéterminé.',
      disproof: (count) =>
        plural(count, {
          one: '# réponse prouve que la tentative n’a rien fait ; elle ne dit rien des précédentes.',
          other:
            '# réponses prouvent que la tentative n’a rien fait ; elles ne disent rien des précédentes.',
        }),
      noDisproof:
        'Aucune réponse ne prouve que rien n’a eu lieu, sauf une connexion jamais établie.',
      alreadyExists:
        'Mène à une recherche : l’objet existant peut venir de notre propre première tentative.',
      noKey:
        'Une répétition ne peut être rendue sûre. Sans recherche possible, une personne décide.',
      referenceOnly:
        'La référence voyage et peut être recherchée, mais la destination ne dédoublonne pas d’après elle.',
      key: (retention) =>
        `Une répétition avec la même clé est sûre pendant ${retention}, à compter de la première tentative, moins une marge.`,
      onRepeat: {
        returns_first_result: 'Une répétition rend le premier résultat.',
        finishes_failed_work: 'Une répétition achève le travail échoué.',
        error: 'Une répétition reçoit une erreur.',
      },
      noLookUp: 'Le système ne peut pas rechercher l’effet.',
      byReference:
        'Une trouvaille par notre référence prouve l’effet si compte, environnement et arguments concordent.',
      byNatural:
        'Une clé naturelle (un nom) ne prouve jamais l’absence, et une trouvaille va à une personne.',
      complete: 'Complète : une recherche vide prouve l’absence une fois son délai passé.',
      incomplete: 'Incomplète : une recherche vide ne prouve rien.',
      progress: '« Encore en cours » se reconnaît et se suit jusqu’à la limite.',
      rateLimit:
        'Cette réponse prouve « pas maintenant » : on peut réessayer, de façon bornée et consignée.',
      timeout:
        'Ensuite la tentative est finie pour nous ; son issue est alors recherchée, jamais devinée.',
      likeness:
        'Deux actions avec ces mêmes arguments se ressemblent, et la seconde interroge une personne.',
      likenessAll: 'Tous les arguments.',
      wait: 'L’exécution attend que ce soit réglé.',
      tell: 'L’agent apprend, en termes fixes, que c’est indéterminé, et continue.',
      always: 'Une personne approuve chacune.',
      never: 'Aucune approbation n’est nécessaire.',
      condition: 'Une personne approuve quand ceci est vrai des arguments.',
      repeatWindow: 'Répétitions automatiques seulement dans ce délai après la première tentative.',
      recoverer: 'Nommé sur la fiche jusqu’à ce que quelqu’un la prenne.',
    },
  },
  skills: {
    title: 'Compétences',
    empty: 'Il n’y a pas encore de compétence.',
    emptyHint: 'Un administrateur en enregistre une, ici ou avec POST /v1/skills.',
    instructions: 'Instructions',
    tools: 'Outils qu’elle apporte',
    noTools: 'aucun',
    json: 'Compétence en JSON, à modifier',
    firstOne: 'Enregistrer une compétence',
    version: (version) => `Version ${version}`,
  },
  grants: {
    title: 'Permissions permanentes',
    hint: 'Ce que des personnes ont dit de ne plus demander. Jamais pour l’irréversible.',
    empty: 'Aucune.',
    stands: 'en vigueur',
    ended: 'terminée',
    revoke: 'Révoquer',
    whole: 'Quand',
  },
};
