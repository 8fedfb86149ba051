// What is served under /auth. Owns: its routes, the headers of all answers, and that no error of it says more than its kind.
import { Hono } from 'hono';
import type { AuthWorld } from '../wiring/auth.ts';
import { answerLogout, answerToken } from './sessions.ts';
import { answerCallback, answerLogin } from './sign-in.ts';

const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export const authAppFor = (world: AuthWorld): Hono => {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  });
  app.get('/auth/login', (c) => answerLogin(c, world));
  app.get('/auth/callback', (c) => answerCallback(c, world));
  app.post('/auth/token', (c) => answerToken(c, world));
  app.post('/auth/logout', (c) => answerLogout(c, world));
  app.get('/auth/client', (c) => c.json(world.client));
  app.onError((error, c) => {
    world.log.error('Signing in failed', { error: error.name, why: error.message });
    const title = 'Signing in failed. Try again; tell whoever runs this if it stays.';
    return c.body(JSON.stringify({ type: 'about:blank', title, status: 500 }), 500, {
      'content-type': 'application/problem+json',
    });
  });
  return app;
};
