// What an expression may not refer to. An expression of a state machine has no context item: it reads `$states` and variables
// only, so a bare name finds nothing; the service refuses it when the machine is created, and so does the twin.
// Owns: the walk over JSONata's syntax tree.
import { isObject } from '../json.ts';

/** Parts of a node that are evaluated against items, not against the (missing) context. */
const itemParts = new Set(['stages', 'predicate', 'group', 'terms', 'pattern', 'update', 'delete']);

type Report = (message: string) => void;

const visitPath = (
  node: Record<string, unknown>,
  hasNoContext: boolean,
  report: Report,
  seen: Set<unknown>,
): void => {
  const steps = Array.isArray(node.steps) ? node.steps : [];
  steps.forEach((step, index) => {
    visit(step, hasNoContext && index === 0, report, seen);
  });
  visit(node.group, false, report, seen);
};

const visit = (value: unknown, hasNoContext: boolean, report: Report, seen: Set<unknown>): void => {
  if (Array.isArray(value)) {
    for (const inner of value) visit(inner, hasNoContext, report, seen);
    return;
  }
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  if (value.type === 'path') {
    visitPath(value, hasNoContext, report, seen);
    return;
  }
  if (value.type === 'name' && hasNoContext)
    report(`Reference to '${String(value.value)}' at the top level is not supported.`);
  if (value.type === 'variable' && value.value === '$')
    report("Reference to '$$' is not supported.");
  for (const [part, inner] of Object.entries(value))
    visit(inner, hasNoContext && !itemParts.has(part), report, seen);
};

const namesErrorOutput = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(namesErrorOutput);
  if (!isObject(value)) return false;
  const steps = value.type === 'path' && Array.isArray(value.steps) ? value.steps : [];
  const [first, second] = steps;
  const isIt =
    isObject(first) &&
    first.type === 'variable' &&
    first.value === 'states' &&
    isObject(second) &&
    second.value === 'errorOutput';
  return isIt || Object.values(value).some(namesErrorOutput);
};

/** The first forbidden reference of an expression that stands at `location`, in the service's words. */
export const forbiddenReference = (ast: unknown, location: string): string | undefined => {
  const found: string[] = [];
  visit(ast, true, (message) => found.push(message), new Set());
  if (!location.startsWith('Catch[') && namesErrorOutput(ast))
    found.push("Reference to '$states.errorOutput' is not supported.");
  return found[0];
};
