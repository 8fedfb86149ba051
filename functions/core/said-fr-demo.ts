// What the contracts of the demo say in their own words, in French: how far a look-up sees, who verified them and how. A contract of
// somebody else stays as it was written. Owns: these pairs.

export const demoFr: Readonly<Record<string, string>> = {
  'all events of the account': 'tous les événements du compte',
  'all records of the account': 'tous les enregistrements du compte',
  'from the start of the event on': 'à partir du début de l’événement',
  'since the account exists': 'depuis que le compte existe',
  'the demo’s own tests': 'les tests de la démo',
  'Same key twice, in parallel, after a lost reply and past retention.':
    'La même clé deux fois, en parallèle, après une réponse perdue et au-delà de la rétention.',
  'Put twice with If-None-Match: one note, the second is told so.':
    'Mise deux fois avec If-None-Match : une seule note, la seconde l’apprend.',
};
