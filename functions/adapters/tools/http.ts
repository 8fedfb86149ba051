// Carries an HTTP call: one fresh connection, no retry, no redirect followed on anything but a read.
// Owns: what an HTTP exchange is reported as. Laws: L1, L3.
//
// A reply larger than allowed, cut off, or not what it says it is, is reported as unknown although its status is known: a
// contract's patterns read bodies, and half a body could show an absence ("no id in it") that the whole would refute.
// Tested in test/functions/adapters/http-tool.test.ts.
import type { Dispatcher } from 'undici';
import type { HttpTransport } from '../../core/registry/tool.ts';
import {
  ToolMisconfigured,
  type ToolReply,
  type ToolReport,
  type ToolSend,
} from '../../ports/tool.ts';
import { type Blot, blotOf } from '../secrets/blot.ts';
import { type Carriage, deadlineOf, lastCheckOf, reportOf } from './carried.ts';
import { NotSent, oneConnection } from './connection.ts';
import { type HttpRequest, httpRequest, secretTemplatesOf } from './http-request.ts';
import { readReply } from './reply.ts';
import { secretsUsed } from './secrets-used.ts';

const redirectsMax = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

interface Exchange {
  readonly carriage: Carriage;
  readonly request: HttpRequest;
  readonly deadline: AbortSignal;
  readonly lastCheck: () => void;
  readonly bytesMax: number;
  readonly blot: Blot;
}

/** One request and its report. */
const exchange = async (of: Exchange): Promise<ToolReport> => {
  const { carriage, request, deadline, bytesMax, blot } = of;
  const connection = oneConnection({
    url: request.url,
    egress: carriage.egress,
    signal: deadline,
    lastCheck: of.lastCheck,
    ...(carriage.certificateAuthorities === undefined
      ? {}
      : { certificateAuthorities: carriage.certificateAuthorities }),
  });
  let status: number | undefined;
  try {
    const response: Dispatcher.ResponseData = await connection.dispatcher.request({
      origin: request.url.origin,
      path: `${request.url.pathname}${request.url.search}`,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: deadline,
    });
    status = response.statusCode;
    const { headers, body } = response;
    const reply = await readReply({ status, headers, body, bytesMax, blot });
    return { kind: 'reply', reply };
  } catch (error) {
    return reportOf({ error, sent: connection.sent(), deadline, status });
  } finally {
    connection.close();
  }
};

/** Where a read's redirect leads, as a new request; undefined when it must not be followed. */
const redirected = (request: HttpRequest, reply: ToolReply, carriage: Carriage) => {
  const location = reply.headers.location;
  if (!redirects.has(reply.status) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url);
  try {
    carriage.egress.check(url);
  } catch {
    return undefined;
  }
  // Another origin gets no header that was meant for the first: one of them may hold a secret.
  const headers = url.origin === request.url.origin ? request.headers : {};
  return { ...request, url, headers };
};

const isRead = (call: ToolSend, method: HttpTransport['method']): boolean =>
  call.registration.contract.effect === 'read' && (method === 'GET' || method === 'HEAD');

/** Follows a read's redirects; a redirect that may not be followed is itself the reply. */
const follow = async (call: ToolSend, first: Exchange): Promise<ToolReport> => {
  let report = await exchange(first);
  if (!isRead(call, first.request.method)) return report;
  let { request } = first;
  for (let hops = 0; hops < redirectsMax && report.kind === 'reply'; hops += 1) {
    const next = redirected(request, report.reply, first.carriage);
    if (next === undefined) return report;
    request = next;
    const further = await exchange({ ...first, request });
    // The first request did go out, and its answer stands: the redirect that leads nowhere.
    if (further.kind === 'not_transmitted') return report;
    report = further;
  }
  return report;
};

/** Throws ToolMisconfigured when the call cannot be formed; everything else is a report. */
export const sendHttp = async (
  carriage: Carriage,
  transport: HttpTransport,
  call: ToolSend,
): Promise<ToolReport> => {
  const deadline = deadlineOf(carriage, call);
  try {
    const secrets = await secretsUsed(secretTemplatesOf(transport), carriage.secrets);
    const request = httpRequest(transport, call.registration.contract, {
      arguments: call.arguments,
      reference: call.reference,
      secrets,
    });
    const lastCheck = lastCheckOf(carriage, call);
    const { replyBytesMax: bytesMax } = transport;
    const blot = blotOf(secrets);
    return await follow(call, { carriage, request, deadline, lastCheck, bytesMax, blot });
  } catch (error) {
    if (error instanceof ToolMisconfigured) throw error;
    if (error instanceof NotSent) return reportOf({ error, sent: false, deadline });
    throw new ToolMisconfigured('The call could not be formed from the tool’s registration.');
  }
};
