// Who is calling is the session's to say, and what they may do is one table's (S38, L13).
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { exportJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifierFrom } from '../../../../functions/adapters/oidc/verifier.ts';
import { apiRoutes } from '../../../../functions/api/app.ts';
import { authoriserOver } from '../../../../functions/api/authorise.ts';
import { clientOperationIds } from '../../../../functions/api/http/operation-clients.ts';
import { access, hasRole, mayCall, roles } from '../../../../functions/api/identity/access.ts';
import { contextFrom } from '../../../../functions/api/identity/claims.ts';
import { callerFrom } from '../../../../functions/api/identity/identity.ts';
import { openRig, type PersonName, type Rig } from '../rig.ts';
import { askApproval, type Begun, begin, converse, startRun } from '../story.ts';

describe('an answer', () => {
  let rig: Rig;
  let begun: Begun;
  beforeAll(async () => {
    rig = await openRig();
    begun = await begin(rig);
  });
  afterAll(() => rig.close());

  const answered = async (as: PersonName, more: object = {}) => {
    const runId = await startRun(rig, await converse(rig, begun.agentId));
    const { requestId } = await askApproval(rig, runId);
    const path = `/v1/requests/${requestId}/answer`;
    const body = { kind: 'refuse', reason: 'No.', ...more };
    const reply = await rig.call({ method: 'POST', path, body, as });
    return { reply, requestId };
  };

  test("with another person's name in the body is refused, and nothing is decided (S38)", async () => {
    const { reply, requestId } = await answered('rob', { decidedBy: { name: 'Ana' } });
    expect(reply.status).toBe(422);
    const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
    expect(body.request).not.toHaveProperty('decision');
  });

  test('carries the name of the session', async () => {
    const { reply } = await answered('rob');
    expect(reply.body.decidedBy).toEqual({ kind: 'person', subject: 'rob', name: 'Rob' });
  });

  test('of a machine is shown as a machine’s', async () => {
    const { reply } = await answered('robot');
    expect(reply.body.decidedBy).toEqual({ kind: 'machine', subject: 'robot', name: 'Robot' });
  });

  test('of a member who is no approver is refused', async () => {
    expect((await answered('ben')).reply.status).toBe(403);
  });
});

describe('the table of access', () => {
  test('names every operation of the API and no other', () => {
    const served = apiRoutes.map(({ described }) => described.operationId);
    expect([...served, 'readEvents', ...clientOperationIds].toSorted()).toEqual(
      Object.keys(access).toSorted(),
    );
  });

  test('lets nobody in without a role, and an administrator everywhere', () => {
    for (const { described } of apiRoutes) {
      expect(mayCall([], described.operationId)).toBe(false);
      expect(mayCall(['admin'], described.operationId)).toBe(true);
    }
  });

  test('every role can read, only an administrator has them all', () => {
    for (const role of roles) {
      expect(hasRole([role], 'viewer')).toBe(true);
      expect(hasRole([role], 'admin')).toBe(role === 'admin');
    }
    expect(hasRole(['member'], 'approver')).toBe(false);
    expect(hasRole(['approver'], 'recoverer')).toBe(false);
  });
});

interface Issuer {
  readonly url: string;
  readonly fetches: { count: number };
  rotate(): void;
  token(claims: object, more?: { key?: KeyObject; alg?: string; kid?: string }): Promise<string>;
  close(): void;
}

const openIssuer = async (): Promise<Issuer> => {
  let pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let kid = 'first';
  const fetches = { count: 0 };
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('openid-configuration') === true)
      return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    fetches.count += 1;
    const key = { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' };
    return response.end(JSON.stringify({ keys: [key] }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    fetches,
    rotate: () => {
      pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      kid = 'second';
    },
    token: (claims, more = {}) =>
      new SignJWT({ iss: url, aud: 'reprise', sub: 'ana', workspace: 'acme', ...claims })
        .setProtectedHeader({ alg: more.alg ?? 'ES256', kid: more.kid ?? kid })
        .setExpirationTime('exp' in claims ? Number(claims.exp) : '5m')
        .sign(more.key ?? pair.privateKey),
    close: () => void server.close(),
  };
};

describe('the authoriser', () => {
  let issuer: Issuer;
  const now = Date.now();
  let authorise: (token: string) => ReturnType<ReturnType<typeof authoriserOver>>;
  beforeAll(async () => {
    issuer = await openIssuer();
    const clock = { now: () => now, pause: async () => undefined };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const tokens = verifierFrom({
      issuer: issuer.url,
      audience: 'reprise',
      clock,
      fetchPauseMs: 0,
    });
    const handler = authoriserOver({ tokens, log });
    authorise = (token) => {
      const event: Partial<APIGatewayRequestAuthorizerEvent> = {
        type: 'REQUEST',
        methodArn: 'arn:aws:execute-api:eu-west-3:000000000000:abc/v1/GET/v1/agents',
        headers: { Authorization: `Bearer ${token}` },
      };
      return handler(JSON.parse(JSON.stringify(event)), undefined);
    };
  });
  afterAll(() => issuer.close());

  test('lets a valid token in, with workspace, name and roles', async () => {
    const token = await issuer.token({ name: 'Ana', roles: ['approver', 'king'], scope: 'openid' });
    expect(await authorise(token)).toMatchObject({
      principalId: 'ana',
      policyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Resource: 'arn:aws:execute-api:eu-west-3:000000000000:abc/v1/*',
          },
        ],
      },
      context: {
        workspace: 'acme',
        subject: 'ana',
        name: 'Ana',
        kind: 'person',
        roles: 'approver',
      },
    });
  });

  test('hands a name on in ASCII, and the API has it back letter for letter', async () => {
    for (const name of ['Zoë Đặng', '100 % Ana', 'Ben%20']) {
      const { context } = await authorise(await issuer.token({ name }));
      expect(String(context?.name)).toMatch(/^[ -~]+$/);
      expect(callerFrom({ ...context })?.author.name).toBe(name);
    }
    // A gateway of another kind, or an earlier authoriser, hands it on as it is.
    const { context } = await authorise(await issuer.token({ name: 'Ana' }));
    expect(callerFrom({ ...context, name: '100 % Ana' })?.author.name).toBe('100 % Ana');
  });

  const seconds = (): number => Math.floor(now / 1000);
  const bad: { readonly [what: string]: () => Promise<string> } = {
    'no token at all': async () => '',
    'another issuer': () => issuer.token({ iss: 'https://elsewhere.test' }),
    'another audience': () => issuer.token({ aud: 'other' }),
    'an expired token': () => issuer.token({ exp: seconds() - 60 }),
    'a token that is not valid yet': () => issuer.token({ nbf: seconds() + 600 }),
    'a token without a workspace': () => issuer.token({ workspace: undefined }),
    'a workspace that is no name': () => issuer.token({ workspace: '../acme' }),
    'a foreign key': () =>
      issuer.token({}, { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
    'a shared secret': async () =>
      new SignJWT({ sub: 'ana', workspace: 'acme' })
        .setProtectedHeader({ alg: 'HS256', kid: 'first' })
        .setIssuer(issuer.url)
        .setAudience('reprise')
        .setExpirationTime('5m')
        .sign(new TextEncoder().encode('a shared secret of thirty-two bytes')),
    'no signature': async () => {
      const part = (value: object): string =>
        Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = { iss: issuer.url, aud: 'reprise', sub: 'ana', workspace: 'acme' };
      return `${part({ alg: 'none' })}.${part({ ...claims, exp: seconds() + 300 })}.`;
    },
  };
  test.each(Object.keys(bad))('refuses %s', async (what) => {
    const token = (await bad[what]?.()) ?? '';
    await expect(authorise(token)).rejects.toThrow(/^Unauthorized$/);
  });

  test('fetches the keys once, and again when a token names a new one', async () => {
    const before = issuer.fetches.count;
    await authorise(await issuer.token({}));
    expect(issuer.fetches.count).toBe(before);
    issuer.rotate();
    await expect(authorise(await issuer.token({}))).resolves.toBeDefined();
    expect(issuer.fetches.count).toBe(before + 1);
  });
});

describe('claims', () => {
  const exp = 1_800_000_000;
  test.each([
    [{ sub: 'a', client_id: 'a' }, 'machine'],
    [{ sub: 'a', azp: 'a' }, 'machine'],
    [{ sub: 'a@clients' }, 'machine'],
    [{ sub: 'a', gty: 'client-credentials' }, 'machine'],
    [{ sub: 'a', idtyp: 'app' }, 'machine'],
    [{ sub: 'a', client_id: 'page' }, 'person'],
  ])('%j is a %s', (claims, kind) => {
    expect(contextFrom({ ...claims, workspace: 'acme', exp })?.kind).toBe(kind);
  });

  test('roles come from groups of this workspace and from scopes, not from another’s', () => {
    const claims = {
      sub: 'a',
      exp,
      'custom:workspace': 'acme',
      'cognito:groups': ['acme:approver', 'other:admin'],
      scope: 'openid reprise/member',
    };
    expect(contextFrom(claims)?.roles).toBe('member approver');
  });

  test('a context that no authoriser made is nobody', () => {
    expect(callerFrom(undefined)).toBeUndefined();
    expect(callerFrom({ workspace: 'acme', subject: 'a' })).toBeUndefined();
  });
});
