// The API itself on a port of loopback, for commands to speak to; the token is the person's name. Owns: that server.
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { type PersonName, people, type Rig } from '../functions/api/rig.ts';

const isPerson = (name: string): name is PersonName => Object.hasOwn(people, name);

export const serve = async (rig: Rig): Promise<{ server: Server; url: string }> => {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { authorization = '', 'idempotency-key': key } = request.headers;
    const person = authorization.replace('Bearer ', '');
    const post = request.method === 'POST';
    const reply = await rig.call({
      method: post ? 'POST' : 'GET',
      path: pathname,
      query: Object.fromEntries(searchParams),
      as: isPerson(person) ? person : null,
      headers: { 'accept-language': request.headers['accept-language'] ?? 'en' },
      ...(post ? { raw: await text(request), key: String(key) } : {}),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return { server, url: `http://127.0.0.1:${address.port}` };
};
