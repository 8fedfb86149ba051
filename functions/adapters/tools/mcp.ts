// Carries an MCP tool call over streamable HTTP, by the protocol of 2026-07-28 or the older one.
// Owns: what an MCP exchange is reported as. Laws: L1 (a stream that breaks is unknown, and the call is never issued
// again, whatever the protocol says), L3.
//
// A result is a reply of status 200 with the body { content, structuredContent?, isError }; a JSON-RPC error is an answer
// too: status 200 with the body { jsonrpcError: { code, message, data? } }. Whether either proves anything is the
// contract's to say. An HTTP answer that is no MCP is a reply with its own status.
// Tested in test/functions/adapters/mcp-tool.test.ts.
import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { parseKept } from '../../core/base/exact-json.ts';
import { Json, type JsonObject } from '../../core/base/json.ts';
import type { McpTransport } from '../../core/registry/tool.ts';
import { ToolMisconfigured, type ToolReport, type ToolSend } from '../../ports/tool.ts';
import { type Blot, blotJson, blotOf } from '../secrets/blot.ts';
import { type Carriage, deadlineOf, lastCheckOf, reportOf } from './carried.ts';
import { NotSent } from './connection.ts';
import { EgressRefused } from './egress.ts';
import { type McpFetch, mcpFetch } from './mcp-fetch.ts';
import { placeOf, withPath, withReference } from './reference-place.ts';
import { secretsUsed } from './secrets-used.ts';
import { fillOptional, fillUrl } from './templates.ts';

const replyBytesMax = 10 * 1024 * 1024;

const modes: { readonly [protocol in McpTransport['protocol']]: VersionNegotiationMode } = {
  auto: 'auto',
  '2026-07-28': { pin: '2026-07-28' },
  legacy: 'legacy',
};

/** Asked and not asked again: a question comes back as a report, and becomes a request to a person. */
const clientFor = (transport: McpTransport): Client => {
  const client = new Client(
    { name: 'reprise', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: modes[transport.protocol], probe: { maxRetries: 0 } },
      inputRequired: { autoFulfill: false },
    },
  );
  // An older server asks in mid-call, where nobody can be waited for.
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
  return client;
};

const argumentsOf = (transport: McpTransport, call: ToolSend): JsonObject => {
  const { contract } = call.registration;
  if (placeOf(contract)?.in === 'body') return withReference(call.arguments, contract, call);
  const path = transport.referenceArgument;
  return path === undefined ? call.arguments : withPath(call.arguments, path, call.reference);
};

const InputRequired = z.object({
  resultType: z.literal('input_required'),
  inputRequests: Json.optional(),
  requestState: z.string().optional(),
});

/** Through JSON, so that what is stored is what was read, with no secret in it. */
const clean = (value: unknown, blot: Blot): Json =>
  blotJson(Json.parse(JSON.parse(JSON.stringify(value ?? null))), blot);

const replyOf = (status: number, value: unknown, blot: Blot): ToolReport => {
  const body = clean(value, blot);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const headers = { 'content-type': 'application/json' };
  return { kind: 'reply', reply: { status, headers, body, bytes } };
};

/** A state goes back byte for byte or not at all: with a secret in it there is nothing to go on with, and a person is told. */
const noStateKept = 'The state that came with the question held a secret and was not kept.';

const reportOfResult = (result: unknown, blot: Blot): ToolReport => {
  const asked = InputRequired.safeParse(result);
  if (asked.success) {
    const { inputRequests = {}, requestState } = asked.data;
    return requestState === undefined || blot(requestState) === requestState
      ? { kind: 'input_required', inputRequests: clean(inputRequests, blot), requestState }
      : { kind: 'input_required', inputRequests: noStateKept, requestState: undefined };
  }
  const { content, structuredContent, isError } = z
    .looseObject({ content: z.unknown(), structuredContent: z.unknown(), isError: z.unknown() })
    .partial()
    .parse(result);
  const structured = structuredContent === undefined ? {} : { structuredContent };
  return replyOf(200, { content, ...structured, isError: isError === true }, blot);
};

interface Failed {
  readonly error: unknown;
  readonly fetching: McpFetch;
  readonly deadline: AbortSignal;
  readonly blot: Blot;
}

const textOrJson = (text: unknown): unknown => {
  if (typeof text !== 'string') return '';
  try {
    return parseKept(text);
  } catch {
    return text;
  }
};

const reportOfFailure = ({ error, fetching, deadline, blot }: Failed): ToolReport => {
  if (!fetching.sent()) {
    const refusal = fetching.refusal();
    const own = refusal instanceof NotSent || refusal instanceof EgressRefused;
    if (own || deadline.aborted) return reportOf({ error: refusal, sent: false, deadline });
    const status = error instanceof SdkHttpError ? ` (status ${error.status})` : '';
    const because = `The MCP server was not ready to take a call${status}. Nothing was sent.`;
    return { kind: 'not_transmitted', because };
  }
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return replyOf(
      200,
      { jsonrpcError: { code, message, ...(data === undefined ? {} : { data }) } },
      blot,
    );
  }
  if (error instanceof SdkHttpError && error.status !== undefined && error.status >= 300) {
    return replyOf(error.status, textOrJson(error.data.text), blot);
  }
  return reportOf({ error, sent: true, deadline });
};

interface McpCall {
  readonly carriage: Carriage;
  readonly transport: McpTransport;
  readonly call: ToolSend;
  readonly deadline: AbortSignal;
  readonly secrets: ReadonlyMap<string, string>;
}

const toolDefinitionOf = (transport: McpTransport, call: ToolSend) => ({
  name: transport.tool,
  inputSchema: { ...structuredClone(call.registration.arguments), type: 'object' as const },
});

const talk = async (of: McpCall, fetching: McpFetch): Promise<unknown> => {
  const { transport, call, deadline, secrets } = of;
  const filling = { arguments: call.arguments, reference: call.reference };
  const url = fillUrl(transport.url, { ...filling, secrets: new Map() });
  const headers = Object.entries(transport.headers).flatMap(([name, template]) => {
    const value = fillOptional(template, { ...filling, secrets });
    return value === undefined ? [] : [[name, value] as const];
  });
  const wire = new StreamableHTTPClientTransport(url, {
    fetch: fetching.fetch,
    requestInit: { headers: Object.fromEntries(headers), redirect: 'manual' },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = clientFor(transport);
  const signal = AbortSignal.any([deadline, fetching.ended]);
  // The deadline's signal decides; the client's own clock only must not be quicker.
  const timeout = call.registration.contract.timeoutMs + 60_000;
  try {
    await client.connect(wire, { signal, timeout });
    const { inputResponses, requestState } = call.continuation ?? {};
    return await client.callTool(
      {
        name: transport.tool,
        arguments: argumentsOf(transport, call),
        ...(inputResponses === undefined
          ? {}
          : { inputResponses: structuredClone(inputResponses) }),
        ...(requestState === undefined ? {} : { requestState }),
      },
      {
        signal,
        timeout,
        allowInputRequired: true,
        toolDefinition: toolDefinitionOf(transport, call),
      },
    );
  } finally {
    if (!deadline.aborted) await wire.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }
};

/** Throws ToolMisconfigured when the call cannot be formed; everything else is a report. */
export const sendMcp = async (
  carriage: Carriage,
  transport: McpTransport,
  call: ToolSend,
): Promise<ToolReport> => {
  const deadline = deadlineOf(carriage, call);
  const fetching = mcpFetch({
    egress: carriage.egress,
    deadline,
    bytesMax: replyBytesMax,
    lastCheck: lastCheckOf(carriage, call),
    otherCheck: () => {
      if (!carriage.open()) throw new NotSent('The invocation has ended.');
    },
    ...(carriage.certificateAuthorities === undefined
      ? {}
      : { certificateAuthorities: carriage.certificateAuthorities }),
  });
  let blot: Blot = (text) => text;
  try {
    const secrets = await secretsUsed(Object.values(transport.headers), carriage.secrets);
    blot = blotOf(secrets);
    return reportOfResult(
      await talk({ carriage, transport, call, deadline, secrets }, fetching),
      blot,
    );
  } catch (error) {
    if (error instanceof ToolMisconfigured) throw error;
    if (error instanceof NotSent) return reportOf({ error, sent: fetching.sent(), deadline });
    return reportOfFailure({ error, fetching, deadline, blot });
  }
};
