// What the contracts of the demo say in their own words, in French: how far a look-up sees, who verified them and how. A contract of
// somebody else stays as it was written. Owns: these pairs.
// Tested in test/core/french/said.test.ts.

/** How far a look-up sees. */
export const demoSeesFr: Readonly<Record<string, string>> = {
  'all events of the account': 'tous les événements du compte',
  'all records of the account': 'tous les enregistrements du compte',
  'from the start of the event on': 'à partir du début de l’événement',
  'since the account exists': 'depuis que le compte existe',
};

const verifiedFr: Readonly<Record<string, string>> = {
  'the demo’s own tests': 'les tests de la démo',
  'Same key twice, in parallel, after a lost reply and past retention.':
    'La même clé deux fois, en parallèle, après une réponse perdue et au-delà de la rétention.',
  'Put twice with If-None-Match: one note, the second is told so.':
    'Mise deux fois avec If-None-Match\u00a0: une seule note, la seconde l’apprend.',
};

/** Who verified a contract, or how; only sheets say it, so the page does not carry it. Undefined: somebody else's words. */
export const demoVerifiedFr = (text: string): string | undefined => verifiedFr[text];
