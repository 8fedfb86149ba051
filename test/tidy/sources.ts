// The sources as tidy.test.ts reads them: every file of the repository's own folders, its text, and for TypeScript its tree,
// its imports and what it exports. Owns: which files count, and the walk over a tree.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { parseSync } from 'vite';

export const root = join(import.meta.dirname, '..', '..');

const folders = ['functions', 'statemachines', 'local', 'cdk', 'cli', 'web', 'test', 'docs'];
const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'cdk.out', '.reprise']);
const textual: ReadonlySet<string> = new Set([
  '.ts',
  '.tsx',
  '.mjs',
  '.json',
  '.md',
  '.css',
  '.html',
]);

/** A node of the tree; which members it has depends on its type. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

export interface Import {
  /** As written. */
  readonly from: string;
  /** The file it means, from the root; undefined for a package. */
  readonly file: string | undefined;
  /** Types only: gone when the code runs. */
  readonly isType: boolean;
}

export interface Source {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

export interface Code extends Source {
  readonly nodes: readonly Node[];
  readonly comments: readonly string[];
  readonly imports: readonly Import[];
  readonly exported: ReadonlySet<string>;
}

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder)).flatMap((name) => {
    if (skipped.has(name)) return [];
    const path = `${folder}/${name}`;
    return statSync(join(root, path)).isDirectory() ? filesUnder(path) : [path];
  });

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

/** Every node below one, itself first. */
const nodesBelow = (node: Node): Node[] => [
  node,
  ...Object.values(node).flatMap((member) =>
    (Array.isArray(member) ? member : [member]).filter(isNode).flatMap(nodesBelow),
  ),
];

/** The text of a string literal, or undefined. */
export const literal = (value: unknown): string | undefined => {
  if (!isNode(value) || value.type !== 'Literal') return undefined;
  return typeof value.value === 'string' ? value.value : undefined;
};

/** The name of an identifier, or undefined. */
export const named = (value: unknown): string | undefined => {
  if (!isNode(value) || value.type !== 'Identifier') return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
};

const importing: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

const isTypeOnly = (node: Node): boolean =>
  node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType';

const importsOf = (path: string, nodes: readonly Node[]): Import[] =>
  nodes
    .filter(({ type }) => importing.has(type))
    .flatMap((node) => {
      const from = literal(node.source);
      if (from === undefined) return [];
      const file = from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined;
      return [{ from, file, isType: isTypeOnly(node) }];
    });

const exportsOf = (nodes: readonly Node[]): string[] =>
  nodes
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration, specifiers }) => {
      const declarations = isNode(declaration) ? declaration.declarations : undefined;
      const made = Array.isArray(declarations) ? declarations : [declaration];
      const listed = Array.isArray(specifiers) ? specifiers : [];
      return [
        ...made.filter(isNode).map(({ id }) => named(id)),
        ...listed.filter(isNode).map(({ exported }) => named(exported)),
      ].filter((name) => name !== undefined);
    });

const sourceOf = (path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0) };
};

const codeOf = (source: Source): Code => {
  const { program, comments, errors } = parseSync(source.path, source.text);
  if (errors.length > 0) throw new Error(`${source.path}: ${errors[0]?.message}`);
  const top: unknown = program;
  const nodes = isNode(top) ? nodesBelow(top) : [];
  return {
    ...source,
    nodes,
    comments: comments.map(({ value }) => value),
    imports: importsOf(source.path, nodes),
    exported: new Set(exportsOf(nodes)),
  };
};

/** A text as if it were a file of the functions. */
export const codeFrom = (text: string): Code =>
  codeOf({ path: 'functions/sample.ts', text, lines: text.split('\n').length });

/** Every text file of the repository's own folders and of its top. */
export const sources: readonly Source[] = [
  ...readdirSync(root).filter((name) => statSync(join(root, name)).isFile()),
  ...folders.flatMap(filesUnder),
]
  .filter((path) => textual.has(extname(path)) && path !== 'package-lock.json')
  .map((path) => sourceOf(relative('.', path)));

/** The TypeScript among them. */
export const code: readonly Code[] = sources.filter(({ path }) => /\.tsx?$/.test(path)).map(codeOf);

/** The code under a folder. */
export const under = (folder: string): Code[] =>
  code.filter(({ path }) => path.startsWith(`${folder}/`));

/** `path:line` of a node. */
export const placeOf = (file: Code, node: Node): string =>
  `${file.path}:${file.text.slice(0, node.start).split('\n').length}`;
