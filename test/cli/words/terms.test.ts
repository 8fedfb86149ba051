// Stored values on a terminal: their words in the reader's language, and what has no word as it is.
import { expect, test } from 'vitest';
import { effectWord, roleWord, stateWords } from '../../../cli/words/terms.ts';
import { roles } from '../../../functions/api/identity/access.ts';
import { laterWords } from '../../../web/words/later.ts';
import { roleName } from '../../../web/words/role-name.ts';

test('every role has the same name on the page and on a terminal, and a role of somebody’s own keeps its name', () => {
  for (const role of [...roles, 'treasurer', 'constructor'])
    for (const language of ['en', 'fr'] as const)
      expect(roleWord(role, language)).toBe(roleName(role, laterWords[language]));
  expect(roleWord('approver', 'fr')).toBe('approbateur');
  expect(roleWord('treasurer', 'fr')).toBe('treasurer');
});

test('an effect is said in words, and what was decided beside it only where something was', () => {
  expect(effectWord('in_progress', 'fr')).toBe('encore en cours');
  expect(stateWords('confirmed', 'open', 'en')).toBe('confirmed');
  expect(stateWords('undetermined', 'reissued', 'fr')).toBe('indéterminé, réémise');
});
