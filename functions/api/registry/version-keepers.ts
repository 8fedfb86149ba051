// Who goes on with an earlier version of a tool when a new one is registered, for the answer to say. Owns: those words.
// Tested in test/functions/api/lists/audit.test.ts.
import type { ToolVersion } from '../../core/registry/tool.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import type { Language } from '../problems/language.ts';
import type { FieldError } from '../problems/problems.ts';

const namesMost = 5;

/** Who goes on with an earlier version: agents and skills keep the one they name. */
export const keepersOf = async (
  { registry }: ApiWorld,
  workspace: string,
  { registration: { name }, version }: ToolVersion,
): Promise<readonly string[]> => {
  if (version === 1) return [];
  const [agents, skills] = await Promise.all([
    registry.agentsOf(workspace),
    registry.skillsOf(workspace),
  ]);
  const behind = ({
    tools,
  }: {
    readonly tools: readonly { readonly name: string; readonly version: number }[];
  }): boolean => tools.some((pinned) => pinned.name === name && pinned.version < version);
  return [
    ...agents
      .filter(({ configuration }) => behind(configuration))
      .map((one) => one.configuration.name),
    ...skills.filter(({ content }) => behind(content)).map(({ content }) => content.name),
  ];
};

/** One note that names them; none when there is nobody. */
export const keptNote = (keepers: readonly string[], language: Language): readonly FieldError[] => {
  if (keepers.length === 0) return [];
  const more = keepers.length > namesMost ? ' …' : '';
  const names = `${keepers.slice(0, namesMost).join(', ')}${more}`;
  const reason =
    language === 'fr'
      ? `Gardent une version antérieure jusqu’à ce que leur prochaine révision ou version nomme celle-ci : ${names}.`
      : `These keep an earlier version until their next revision or version names this one: ${names}.`;
  return [{ field: 'version', code: 'earlier_version_kept', reason }];
};
