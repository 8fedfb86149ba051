// How the repository is written, as tests: who may import whom, sizes, what is not written, and what nobody uses.
// A failure lists the offenders, each with its place.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { crashPoints } from '../functions/core/base/crash-points.ts';
import { functions } from '../functions/manifest.ts';
import { unreadOutcomes } from './tidy/outcomes.ts';
import { roomOf, rooms } from './tidy/rooms.ts';
import {
  type Code,
  code,
  codeFrom,
  literal,
  type Node,
  named,
  placeOf,
  root,
  sources,
  under,
} from './tidy/sources.ts';

const product = code.filter(({ path }) => !path.startsWith('test/'));
const isHandler = ({ exported, path }: Code): boolean =>
  path.startsWith('functions/') && exported.has('handler');
const handlers = product.filter(isHandler);

/** What a file imports, apart from what `allowed` lets pass. */
const foreign = (file: Code, allowed: (from: string) => boolean): string[] =>
  file.imports
    .map((one) => one.file ?? one.from)
    .filter((from) => !allowed(from))
    .map((from) => `${file.path} imports ${from}`);

/** Packages without clock, network or environment. */
const purePackages: ReadonlySet<string> = new Set([
  'zod',
  'canonicalize',
  'jsonata',
  // Counts from the time it is given; it is never started.
  'croner',
  'node:crypto',
]);

/** Steps that two callers take alike, each in the folder of the caller that owns it. */
const sharedSteps: ReadonlySet<string> = new Set([
  'functions/run/stand.ts',
  'functions/run/fold-first.ts',
  'functions/events/deliver.ts',
]);

const isPackage = (from: string): boolean => !/^(functions|local|cdk|cli|web|test)\//.test(from);

describe('Layers', () => {
  test('core imports only core and pure packages', () => {
    const offenders = under('functions/core').flatMap((file) =>
      foreign(file, (from) => purePackages.has(from) || from.startsWith('functions/core/')),
    );
    expect(offenders).toEqual([]);
  });

  test('ports import only core and one another', () => {
    const offenders = under('functions/ports').flatMap((file) =>
      foreign(file, (from) => /^functions\/(core|ports)\//.test(from)),
    );
    expect(offenders).toEqual([]);
  });

  test('handlers import core, ports, their own folder and exactly one wiring file', () => {
    expect(handlers.length).toBeGreaterThanOrEqual(Object.keys(functions).length);
    const offenders = handlers.flatMap((file) => {
      const wiring = new Set(
        file.imports
          .map((one) => one.file)
          .filter((from) => from?.startsWith('functions/wiring/') === true),
      );
      const own = `${dirname(file.path)}/`;
      const others = foreign(
        file,
        (from) =>
          isPackage(from) ||
          from.startsWith(own) ||
          sharedSteps.has(from) ||
          /^functions\/(core|ports|wiring)\//.test(from),
      );
      return wiring.size === 1
        ? others
        : [...others, `${file.path} imports ${wiring.size} wiring files`];
    });
    expect(offenders).toEqual([]);
  });

  test('callers reach adapters through wiring only', () => {
    const callers = ['run', 'recover', 'api', 'auth', 'events', 'sweep', 'routine'];
    const offenders = callers
      .flatMap((caller) => under(`functions/${caller}`))
      .flatMap((file) => foreign(file, (from) => !from.startsWith('functions/adapters/')));
    expect(offenders).toEqual([]);
  });

  test('adapters import core, ports, the manifest and one another', () => {
    const offenders = under('functions/adapters').flatMap((file) =>
      foreign(
        file,
        (from) =>
          isPackage(from) ||
          /^functions\/(core|ports|adapters)\//.test(from) ||
          dirname(from) === 'functions',
      ),
    );
    expect(offenders).toEqual([]);
  });

  test('functions import nothing of the twin, the stack, the page or the command', () => {
    const offenders = under('functions').flatMap((file) =>
      foreign(file, (from) => isPackage(from) || from.startsWith('functions/')),
    );
    expect(offenders).toEqual([]);
  });

  test('no module imports itself by way of others, types included', () => {
    const imports = new Map(
      product.map(({ path, imports: all }) => [
        path,
        all.flatMap(({ file }) => (file === undefined ? [] : [file])),
      ]),
    );
    const seen = new Set<string>();
    const offenders: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) offenders.push([...way.slice(way.indexOf(path)), path].join(' → '));
      if (seen.has(path)) return;
      seen.add(path);
      for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    };
    for (const path of imports.keys()) visit(path, []);
    expect(offenders).toEqual([]);
  });

  test('nothing imports a handler: the twin loads them by the manifest', () => {
    const paths = new Set(handlers.map(({ path }) => path));
    const offenders = product.flatMap((file) => foreign(file, (from) => !paths.has(from)));
    expect(offenders).toEqual([]);
  });

  test('every function of the manifest is a module that exports handlerFor and handler', () => {
    const offenders = Object.values(functions)
      .map(({ module }) => code.find(({ path }) => path === module) ?? module)
      .filter((file) => typeof file === 'string' || !isHandler(file))
      .map((file) => (typeof file === 'string' ? file : file.path));
    expect(offenders).toEqual([]);
  });
});

describe('Rooms', () => {
  test.each(Object.keys(rooms))('%s: each of its folders is in the list', (place) => {
    const there = new Set(under(place).map(({ path }) => roomOf(place, path)));
    expect([...there].filter((room) => rooms[place]?.includes(room) === false)).toEqual([]);
    expect(rooms[place]?.filter((room) => !there.has(room))).toEqual([]);
  });

  test.each(Object.keys(rooms))(
    '%s: a room uses those before it in the list, no other',
    (place) => {
      const order = rooms[place] ?? [];
      const offenders = under(place).flatMap((file) =>
        file.imports
          .map((one) => one.file)
          .filter((from) => from?.startsWith(`${place}/`) === true)
          .filter(
            (from = '') =>
              order.indexOf(roomOf(place, from)) > order.indexOf(roomOf(place, file.path)),
          )
          .map((from) => `${file.path} imports ${from}`),
      );
      expect(offenders).toEqual([]);
    },
  );

  test('each room says at its door what it decides', () => {
    const doors = new Set(sources.map(({ path }) => path));
    const offenders = ['functions/core', 'functions/api']
      .flatMap((place) => (rooms[place] ?? []).map((room) => `${place}/${room}/README.md`))
      .filter((path) => !path.includes('/./') && !doors.has(path));
    expect(offenders).toEqual([]);
  });

  test('every path that a page names is there', () => {
    const offenders = sources
      .filter(({ path }) => path === 'docs/architecture.md' || path.endsWith('README.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/`((?:functions|statemachines|web|cli|test|local)\/[a-z0-9./-]+)`/g)]
          .map(([, named = '']) => named)
          .filter((named) => !existsSync(join(root, named)))
          .map((named) => `${path} names ${named}`),
      );
    expect(offenders).toEqual([]);
  });

  test('no folder holds more than thirty files of code', () => {
    const counts = Map.groupBy(code, ({ path }) => dirname(path));
    const offenders = [...counts].filter(([, files]) => files.length > 30).map(([path]) => path);
    expect(offenders).toEqual([]);
  });
});

describe('Sizes', () => {
  test('no file of the product is longer than 500 lines, nor any test', () => {
    const offenders = code
      .filter(({ lines }) => lines > 500)
      .map(({ path, lines }) => `${path} has ${lines}`);
    expect(offenders).toEqual([]);
  });
});

/** Places of the nodes that `holds` names. */
const placesWhere = (files: readonly Code[], holds: (node: Node) => boolean): string[] =>
  files.flatMap((file) => file.nodes.filter(holds).map((node) => placeOf(file, node)));

const member = (node: Node): string | undefined =>
  node.type === 'MemberExpression' ? `${named(node.object)}.${named(node.property)}` : undefined;

describe('What is not written', () => {
  test('core reads no clock, no chance and no environment', () => {
    const banned: ReadonlySet<string | undefined> = new Set([
      'Date.now',
      'Math.random',
      'performance.now',
      'process.env',
      'crypto.randomUUID',
      'crypto.getRandomValues',
    ]);
    const bare = (node: Node): boolean =>
      node.type === 'NewExpression' &&
      named(node.callee) === 'Date' &&
      Array.isArray(node.arguments) &&
      node.arguments.length === 0;
    const offenders = placesWhere(
      under('functions/core'),
      (node) =>
        bare(node) ||
        banned.has(member(node)) ||
        ['randomUUID', 'randomBytes', 'process', 'setTimeout'].includes(named(node) ?? ''),
    );
    expect(offenders).toEqual([]);
  });

  test('no any, no enum, no non-null mark, no cast by way of unknown', () => {
    const throughUnknown = (node: Node): boolean =>
      node.type === 'TSAsExpression' &&
      JSON.stringify(node.expression).startsWith('{"type":"TSAsExpression"') &&
      JSON.stringify(node.expression).includes('"TSUnknownKeyword"');
    const banned = ['TSAnyKeyword', 'TSEnumDeclaration', 'TSNonNullExpression'];
    const offenders = placesWhere(
      code,
      (node) => banned.includes(node.type) || throughUnknown(node),
    );
    expect(offenders).toEqual([]);
  });

  test('no default export, save where a tool asks for one', () => {
    const offenders = placesWhere(
      code.filter(({ path }) => !configurations.includes(path)),
      ({ type }) => type === 'ExportDefaultDeclaration',
    );
    expect(offenders).toEqual([]);
  });

  test('no check is switched off', () => {
    const off = /(@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable|istanbul ignore)/;
    const offenders = code
      .filter(({ comments }) => comments.some((comment) => off.test(comment)))
      .map(({ path }) => path);
    expect(offenders).toEqual([]);
  });

  test('no test is skipped, left for later or run alone', () => {
    const runners = ['test', 'it', 'describe', 'suite'];
    const offenders = placesWhere(under('test'), (node) => {
      const [runner = '', how = ''] = (member(node) ?? '').split('.');
      return runners.includes(runner) && ['skip', 'todo', 'only', 'fails'].includes(how);
    });
    expect(offenders).toEqual([]);
  });

  test('no answer that says conflict, refused or not found is thrown away', () => {
    const ours = product.filter(({ path }) => path.startsWith('functions/'));
    expect(unreadOutcomes(ours)).toEqual([]);
  });

  test('an answer that is thrown away is found, however it is called', () => {
    const at = (text: string): string[] => unreadOutcomes([...under('functions'), codeFrom(text)]);
    expect(at('await world.store.commit(change);')).toHaveLength(1);
    expect(at('void store.commit(change).catch(() => undefined);')).toHaveLength(1);
    expect(at('await mandates.putBar(changed, 0);')).toHaveLength(1);
    expect(at('await world.machine.answer(token);')).toHaveLength(1);
    expect(at('await expire(world, stand);')).toHaveLength(1);
    expect(at('const { kind } = await world.store.commit(change); use(kind);')).toEqual([]);
    expect(at('await world.blobs.put(workspace, bytes, type);')).toEqual([]);
  });

  test('no leftovers', () => {
    // In brackets, so that this line is none itself.
    const left = /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/;
    const offenders = sources.filter(({ text }) => left.test(text)).map(({ path }) => path);
    expect(offenders).toEqual([]);
  });

  test('no place of one machine, no registry', () => {
    const places = /["'`( ]\/(work|home|root|Users)\/|registry\.npmjs/;
    const offenders = sources
      .filter(({ path, text }) => path !== 'test/tidy.test.ts' && places.test(text))
      .map(({ path }) => path);
    expect(offenders).toEqual([]);
  });

  test('no debugger, and functions and page write to no console', () => {
    const offenders = placesWhere(
      product.filter(({ path }) => /^(functions|web)\//.test(path)),
      (node) => node.type === 'DebuggerStatement' || member(node)?.startsWith('console.') === true,
    );
    expect(offenders).toEqual([]);
  });
});

describe('Names', () => {
  test('nothing is called utils, helpers, common or misc', () => {
    const offenders = sources
      .map(({ path }) => path)
      .filter((path) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.|$)/i.test(path));
    expect(offenders).toEqual([]);
  });

  test('files are named in small letters with dashes', () => {
    const offenders = code
      .map(({ path }) => path)
      .filter((path) => !/^[a-z0-9-]+(\.(test|conformance|config|d))?\.tsx?$/.test(basename(path)));
    expect(offenders).toEqual([]);
  });

  test('the words are the project’s: one word, one meaning', () => {
    // Run, not job or workflow; person, not human; conversation, not chat; workspace, not tenant. Nothing is promised "exactly once".
    const others =
      /\b(workflows?|jobs?|sagas?|humans?|chats?|bots?|tenants?|tickets?|exactly.once)\b/i;
    const ours = sources.filter(({ path }) =>
      /^(functions\/(core|ports|run|recover|events|sweep|routine|api)|statemachines)\//.test(path),
    );
    const offenders = ours.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          others.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
        ),
    );
    expect(offenders).toEqual([]);
  });

  test('every file opens by saying what it is for', () => {
    const offenders = code
      .filter(({ text }) => !/^(#!.*\n)?(\/\/|\/\*\*?) ?\S/.test(text))
      .map(({ path }) => path);
    expect(offenders).toEqual([]);
  });
});

/** What is started by its name: from package.json, cdk.json or index.html, by the manifest, or as a process of its own. */
const startedByName = (): ((path: string) => boolean) => {
  const texts = ['package.json', 'cdk.json', 'web/index.html'].map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const words = product.flatMap(({ nodes }) => nodes.map(literal));
  const said = [...texts, ...words].filter((text) => text !== undefined).join(' ');
  const names = new Set(said.match(/[a-z0-9-]+\.(ts|tsx|mjs)\b/g) ?? []);
  return (path) => names.has(basename(path));
};

/** Found by the tool that is named in it. */
const configurations: readonly string[] = ['vitest.config.ts', 'web/vite.config.ts'];

describe('What nobody uses', () => {
  test('every file of the product is imported by the product or started by its name', () => {
    const imported = new Set(product.flatMap(({ imports }) => imports.map(({ file }) => file)));
    const isStarted = startedByName();
    const offenders = product
      .map(({ path }) => path)
      .filter((path) => !imported.has(path) && !isStarted(path))
      .filter((path) => !configurations.includes(path));
    expect(offenders).toEqual([]);
  });

  test('every crash point is passed at one place, and no other is passed', () => {
    const passed = under('functions').flatMap((file) =>
      file.nodes
        .filter((node) => node.type === 'CallExpression')
        .filter(({ callee }) => JSON.stringify(callee).includes('"name":"crash"'))
        .map(({ arguments: given }) => literal(Array.isArray(given) ? given[0] : undefined)),
    );
    expect(passed.toSorted()).toEqual([...crashPoints].toSorted());
  });
});
