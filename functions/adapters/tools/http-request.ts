// An HTTP tool's registration and one call of it, made into a request. Pure but for the values it is given.
// Owns: where the reference travels (L5: the contract's key place) and how templates become URL, headers and body.
// Tested in test/functions/adapters/http-tool.test.ts.

import { type Json, JsonObject } from '../../core/base/json.ts';
import type { Contract } from '../../core/registry/contract.ts';
import type { HttpTransport } from '../../core/registry/tool.ts';
import { ToolMisconfigured } from '../../ports/tool.ts';
import {
  carriedReference,
  pathPlaceOf,
  placedText,
  placeOf,
  withReference,
} from './reference-place.ts';
import { type Filling, fillJson, fillOptional, fillUrl, textsIn } from './templates.ts';

export interface HttpRequest {
  readonly method: HttpTransport['method'];
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

type Place = ReturnType<typeof placeOf>;

/** The templates of a transport in which a secret may stand. */
export const secretTemplatesOf = (transport: HttpTransport): readonly string[] => {
  const { body } = transport;
  const headers = Object.values(transport.headers);
  if (body === undefined || body.as === 'arguments') return headers;
  if (body.as === 'raw') return [...headers, body.template];
  return [...headers, ...textsIn(body.as === 'json' ? body.template : body.fields)];
};

const urlOf = (transport: HttpTransport, filling: Filling, place: Place, carried: string): URL => {
  const url = fillUrl(transport.url, filling);
  const bare = { ...filling, secrets: new Map<string, string>() };
  for (const [name, template] of Object.entries(transport.query)) {
    const value = fillOptional(template, bare);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  if (place?.in === 'query') url.searchParams.set(place.name, carried);
  return url;
};

/** Visible characters and blanks of Latin-1: anything else would break the header or be changed on the way. */
const headerValue = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Set by the connection itself. */
export const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
]);

const headersOf = (
  templates: { readonly [name: string]: string },
  filling: Filling,
  more: { readonly [name: string]: string },
): { readonly [name: string]: string } => {
  const headers: { [name: string]: string } = { 'accept-encoding': 'identity', ...more };
  for (const [name, template] of Object.entries(templates)) {
    const value = fillOptional(template, filling);
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!headerValue.test(value)) {
      throw new ToolMisconfigured(
        `The value of the header "${name}" holds characters that no header can.`,
      );
    }
    if (ownHeaders.has(name)) {
      throw new ToolMisconfigured(`The header "${name}" is set by the connection. Leave it out.`);
    }
  }
  return headers;
};

interface Body {
  readonly text: string | undefined;
  readonly contentType?: string;
}

const jsonBody = (value: Json | undefined, contract: Contract, filling: Filling): Body => {
  const whole = withReference(JsonObject.parse(value ?? {}), contract, filling);
  return { text: JSON.stringify(whole), contentType: 'application/json' };
};

const bodyOf = (transport: HttpTransport, filling: Filling, contract: Contract): Body => {
  const place = placeOf(contract);
  const { body } = transport;
  switch (body?.as) {
    case undefined:
      return { text: undefined };
    case 'json':
      return jsonBody(fillJson(body.template, filling), contract, filling);
    case 'arguments':
      return jsonBody(filling.arguments, contract, filling);
    case 'raw':
      return { text: fillOptional(body.template, filling) ?? '', contentType: body.contentType };
    case 'form': {
      const form = new URLSearchParams();
      for (const [name, template] of Object.entries(body.fields)) {
        const value = fillOptional(template, filling);
        if (value !== undefined) form.set(name, value);
      }
      if (place?.in === 'body') form.set(place.path, placedText(contract, filling));
      return { text: form.toString(), contentType: 'application/x-www-form-urlencoded' };
    }
  }
};

/** Throws ToolMisconfigured when the call cannot be formed. */
export const httpRequest = (
  transport: HttpTransport,
  contract: Contract,
  filling: Omit<Filling, 'place'>,
): HttpRequest => {
  const place = placeOf(contract);
  const path = pathPlaceOf(contract);
  const carried = carriedReference(contract, filling.reference);
  const whole: Filling =
    path === undefined ? filling : { ...filling, place: path, placed: carried };
  const body = bodyOf(transport, whole, contract);
  const headers = headersOf(transport.headers, whole, {
    ...(body.contentType === undefined ? {} : { 'content-type': body.contentType }),
  });
  return {
    method: transport.method,
    url: urlOf(transport, whole, place, carried),
    headers: place?.in === 'header' ? { ...headers, [place.name.toLowerCase()]: carried } : headers,
    body: body.text,
  };
};
