// Which answers of the ports say that something was not done, and the calls that throw such an answer away. Owns: the reading of
// the ports' declarations, and the list of places.
import { type Code, type Node, named, placeOf } from './sources.ts';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

const textOf = (file: Code, node: unknown): string =>
  isNode(node) && typeof node.end === 'number' ? file.text.slice(node.start, node.end) : '';

/** Said in an answer: it was not done, or something else is there. */
const notDone = /'(conflict|refused|not_found|exists|gone|seen|in_flight|other_payload|failed)'/;

/** Type names whose declaration says so. */
const aliasesIn = (files: readonly Code[]): ReadonlySet<string> =>
  new Set(
    files.flatMap((file) =>
      file.nodes
        .filter((node) => node.type === 'TSTypeAliasDeclaration')
        .filter((node) => notDone.test(textOf(file, node.typeAnnotation)))
        .map(({ id }) => named(id) ?? ''),
    ),
  );

const saysNotDone = (type: string, aliases: ReadonlySet<string>): boolean =>
  notDone.test(type) || (type.match(/\w+/g) ?? []).some((word) => aliases.has(word));

interface Method {
  readonly port: string;
  readonly name: string;
  readonly says: boolean;
}

const methodsOf = (file: Code, aliases: ReadonlySet<string>): Method[] =>
  file.nodes
    .filter((node) => node.type === 'TSInterfaceDeclaration')
    .flatMap((declared) => {
      const body = isNode(declared.body) ? declared.body.body : [];
      return (Array.isArray(body) ? body : [])
        .filter(isNode)
        .filter(({ type }) => type === 'TSMethodSignature')
        .map((node) => ({
          port: named(declared.id) ?? '',
          name: named(node.key) ?? '',
          says: saysNotDone(textOf(file, node.returnType), aliases),
        }));
    });

/** The call that a statement consists of, whatever is awaited, voided or chained around it. */
const callIn = (node: unknown): Node | undefined => {
  if (!isNode(node)) return undefined;
  if (['AwaitExpression', 'UnaryExpression', 'ChainExpression'].includes(node.type))
    return callIn(node.type === 'ChainExpression' ? node.expression : node.argument);
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined;
  const { callee } = node;
  const chained = ['catch', 'finally'].includes(named(callee.property) ?? '');
  return chained ? callIn(callee.object) : node;
};

/** `store.commit` of `world.store.commit(…)`; the bare name where nothing stands before it. */
const calledIn = ({ callee }: Node): { readonly of: string; readonly name: string } => {
  if (!isNode(callee)) return { of: '', name: '' };
  if (callee.type !== 'MemberExpression') return { of: '', name: named(callee) ?? '' };
  const { object } = callee;
  const of = named(object) ?? (isNode(object) ? named(object.property) : undefined);
  return { of: of ?? '', name: named(callee.property) ?? '' };
};

/** Functions that hand such an answer on. */
const handingOn = (file: Code): string[] =>
  file.nodes.flatMap((node) => {
    const made = node.type === 'VariableDeclarator' && isNode(node.init) ? node.init : undefined;
    const type = made && textOf(file, made.returnType);
    return type !== undefined && /'conflict'|\bCommitted\b/.test(type)
      ? [named(node.id) ?? '']
      : [];
  });

/** Places where the answer of a port, or of a function that hands it on, is not looked at. */
export const unreadOutcomes = (files: readonly Code[]): string[] => {
  const declared = files.filter(({ path }) => /^functions\/(ports|core|wiring)\//.test(path));
  const aliases = aliasesIn(declared.filter(({ path }) => path.startsWith('functions/ports/')));
  const methods = declared
    .filter(({ path }) => !path.startsWith('functions/core/'))
    .flatMap((file) => methodsOf(file, aliases));
  // Emitters have a `once` of their own.
  const silent = new Set(['once', ...methods.filter(({ says }) => !says).map(({ name }) => name)]);
  const saying = methods.filter(({ says }) => says);
  const handed = new Set(files.flatMap(handingOn));
  const isUnread = (call: Node): boolean => {
    const { of, name } = calledIn(call);
    if (of === '') return handed.has(name);
    return saying.some(
      (method) =>
        method.name === name &&
        (!silent.has(name) || method.port.toLowerCase() === of.toLowerCase()),
    );
  };
  return files.flatMap((file) =>
    file.nodes
      .filter(({ type }) => type === 'ExpressionStatement')
      .filter((node) => {
        const call = callIn(node.expression);
        return call !== undefined && isUnread(call);
      })
      .map((node) => placeOf(file, node)),
  );
};
