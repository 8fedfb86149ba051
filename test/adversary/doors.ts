// The doors of a whole twin, each as its own kind of client uses it: AG-UI and the AI SDK by POST, the page's API, and the command
// in a process of its own, whose answer is kept at a gate so that it can be let in at the same instant as the others'.
// Owns: their forms, and that gate.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { reprise } from '../cli/command-line.ts';
import { holds } from '../rig/until.ts';

/** What came back first of a stream: its status. The stream itself is left; nothing is stopped by that. */
const statusOf = async (
  url: string,
  token: string,
  path: string,
  body: object,
): Promise<number> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
};

export interface Door {
  readonly url: string;
  readonly token: string;
}

const resume = (threadId: string, interruptId: string, payload: object) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [],
  resume: [{ interruptId, status: 'resolved', payload }],
});

export const agUi = ({ url, token }: Door, agentId: string) => {
  const post = (body: object): Promise<number> =>
    statusOf(url, token, `/v1/ag-ui/${agentId}`, body);
  return {
    say: (threadId: string, id: string, content: string) =>
      post({ threadId, runId: crypto.randomUUID(), messages: [{ id, role: 'user', content }] }),
    answer: (threadId: string, requestId: string, payload: object) =>
      post(resume(threadId, requestId, payload)),
  };
};

export const aiSdk = ({ url, token }: Door, agentId: string) => {
  const post = (body: object): Promise<number> =>
    statusOf(url, token, `/v1/ai-sdk/${agentId}`, body);
  return {
    say: (id: string, messageId: string, text: string) =>
      post({ id, messages: [{ id: messageId, role: 'user', parts: [{ type: 'text', text }] }] }),
    answer: (id: string, requestId: string, approved: boolean) => {
      const part = {
        type: 'dynamic-tool',
        toolCallId: 'x',
        state: 'approval-responded',
        approval: { id: requestId, approved },
      };
      return post({ id, messages: [{ id: 'a', role: 'assistant', parts: [part] }] });
    },
  };
};

/** Lets everything through at once but answers, which wait until it is opened. */
export const gateTo = async (url: string) => {
  const opened = Promise.withResolvers<void>();
  let waiting = 0;
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request;
    const body = await buffer(request);
    if (request.url?.endsWith('/answer') === true) {
      waiting += 1;
      await opened.promise;
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
    const answer = await fetch(`${url}${request.url}`, {
      method,
      headers: Object.entries(rest).map(([name, value]): [string, string] => [name, `${value}`]),
      ...(method === 'GET' ? {} : { body }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    untilWaiting: () => holds('an answer waits at the gate', () => waiting > 0),
    open: opened.resolve,
    close: () => void server.close(),
  };
};

/** The command's exit code, for an approval given through that address. */
export const approveByCommand = async (
  { url, token }: Door,
  requestId: string,
  digest: string,
): Promise<number | null> => {
  const env = { REPRISE_URL: url, REPRISE_TOKEN: token };
  return (await reprise(['approve', requestId, '--digest', digest], { env })).code;
};
