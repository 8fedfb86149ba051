// The fields of a configuration, a registration and a skill in the reader's words, as a comparison names them. Owns: which paths
// have words; every other path is shown as it is.
import type { FieldNames } from '../parts/notes.tsx';
import { useLater } from '../words/later.ts';

export type Compared = 'agent' | 'tool' | 'skill';

export const useFieldNames = (of: Compared): FieldNames => {
  const { agents, tools, skills, parameters } = useLater();
  const { name } = parameters;
  const { description, argumentsSchema, verification } = tools;
  const { timeout, approval, repeatWindow, coverage, ...fields } = tools.fields;
  switch (of) {
    case 'agent': {
      const { prompt, model, stepLimit, price } = agents;
      return { name, prompt, model, tools: agents.tools, skills: agents.skills, stepLimit, price };
    }
    case 'skill':
      return { name, description, instructions: skills.instructions, tools: skills.tools };
    case 'tool': {
      const contract = {
        ...fields,
        'lookUp.coverage': coverage,
        timeoutMs: timeout,
        policy: approval,
        repeatWindowMs: repeatWindow,
        verification,
      };
      const named = Object.entries(contract).map(([path, word]) => [`contract.${path}`, word]);
      return { name, description, arguments: argumentsSchema, ...Object.fromEntries(named) };
    }
  }
};

/** The word for a path, or for the longest part of it that has one, and what is left of the path. */
export const namedField = (
  path: string,
  names: FieldNames,
): { readonly name: string | undefined; readonly rest: string } => {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const name = names[parts.slice(0, length).join('.')];
    if (name !== undefined) return { name, rest: parts.slice(length).join('.') };
  }
  return { name: undefined, rest: path };
};
