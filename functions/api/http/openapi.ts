// The OpenAPI 3.1 document, made from the operations and their schemas. JSON Schema comes from zod itself, which OpenAPI 3.1
// takes as it is. Owns: the document's form.
import { z } from 'zod';
import { access } from '../identity/access.ts';
import { problemTypeOf } from '../problems/problems.ts';
import { type ProblemSlug, problems } from '../problems/words.ts';
import { named } from '../schemas/schemas.ts';
import type { Described, Route } from './operation.ts';
import { clientOperations } from './operation-clients.ts';
import { eventsOperation } from './operation-events.ts';

type JsonSchema = Record<string, unknown>;
type Direction = 'input' | 'output';

const names = new Map<z.ZodType, string>(
  Object.entries(named).map(([name, schema]) => [schema, name]),
);

/** What is sent may leave out what has a default; what is received has it. So a schema has two forms where it has defaults. */
const nameIn = (name: string, direction: Direction): string =>
  direction === 'input' ? `${name}Input` : name;
const refTo = (name: string): string => `#/components/schemas/${name}`;

const registryIn = (direction: Direction) => {
  const registry = z.registry<{ id: string }>();
  for (const [schema, name] of names) registry.add(schema, { id: nameIn(name, direction) });
  return registry;
};
const registries = { input: registryIn('input'), output: registryIn('output') } as const;

const bare = ({ $schema, $id, ...schema }: JsonSchema): JsonSchema => schema;

const components = (direction: Direction): { [name: string]: JsonSchema } => {
  const made = z.toJSONSchema(registries[direction], { uri: refTo, io: direction });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([name, schema]) => [name, bare({ ...schema })]),
  );
};

const schemaOf = (schema: z.ZodType, direction: Direction): JsonSchema => {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: refTo(nameIn(name, direction)) };
  const made = z.toJSONSchema(schema, { io: direction, metadata: registries[direction] });
  const { $defs, ...rest } = bare({ ...made });
  // A named schema inside is referred to among the components, not repeated.
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${refTo('')}`));
};

const parametersOf = (schema: z.ZodType, place: 'path' | 'query'): JsonSchema[] => {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required ?? []).includes(name),
    schema: typeof property === 'object' ? bare({ ...property }) : property,
  }));
};

const everyOperation: readonly ProblemSlug[] = ['unauthenticated', 'forbidden', 'busy', 'internal'];
const everyPost: readonly ProblemSlug[] = [
  'idempotency-key-missing',
  'idempotency-key-invalid',
  'request-in-flight',
  'idempotency-key-reused',
  'body-too-large',
  'unsupported-media-type',
  'invalid-json',
  'too-deep',
  'invalid-body',
];

const problemsOf = (described: Described): readonly ProblemSlug[] => [
  ...new Set([
    ...everyOperation,
    ...(described.path.includes('{') ? (['not-found'] as const) : []),
    ...(described.method === 'post' ? everyPost : []),
    ...(described.problems ?? []),
  ]),
];

const problemResponses = (slugs: readonly ProblemSlug[]): { [status: string]: JsonSchema } => {
  const byStatus = Object.groupBy(slugs, (slug) => String(problems[slug].status));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      {
        description: (group ?? []).map((slug) => `${problems[slug].en.title} (${slug}).`).join(' '),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: refTo('Problem') },
                { properties: { type: { enum: (group ?? []).map(problemTypeOf) } } },
              ],
            },
          },
        },
      },
    ]),
  );
};

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Your own key for this request, 1 to 255 visible ASCII characters, quoted or bare. Repeat it on a retry: you get the same ids and the same answer, with what people wrote as it stands by then. Kept for 400 days, longer than any run.',
  schema: { type: 'string', minLength: 1 },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
};

const operationOf = ({ described, schemas }: Route): JsonSchema => ({
  operationId: described.operationId,
  summary: described.summary,
  description:
    `${described.description ?? ''}\n\nNeeds the role "${access[described.operationId]}".`.trim(),
  tags: [described.tag],
  parameters: [
    ...parametersOf(schemas.params, 'path'),
    ...parametersOf(schemas.query, 'query'),
    ...(described.method === 'post' ? [keyParameter] : []),
  ],
  ...(schemas.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaOf(schemas.body, 'input'),
              ...(described.example === undefined ? {} : { example: described.example }),
            },
          },
        },
      }),
  responses: {
    ...Object.fromEntries(
      Object.entries(described.answers).map(([status, { description, schema }]) => [
        status,
        {
          description,
          content: {
            'application/json': { schema: schemaOf(schema, 'output') },
            ...Object.fromEntries(
              (described.media ?? []).map((type) => [type, { schema: { type: 'string' } }]),
            ),
          },
        },
      ]),
    ),
    ...problemResponses(problemsOf(described)),
  },
});

const openOperation = (operationId: string, summary: string): JsonSchema => ({
  get: {
    operationId,
    summary,
    tags: ['service'],
    security: [],
    responses: {
      '200': {
        description: 'As asked.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...problemResponses(['internal', 'method-not-allowed']),
    },
  },
});

const pathsOf = (routes: readonly Route[]): { [path: string]: JsonSchema } => {
  const paths: { [path: string]: JsonSchema } = {
    '/v1/health': openOperation('getHealth', 'Says that the API answers'),
    '/v1/openapi.json': openOperation('getOpenApi', 'This document'),
    [eventsOperation.path]: { get: eventsOperation.documented(schemaOf, problemResponses) },
    ...clientOperations(problemResponses),
  };
  for (const route of routes) {
    const { path, method } = route.described;
    paths[path] = { ...paths[path], [method]: operationOf(route) };
  }
  return paths;
};

/** Only what the paths refer to, directly or through each other. */
const reachable = (
  all: { readonly [name: string]: JsonSchema },
  from: unknown,
): { [name: string]: JsonSchema } => {
  const kept = new Map<string, JsonSchema>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      const schema = all[name];
      if (schema === undefined || kept.has(name)) continue;
      kept.set(name, schema);
      visit(schema);
    }
  };
  visit(from);
  return Object.fromEntries([...kept].toSorted(([a], [b]) => a.localeCompare(b)));
};

const tags = [
  { name: 'service', description: 'The API itself' },
  { name: 'agents', description: 'Agents and their revisions' },
  { name: 'tools', description: 'Tools and their contracts' },
  { name: 'conversations', description: 'Conversations, their messages and live events' },
  { name: 'clients', description: 'Clients of other protocols: AG-UI and the AI SDK' },
  { name: 'runs', description: 'Runs and their steps' },
  { name: 'actions', description: 'Actions, their journals, and decisions on them' },
  { name: 'desk', description: 'Recovery: claims, observations, decisions, sheets' },
  { name: 'requests', description: 'What waits for a person' },
  { name: 'skills', description: 'Skills that agents may be granted' },
  { name: 'routines', description: 'Messages said on a schedule, and what became of them' },
  { name: 'overview', description: 'A period in numbers' },
  { name: 'audit', description: 'Who decided what, and when' },
];

export const openApiDocument = (routes: readonly Route[]): JsonSchema => {
  const paths = pathsOf(routes);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Reprise',
      version: '0.1.0',
      description:
        'Runs AI agents; never redoes an action and never guesses. Errors are RFC 9457 problems in English or French (`Accept-Language`).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of the configured OpenID Connect issuer, with workspace and roles.',
        },
      },
      schemas: reachable({ ...components('input'), ...components('output') }, paths),
    },
  };
};
