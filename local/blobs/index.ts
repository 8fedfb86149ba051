// S3 on one machine, as far as it is used: put, get, head, delete and list objects, path style. Owns: the folder of
// blobs. An object is one file (a line of metadata, then its bytes), on the disk before the answer.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';
import { writeDurably } from '../base/files.ts';
import { AwsFault, faultOf, type WireRequest, type WireResponse } from '../base/wire.ts';
import { unchunked } from './chunked.ts';

const metadata = z.object({
  key: z.string(),
  contentType: z.string(),
  etag: z.string(),
  atMs: z.number(),
  user: z.record(z.string(), z.string()),
});
type Metadata = z.infer<typeof metadata>;
interface StoredObject {
  readonly about: Metadata;
  readonly body: Uint8Array;
}

const xmlEscapes: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};
const xml = (text: string): string => text.replace(/[<>&"]/g, (char) => xmlEscapes[char] ?? char);

const xmlResponse = (status: number, body: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`),
});
/** An error as S3 says it. */
export const errorResponse = ({ code, status, message }: AwsFault): WireResponse =>
  xmlResponse(status, `<Error><Code>${xml(code)}</Code><Message>${xml(message)}</Message></Error>`);

const isAbsent = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

/** File names are safe by construction: no separator, never `.` or `..`, at most 200 bytes. */
const fileNameOf = (key: string): string => {
  const encoded = encodeURIComponent(key).replace(/^\./, '%2E');
  return encoded.length <= 200
    ? encoded
    : `sha256-${createHash('sha256').update(key).digest('hex')}`;
};

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

interface Target {
  readonly folder: string;
  readonly bucket: string;
  readonly key: string;
}

const targetOf = (root: string, request: WireRequest): Target => {
  const [, bucket = '', ...rest] = request.path.split('/').map(decodeURIComponent);
  if (!bucketName.test(bucket) || bucket.includes('..'))
    throw new AwsFault('InvalidBucketName', 'The specified bucket is not valid.');
  return { folder: join(root, bucket), bucket, key: rest.join('/') };
};

const readObject = async ({ folder, key }: Target): Promise<StoredObject> => {
  let file: Buffer;
  try {
    file = await readFile(join(folder, fileNameOf(key)));
  } catch (cause) {
    if (isAbsent(cause)) throw new AwsFault('NoSuchKey', 'The specified key does not exist.', 404);
    throw cause;
  }
  const lineEnd = file.indexOf(10);
  const about = metadata.parse(JSON.parse(file.subarray(0, lineEnd).toString('utf8')));
  return { about, body: file.subarray(lineEnd + 1) };
};

const headersOf = ({ about, body }: StoredObject): Record<string, string> => ({
  'content-type': about.contentType,
  'content-length': String(body.length),
  etag: about.etag,
  'last-modified': new Date(about.atMs).toUTCString(),
  ...Object.fromEntries(
    Object.entries(about.user).map(([name, value]) => [`x-amz-meta-${name}`, value]),
  ),
});

const putObject = async (
  target: Target,
  request: WireRequest,
  nowMs: number,
): Promise<WireResponse> => {
  if (target.key === '') {
    await mkdir(target.folder, { recursive: true });
    return { status: 200, headers: { location: `/${target.bucket}` }, body: new Uint8Array() };
  }
  await mkdir(target.folder, { recursive: true });
  if (request.headers['if-none-match'] === '*') {
    const there = await readObject(target).catch(() => undefined);
    if (there !== undefined)
      throw new AwsFault(
        'PreconditionFailed',
        'At least one of the pre-conditions did not hold.',
        412,
      );
  }
  const body = unchunked(request);
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  const user: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (name.startsWith('x-amz-meta-')) user[name.slice('x-amz-meta-'.length)] = value ?? '';
  const contentType = request.headers['content-type'] ?? 'binary/octet-stream';
  const about: Metadata = { key: target.key, contentType, etag, atMs: nowMs, user };
  const head = Buffer.from(`${JSON.stringify(about)}\n`);
  await writeDurably(join(target.folder, fileNameOf(target.key)), Buffer.concat([head, body]));
  return { status: 200, headers: { etag }, body: new Uint8Array() };
};

const listObjects = async (target: Target, request: WireRequest): Promise<WireResponse> => {
  const prefix = request.query.get('prefix') ?? '';
  const names = await readdir(target.folder).catch((cause: unknown) => {
    if (isAbsent(cause))
      throw new AwsFault('NoSuchBucket', 'The specified bucket does not exist', 404);
    throw cause;
  });
  const entries: string[] = [];
  for (const name of names.filter((each) => !each.endsWith('.draft'))) {
    const file = await readFile(join(target.folder, name));
    const lineEnd = file.indexOf(10);
    const about = metadata.parse(JSON.parse(file.subarray(0, lineEnd).toString('utf8')));
    if (!about.key.startsWith(prefix)) continue;
    entries.push(
      `<Contents><Key>${xml(about.key)}</Key><LastModified>${new Date(about.atMs).toISOString()}</LastModified>` +
        `<ETag>${xml(about.etag)}</ETag><Size>${file.length - lineEnd - 1}</Size></Contents>`,
    );
  }
  return xmlResponse(
    200,
    `<ListBucketResult><Name>${target.bucket}</Name><Prefix>${xml(prefix)}</Prefix>` +
      `<KeyCount>${entries.length}</KeyCount><IsTruncated>false</IsTruncated>${entries.sort().join('')}</ListBucketResult>`,
  );
};

const headBucket = async ({ folder }: Target): Promise<WireResponse> => {
  const there = await stat(folder).catch(() => undefined);
  return { status: there === undefined ? 404 : 200, headers: {}, body: new Uint8Array() };
};

const serve = async (root: string, request: WireRequest, nowMs: number): Promise<WireResponse> => {
  const target = targetOf(root, request);
  if (request.method === 'PUT') return putObject(target, request, nowMs);
  if (target.key === '' && request.method === 'HEAD') return headBucket(target);
  if (target.key === '' && request.method === 'GET') return listObjects(target, request);
  if (request.method === 'DELETE') {
    await rm(join(target.folder, fileNameOf(target.key)), { force: true });
    return { status: 204, headers: {}, body: new Uint8Array() };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new AwsFault('MethodNotAllowed', `The twin's S3 has no ${request.method}.`, 405);
  const object = await readObject(target);
  const body = request.method === 'HEAD' ? new Uint8Array() : object.body;
  return { status: 200, headers: headersOf(object), body };
};

/** The S3 service over the folder `root`. */
export const blobsService =
  (root: string, clock: TwinClock) =>
  async (request: WireRequest): Promise<WireResponse> => {
    try {
      return await serve(root, request, clock.now());
    } catch (cause) {
      const fault = faultOf(cause);
      if (request.method === 'HEAD')
        return { status: fault.status, headers: {}, body: new Uint8Array() };
      return errorResponse(
        fault.code === 'InternalServerError'
          ? new AwsFault('InternalError', fault.message, 500)
          : fault,
      );
    }
  };
