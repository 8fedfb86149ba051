// How an approval stands, as a client of another protocol is shown it: what stands against it, and what looks like its action, each
// in words. Owns: that note, the same in each protocol. Laws: L16 (facts), L20 (both are named, not only numbered).
// Tested in test/functions/api/clients/strand.test.ts.
import type { JsonObject } from '../../core/base/json.ts';
import { againstSays, alikeSays } from '../answers/against-words.ts';
import type { Stood } from '../answers/standing.ts';

/** These protocols carry one language; theirs is English. */
const language = 'en';

export const stoodNote = ({
  against,
  lookAlikes,
}: Stood): { readonly says: readonly string[]; readonly members: JsonObject } => {
  const alike = lookAlikes.map((action) => ({
    actionId: action.actionId,
    tool: action.tool.name,
    arguments: action.arguments,
    effect: action.effect,
    says: alikeSays(action, language),
  }));
  const standing = against.map((one) => ({ kind: one.kind, says: againstSays(one, language) }));
  return {
    says: [
      ...standing.map(({ says }) => says),
      ...alike.map(({ says }) => `It looks like ${says}`),
    ],
    members: {
      lookAlikes: lookAlikes.map(({ actionId }) => actionId),
      ...(alike.length === 0 ? {} : { alike }),
      ...(standing.length === 0 ? {} : { against: standing }),
    },
  };
};
