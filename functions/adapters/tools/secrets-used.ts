// Reads the secrets that a transport's templates name, right before they are needed.
// Laws: L18 (values live in one call's memory only).
// Tested in test/functions/adapters/blot.test.ts.
import { ToolMisconfigured } from '../../ports/tool.ts';
import { type Secrets, SecretUnknown } from '../../ports/world.ts';
import { NotSent } from './connection.ts';
import { placeholdersIn } from './templates.ts';

/** Values by name. Throws ToolMisconfigured for an unknown secret, NotSent when the store does not answer. */
export const secretsUsed = async (
  templates: readonly string[],
  secrets: Secrets,
): Promise<ReadonlyMap<string, string>> => {
  const names = templates
    .flatMap((template) => placeholdersIn(template))
    .flatMap((placeholder) => (placeholder.of === 'secret' ? [placeholder.name] : []));
  const values = new Map<string, string>();
  for (const name of new Set(names)) {
    try {
      values.set(name, await secrets.read(name));
    } catch (error) {
      if (error instanceof SecretUnknown) throw new ToolMisconfigured(error.message);
      throw new NotSent(`The secret "${name}" could not be read. Try again later.`);
    }
  }
  return values;
};
