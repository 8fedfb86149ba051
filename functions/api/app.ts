// The API as one Hono application: identity, routes, problems, headers. Owns: what holds for every request.
// Tested in test/functions/api/routes/routes.test.ts.
import { type Context, Hono } from 'hono';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { secureHeaders } from 'hono/secure-headers';
import type { ApiWorld } from '../wiring/api.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Incoming, Route } from './http/operation.ts';
import { type Caller, callerFrom } from './identity/identity.ts';
import { type Language, languageOf } from './problems/language.ts';
import { Problem, problem, problemAnswer } from './problems/problems.ts';
import { saidIn } from './problems/said.ts';
import { actionRoutes } from './routes/actions.ts';
import { agentRoutes } from './routes/agents.ts';
import { auditRoutes } from './routes/audit.ts';
import { claimRoutes } from './routes/claims.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { deskRoutes } from './routes/desk.ts';
import { faultMarkRoutes } from './routes/fault-marks.ts';
import { grantRoutes } from './routes/grants.ts';
import { mandateRoutes } from './routes/mandates.ts';
import { messageRoutes } from './routes/messages.ts';
import { observationRoutes } from './routes/observations.ts';
import { occurrenceRoutes } from './routes/occurrences.ts';
import { overviewRoutes } from './routes/overview.ts';
import { requestRoutes } from './routes/requests.ts';
import { routineRoutes } from './routes/routines.ts';
import { runRoutes } from './routes/runs.ts';
import { searchRoutes } from './routes/search.ts';
import { sheetRoutes } from './routes/sheets.ts';
import { skillRoutes } from './routes/skills.ts';
import { toolRoutes } from './routes/tools.ts';
import { workspaceRunRoutes } from './routes/workspace-runs.ts';

export const apiRoutes: readonly Route[] = [
  ...agentRoutes,
  ...toolRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...searchRoutes,
  ...runRoutes,
  ...workspaceRunRoutes,
  ...overviewRoutes,
  ...faultMarkRoutes,
  ...occurrenceRoutes,
  ...routineRoutes,
  ...actionRoutes,
  ...requestRoutes,
  ...skillRoutes,
  ...grantRoutes,
  ...auditRoutes,
  ...claimRoutes,
  ...decisionRoutes,
  ...deskRoutes,
  ...sheetRoutes,
  ...observationRoutes,
  ...mandateRoutes,
];

/** What the Lambda adapter puts beside a request. */
export interface ApiEnvironment {
  Bindings: {
    readonly event?: LambdaEvent;
    readonly requestContext?: LambdaEvent['requestContext'];
    readonly lambdaContext?: LambdaContext;
  };
  Variables: {
    caller: Caller;
    /** The answer's own content policy, in place of the one for all. */
    policy?: string;
  };
}
type ApiContext = Context<ApiEnvironment>;

const languageFor = (c: ApiContext): Language => languageOf(c.req.header('accept-language'));

const withProblem = (c: ApiContext, of: Problem): Response => {
  const { status, headers, body } = problemAnswer(of, languageFor(c), c.req.path);
  return new Response(JSON.stringify(body), { status, headers });
};

const authoriserContextOf = (c: ApiContext): unknown => {
  const context = c.env.requestContext;
  return context !== undefined && 'authorizer' in context ? context.authorizer : undefined;
};

/** Errors that pass by themselves: our own "try again", and those of the services behind us. */
const passing = new Set([
  'TryAgain',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionInProgressException',
  'TransactionConflictException',
  'TimeoutError',
]);

const asProblem = (error: Error): Problem => {
  if (error instanceof Problem) return error;
  return passing.has(error.name) ? problem('busy', {}) : problem('internal', {});
};

const incomingOf = (c: ApiContext): Incoming => ({
  caller: c.get('caller'),
  language: languageFor(c),
  path: c.req.path,
  params: c.req.param(),
  query: c.req.query(),
  header: (name) => c.req.header(name),
  bytes: () => c.req.arrayBuffer(),
});

const honoPath = (path: string): string => path.replaceAll(/\{([^}]+)\}/g, ':$1');

const serve = (app: Hono<ApiEnvironment>, world: ApiWorld, route: Route): void => {
  const { method, path } = route.described;
  app.on(method, honoPath(path), async (c) => {
    const { status, body: stored, as, replayed } = await route.respond(world, incomingOf(c));
    const body = method === 'get' ? saidIn(languageFor(c), stored) : stored;
    if (as?.policy !== undefined) c.set('policy', as.policy);
    return new Response(as?.text ?? JSON.stringify(body), {
      status,
      headers: {
        'content-type': as?.contentType ?? 'application/json',
        ...(as === undefined ? {} : { vary: 'accept, accept-language', ...as.headers }),
        ...(as?.language === undefined ? {} : { 'content-language': as.language }),
        ...(replayed === true ? { 'idempotency-replayed': 'true' } : {}),
      },
    });
  });
};

const open: ReadonlySet<string> = new Set(['/v1/health', '/v1/openapi.json']);

const addOrder = (app: Hono<ApiEnvironment>): void => {
  app.use(async (c, next) => {
    await next();
    const policy = c.get('policy');
    if (policy !== undefined) c.res.headers.set('content-security-policy', policy);
  });
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      xFrameOptions: 'DENY',
      referrerPolicy: 'no-referrer',
    }),
  );
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('cache-control', 'no-store');
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allowed = methods.filter((method) => method !== 'HEAD').join(', ');
        const of = problem('method-not-allowed', { allowed }, { headers: { allow: allowed } });
        return withProblem(c, of);
      },
    }),
  );
  app.use(async (c, next) => {
    if (open.has(c.req.path)) return next();
    const caller = callerFrom(authoriserContextOf(c));
    if (caller === undefined) throw problem('unauthenticated', {});
    c.set('caller', caller);
    return next();
  });
};

export const appFor = (world: ApiWorld): Hono<ApiEnvironment> => {
  const app = new Hono<ApiEnvironment>();
  app.onError((error, c) => {
    const of = asProblem(error);
    if (of !== error)
      world.log.error('A request failed.', {
        error: error.name,
        reason: error.message,
        method: c.req.method,
        path: c.req.path,
      });
    return withProblem(c, of);
  });
  app.notFound((c) => withProblem(c, problem('not-found', {})));
  addOrder(app);
  // Made when first asked for: it is large, and a cold start need not pay for it.
  let document: string | undefined;
  app.get('/v1/openapi.json', () => {
    document ??= JSON.stringify(openApiDocument(apiRoutes));
    return jsonResponse(document);
  });
  app.get('/v1/health', () => jsonResponse('{"status":"ok"}'));
  for (const route of apiRoutes) serve(app, world, route);
  return app;
};

const jsonResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/json' } });
