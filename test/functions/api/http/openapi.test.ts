// The published document: valid, complete, and what the application really serves.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '../../../../functions/api/app.ts';
import { clientOperationIds } from '../../../../functions/api/http/operation-clients.ts';
import { access } from '../../../../functions/api/identity/access.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { markIt } from '../problems/fault-cases.ts';
import { makeRoutine } from '../problems/routine-cases.ts';
import { openRig, type Rig } from '../rig.ts';
import { askApproval, type Begun, begin, loseReply, startRun } from '../story.ts';

const Media = z.looseObject({
  schema: z.record(z.string(), z.unknown()),
  example: z.unknown().optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), required: z.boolean() })).optional(),
  security: z.array(z.unknown()).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), Media) }).optional(),
  responses: z.record(
    z.string(),
    // An answer without a body has none.
    z.looseObject({ content: z.record(z.string(), Media).default({}) }),
  ),
});
const Document = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Document = z.infer<typeof Document>;

let rig: Rig;
let begun: Begun;
let text: string;
let document: Document;
beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
  const reply = await rig.call({ path: '/v1/openapi.json', as: null });
  expect(reply.status).toBe(200);
  text = reply.text;
  document = Document.parse(reply.body);
});
afterAll(() => rig.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** A validator for a schema of the document, with its components. */
const validator = (schema: object) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile({ ...schema, components: document.components });
};

test('is valid OpenAPI 3.1 by the linter’s recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: text, config });
  expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  expect(document.openapi).toBe('3.1.0');
});

test('has the version of the package', () => {
  expect(JSON.parse(text)).toMatchObject({ info: { version: packageJson.version } });
});

test('names every operation, once', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(ids.toSorted()).toEqual([...Object.keys(access), 'getHealth', 'getOpenApi'].toSorted());
});

test('every POST of our own asks for an Idempotency-Key, and only health and this document are open', () => {
  const others: readonly string[] = clientOperationIds;
  for (const { method, operation } of operations()) {
    const key = operation.parameters?.find(({ name }) => name === 'Idempotency-Key');
    const ours = method === 'post' && !others.includes(operation.operationId);
    expect(key?.required === true, operation.operationId).toBe(ours);
    const isOpen = ['getHealth', 'getOpenApi'].includes(operation.operationId);
    expect(operation.security?.length === 0, operation.operationId).toBe(isOpen);
  }
});

test('every operation documents problems', () => {
  for (const { operation } of operations()) {
    const kinds = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    expect(kinds.length, operation.operationId).toBeGreaterThan(0);
    for (const [, { content }] of kinds)
      expect(Object.keys(content)).toEqual(['application/problem+json']);
  }
});

test('every example fits its schema', () => {
  const examples = operations().flatMap(({ operation }) => {
    const media = operation.requestBody?.content['application/json'];
    return media?.example === undefined ? [] : [{ id: operation.operationId, media }];
  });
  expect(examples.length).toBeGreaterThan(5);
  for (const { id, media } of examples) {
    const validate = validator(media.schema);
    expect(validate(media.example), `${id}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});

describe('what is answered fits what is documented', () => {
  test('for every list and thing, problems included', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const { requestId, actionId } = await askApproval(rig, runId);
    await loseReply(rig, runId);
    const skill = { name: 'note', description: 'Notes.', instructions: 'Note it.' };
    await rig.call({ method: 'POST', path: '/v1/skills', body: skill });
    const routineId = await makeRoutine(rig, begun.agentId);
    await rig.call({ method: 'POST', path: `/v1/routines/${routineId}/run`, body: {} });
    const marked = await markIt(rig, runId, {});
    const known: { readonly [name: string]: string } = {
      agentId: begun.agentId,
      conversationId: begun.conversationId,
      runId,
      requestId,
      actionId,
      name: 'note',
      routineId,
      markId: String(marked.body.markId),
      version: '1',
    };
    const reads = apiRoutes.filter(({ described }) => described.method === 'get');
    for (const { described } of reads) {
      const path = described.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
      const query = path === '/v1/search' ? { q: 'test' } : {};
      const reply = await rig.call({ path, query });
      const foreign = await rig.call({ path, query, as: 'stranger' });
      if (path === '/v1/overview') expect(foreign.body.runs).toMatchObject({ total: 0 });
      else if (path === '/v1/inbox/summary')
        expect(foreign.body.needsYou).toMatchObject({ total: 0 });
      else if (path === '/v1/desk/summary') expect(foreign.body).toMatchObject({ total: 0 });
      else if (path.startsWith('/v1/schemas/')) expect(foreign.body).toEqual(reply.body);
      else if (path === described.path) expect(foreign.body.items, path).toEqual([]);
      else expect(foreign.status, path).toBe(404);
      const documented = document.paths[described.path]?.get?.responses[String(reply.status)];
      const media = Object.values(documented?.content ?? {})[0];
      expect(
        media,
        `${described.operationId} answered ${reply.status}: ${reply.text}`,
      ).toBeDefined();
      const validate = validator(media?.schema ?? {});
      expect(
        validate(reply.body),
        `${described.operationId}: ${JSON.stringify(validate.errors?.slice(0, 3))}`,
      ).toBe(true);
    }
  });
});
