// What the command prints when it serves, in French. Owns: those words; what is true of which agents is worked out beside.

export const announceFr: Announcing = {
  scripted: (script) => `modèle scripté, script « ${script} »`,
  calls: (name, model) => `« ${name} » appelle un vrai modèle : ${model}`,
  more: (count) =>
    count === 1
      ? 'et 1 autre agent appelle un vrai modèle'
      : `et ${count} autres agents appellent de vrais modèles`,
  demoAgents: ', celui de l’agent de la démo',
  demoAgentMissing: ', pour l’agent de la démo, qui n’est pas là',
  noReal: ', aucun vrai modèle n’est appelé',
  scriptedForDemo: ' pour l’agent de la démo',
  setModel: ' (REPRISE_MODEL en choisit un) ; « call OUTIL {…} » lui fait appeler un de vos outils',
  labels: {
    model: 'Modèle',
    warning: 'Alerte',
    agent: 'Agent',
    demo: 'Démo',
    data: 'Données',
    try: 'Essai',
  },
  demoAt: (url) => `CRM, courriel et calendrier, à ${url}`,
  noDemo: 'aucune (--no-demo)',
  notRegistered: (why) => `pas enregistrée : ${why}`,
  stop: 'Ctrl+C l’arrête ; relancé, il reprend où il en était.',
};

/** The words of one language. Names, models and addresses stand in them as they are. */
export interface Announcing {
  scripted(script: string): string;
  calls(name: string, model: string): string;
  more(count: number): string;
  readonly demoAgents: string;
  readonly demoAgentMissing: string;
  readonly noReal: string;
  readonly scriptedForDemo: string;
  readonly setModel: string;
  /** At most eight characters each. */
  readonly labels: {
    readonly [Each in 'model' | 'warning' | 'agent' | 'demo' | 'data' | 'try']: string;
  };
  demoAt(url: string): string;
  readonly noDemo: string;
  notRegistered(why: string): string;
  readonly stop: string;
}
