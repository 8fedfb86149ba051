// What came back, made into a ToolReply: size kept, encoding undone, JSON read without changing a number (L6), secrets blotted out.
// Owns: what counts as unparsable. Laws: L1 (what cannot be read whole is reported as unknown), L18 (an echoed secret goes no further).
// Tested in test/functions/adapters/http-exchange.test.ts.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { isDeeperThan, parseKept } from '../../core/base/exact-json.ts';
import type { Json } from '../../core/base/json.ts';
import type { ToolReply } from '../../ports/tool.ts';
import { type Blot, blotJson } from '../secrets/blot.ts';

/** The body could not be taken in whole: too large, cut off or not what it says it is. */
export class ReplyUnreadable extends Error {
  override readonly name = 'ReplyUnreadable';
}

/** Headers that let somebody in. All others may carry what a contract reads by; none is stored. */
const dropped = /^(?:set-cookie2?|(?:proxy-)?authenticat[a-z-]*|(?:proxy-)?authorization)$/;

type RawHeaders = { readonly [name: string]: string | readonly string[] | undefined };

const headersOf = (raw: RawHeaders, blot: Blot): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const lower = name.toLowerCase();
      if (value === undefined || dropped.test(lower)) return [];
      return [[lower, blot(typeof value === 'string' ? value : value.join(', '))]];
    }),
  );

const decoders: { readonly [encoding: string]: (body: Buffer, max: number) => Promise<Buffer> } = {
  gzip: (body, maxOutputLength) => promisify(gunzip)(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) => promisify(inflate)(body, { maxOutputLength }),
  br: (body, maxOutputLength) => promisify(brotliDecompress)(body, { maxOutputLength }),
  zstd: (body, maxOutputLength) => promisify(zstdDecompress)(body, { maxOutputLength }),
};

const decoded = async (body: Buffer, encoding: string, max: number): Promise<Buffer> => {
  if (encoding === '' || encoding === 'identity' || body.length === 0) return body;
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  // Its name is the sender's word, and could be anything that was sent.
  if (decode === undefined) throw new ReplyUnreadable('its encoding is not known');
  return decode(body, max).catch(() => {
    throw new ReplyUnreadable(`it could not be decoded from ${encoding} within ${max} bytes`);
  });
};

const textOf = (body: Buffer, contentType: string): string | undefined => {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const saysJson = (contentType: string): boolean =>
  /^[\w.+-]+\/(?:[\w.+-]+\+)?json\b/i.test(contentType);

/** Deeper JSON is not read: what walks it later would run out of stack. */
const depthMax = 256;

const parsed = (body: Buffer, contentType: string, blot: Blot): Json | undefined => {
  if (body.length === 0) return undefined;
  const text = textOf(body, contentType);
  if (text === undefined) {
    if (saysJson(contentType)) throw new ReplyUnreadable('it says it is JSON and is not');
    return { contentType: blot(contentType), base64: blot(body.toString('base64')) };
  }
  if (text.trim() === '') return undefined;
  if (isDeeperThan(text, depthMax))
    throw new ReplyUnreadable(`it is nested deeper than ${depthMax} levels`);
  const clean = blot(text);
  try {
    const json = parseKept(text);
    return clean === text ? json : blotJson(json, blot);
  } catch {
    if (saysJson(contentType)) throw new ReplyUnreadable('it says it is JSON and is not');
    return clean;
  }
};

export interface RawReply {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  readonly bytesMax: number;
  readonly blot: Blot;
}

/** Takes the body in whole. Throws ReplyUnreadable, or the transport's error when the body breaks off. */
export const readReply = async (raw: RawReply): Promise<ToolReply> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of raw.body) {
    bytes += chunk.length;
    if (bytes > raw.bytesMax) {
      throw new ReplyUnreadable(`it is larger than ${raw.bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  const one = (name: string): string => {
    const value = raw.headers[name];
    return typeof value === 'string' ? value : (value?.[0] ?? '');
  };
  const encoding = one('content-encoding').trim().toLowerCase();
  const body = await decoded(Buffer.concat(chunks), encoding, raw.bytesMax);
  return {
    status: raw.status,
    headers: headersOf(raw.headers, raw.blot),
    body: parsed(body, one('content-type'), raw.blot),
    bytes: body.length,
  };
};
