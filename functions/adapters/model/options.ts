// An agent's model options, sorted into the settings every provider knows and those only its own does.
// Tested in test/functions/adapters/model-vendors.test.ts.
import { z } from 'zod';
import type { JsonObject } from '../../core/base/json.ts';
import { ModelFailed } from '../../ports/model.ts';

const Settings = z.strictObject({
  maxOutputTokens: z.int().positive().optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  seed: z.int().optional(),
  toolChoice: z.enum(['auto', 'none', 'required']).optional(),
});
const settingNames = new Set(Object.keys(Settings.shape));

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Throws ModelFailed, final, for a setting of the wrong kind. */
export const optionsOf = (options: JsonObject) => {
  const entries = Object.entries(options);
  const common = entries.filter(([name]) => settingNames.has(name));
  const parsed = Settings.safeParse(Object.fromEntries(common));
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error);
    throw new ModelFailed('final', `The agent’s model options are not valid: ${why}`);
  }
  const own = entries.filter(([name]) => !settingNames.has(name));
  return {
    settings: parsed.data as Defined<typeof parsed.data>,
    own: structuredClone(Object.fromEntries(own)),
  };
};
