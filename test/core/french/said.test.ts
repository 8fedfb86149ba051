// Every sentence that the code can store as a reason has its French, so that no sheet, answer or page in French falls back to
// English; and what others wrote is left as they wrote it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { frenchOf } from '../../../functions/core/french/said.ts';
import { effects } from '../../../functions/core/records/action.ts';
import { toldEffect } from '../../../functions/core/records/told.ts';
import { becauseOf } from '../../../functions/core/recover/observe.ts';
import { actionWith } from '../samples.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'functions');
const folders = ['core', 'run', 'recover', 'sweep', 'adapters/tools'];
/** Words for the model, for forms, for who registers a tool or writes a schedule: they are no reason of the ledger's. */
const apart =
  /^(told|exact-json|contract|preset-check|routine|schedule|zone|fire|fault-mark|grant|agent|skill|form|reply-pattern|ask-user|evidence|crash|json|usage|decide|errors|ids|event|desk|registration|templates|http-request|arguments|http|lambda|check-calls|outbox)/;
/** The sentences of French and of the sheet are no reasons either. */
const dictionaries = /^(french|sheet)[/\\]/;
/** Neither is any of these: why a text was cut, what only a log or an operator reads, and a joint of two sentences. */
const noReasons = new Set([
  'The destination said more than is kept.',
  'It said more than is kept.',
  'The answer was longer than a step can hold.',
  'The recovery desk has the list.',
  'The results of this step are large together; people can read the whole.',
  'Not known.',
  'The attempt was not opened.',
  'Not an address, address:port or CIDR.',
  'Ana: Ana.',
]);

const filled = (template: string): string =>
  template
    .replaceAll(
      /\$\{[^}]*(?:status|times|failures|deaths|attempts|tries|length|bytesMax|max|depthMax|step)[^}]*\}/gi,
      '7',
    )
    .replaceAll(/\$\{when\}/g, '2026-12-01T09:00:00Z')
    // What comes first is another sentence of its own.
    .replace(/^\$\{[^}]*\} (?=[A-Z])(?!Seen)/, '')
    .replaceAll(/\$\{[^}]*disposition\.kind\}/g, 'suspended')
    .replaceAll(/\$\{[^}]*\}/g, 'Ana');

/** Sentences in the sources: literals that begin with a capital and end as a sentence does. */
const sentencesIn = (source: string): string[] => {
  const code = source.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const literals = [
    ...code.matchAll(/'((?:[A-Z]|“)[^'\n]* [^'\n]*[.!?])'|`((?:[A-Z]|\$\{)[^`\n]* [^`\n]*[.!?])`/g),
  ];
  return literals.map(([, plain, template]) => plain ?? filled(template ?? ''));
};

const thrown =
  /throw new (Defect|TryAgain|RunFenced|TypeError|Error|ToolMisconfigured)\([^;]*?\);/gs;
const logged = /log\.(warn|info|error)\([\s\S]*?\}\);/g;
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !dictionaries.test(file))
    .filter((file) => !apart.test(basename(file)))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')] as const),
);

describe('every reason that the code can store has its French', () => {
  test.each(sources)('%s', (_name, source) => {
    const own = source.replaceAll(thrown, '').replaceAll(logged, '');
    const english = sentencesIn(own).filter(
      (sentence) => !noReasons.has(sentence) && frenchOf(sentence) === sentence,
    );
    expect(english).toEqual([]);
  });

  test('and so has each sentence of a state machine about why a run failed', () => {
    const machine = readFileSync(join(root, '..', 'statemachines', 'run.asl.json'), 'utf8');
    const written = [...machine.matchAll(/"detail": "(?:\{% ')?([A-Z][^"]*?)(?:' %\})?"/g)];
    const details = written.map(([, text = '']) =>
      text.replaceAll(/' & .*? & '/g, 'Lambda.Unknown'),
    );
    expect(details).toHaveLength(4);
    for (const detail of details) {
      for (const sentence of detail.split(/(?<=\.)\s+/))
        expect(frenchOf(sentence)).not.toBe(sentence);
      const french = frenchOf(detail);
      expect(french).toContain('sont conservés. Renvoyez');
      expect(french).not.toMatch(/\b(the|step|failed|held|sent)\b/);
      expect(french.includes('Lambda.Unknown')).toBe(detail.includes('Lambda.Unknown'));
    }
  });

  test('and so has what the agent was told of each effect', () => {
    for (const effect of effects) {
      const action = { ...actionWith(), effect, reference: 'opp_7' };
      const { text } = toldEffect(action, 'The destination answered 201.');
      const french = frenchOf(text);
      expect(french).toContain(action.actionId);
      expect(french).toContain('La destination a répondu 201.');
      expect(french).not.toMatch(
        /\b(Done|Not|Accepted|Sent|Still|Undetermined|is|was|Reference:)\b/,
      );
    }
  });
});

describe('a reason is read', () => {
  test.each([
    [
      'The destination answered 503. That proves neither that it was done nor that it was not.',
      'La destination a répondu 503. Cela ne prouve ni que cela a été fait ni le contraire.',
    ],
    [
      'The look-up failed 5 times: The look-up answered 500 in a form its contract does not know.',
      'La recherche a échoué 5 fois\u00a0: La recherche a répondu 500 sous une forme que son contrat ne connaît pas.',
    ],
    [
      'Searched (all time), not found. Too early to count.',
      'Cherché (all time), non trouvé. Trop tôt pour que cela compte.',
    ],
    [
      'demo-account/test; archived included; rights: all records of the account; period: since the account exists; complete',
      'demo-account/test\u00a0; archives comprises\u00a0; droits\u00a0: tous les enregistrements du compte\u00a0; période\u00a0: depuis que le compte existe\u00a0; complète',
    ],
    [
      'Done: note (act_1) is confirmed. Reference: opp.1. Ana stopped the run.',
      'Fait\u00a0: note (act_1) est confirmée. Référence\u00a0: opp.1. Ana a arrêté l’exécution.',
    ],
    [
      'The model did not answer after 4 tries: The model provider anthropic failed with status 503: Overloaded. It is worth another try. Send the message again when it is back.',
      'Le modèle n’a pas répondu après 4 essais\u00a0: Le fournisseur de modèle anthropic a échoué avec le statut 503\u00a0: Overloaded. Un nouvel essai vaut la peine. Renvoyez le message quand il sera revenu.',
    ],
    [
      'a/test; archived included; rights: all; period: ever; complete',
      'a/test\u00a0; archives comprises\u00a0; droits\u00a0: all\u00a0; période\u00a0: ever\u00a0; complète',
    ],
    [
      'Not transmitted: No connection (ECONNREFUSED).',
      'Non transmise\u00a0: Pas de connexion (ECONNREFUSED).',
    ],
    ['No reply: it broke off (ECONNRESET).', 'Pas de réponse\u00a0: coupure (ECONNRESET).'],
    [
      'Status 200 came, but no whole reply: it is larger than 7 bytes.',
      'Le statut 200 est venu, mais pas de réponse entière\u00a0: elle dépasse 7 octets.',
    ],
    [
      'Seven interruption trials in the environment "test": six passed, one not decidable with this contract: Reply lost.',
      'Sept essais d’interruption dans l’environnement «\u00a0test\u00a0»\u00a0: six réussi(s), un indécidable(s) avec ce contrat\u00a0: Reply lost.',
    ],
    [
      'Seven interruption trials in the environment "test": six passed, one not applicable: Retention; claims and parts not run: look-up.',
      'Sept essais d’interruption dans l’environnement «\u00a0test\u00a0»\u00a0: six réussi(s), un sans objet\u00a0: Retention; affirmations et parties non éprouvées\u00a0: look-up.',
    ],
    ['2 attempts were made.', '2 tentatives ont été faites.'],
  ])('%s', (english, french) => {
    expect(frenchOf(english)).toBe(french);
  });

  test('what a person saw, where and when: each a sentence, whether its own full stop was given or not', () => {
    const seen = { where: 'Console', when: '2026-12-01T09:00:00Z', coverage: 'All of it' };
    const because = becauseOf({ ...seen, what: 'A mail to marta' });
    expect(because).toBe('A mail to marta. Seen at Console, 2026-12-01 09:00 UTC.');
    expect(becauseOf({ ...seen, what: 'A mail to marta.' })).toBe(because);
    expect(frenchOf(because)).toBe('A mail to marta. Vu\u00a0: Console, 2026-12-01 09:00 UTC.');
    expect(becauseOf({ ...seen, what: 'A', when: '2026-12-01T09:00:07.120Z' })).toContain(
      'Console, 2026-12-01 09:00:07 UTC.',
    );
  });

  test('where others wrote it, as they wrote it', () => {
    const words =
      'No refund of pay_1 is listed : I looked « twice ». Seen at Console, 2026-12-01T09:00:00Z.';
    expect(frenchOf(words)).toBe(
      'No refund of pay_1 is listed : I looked « twice ». Vu\u00a0: Console, 2026-12-01T09:00:00Z.',
    );
    expect(frenchOf('The destination answered 422. The amount is too low.')).toBe(
      'La destination a répondu 422. The amount is too low.',
    );
    expect(frenchOf('Somebody’s own text.\n\nIn lines.')).toBe('Somebody’s own text.\n\nIn lines.');
  });

  // The limit is for what goes back and forth over the text, not for a busy machine.
  test('in one pass, however long it is', () => {
    const long = 'The run was stopped. Seen at nowhere, never. '.repeat(170);
    const startedAt = performance.now();
    frenchOf(long);
    frenchOf(long.repeat(100));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
