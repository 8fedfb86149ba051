// The `aws-chunked` body form: SDKs send it when a checksum trails the content. Owns: taking it apart.
import { AwsFault, type WireRequest } from '../base/wire.ts';

const malformed = (): AwsFault =>
  new AwsFault('IncompleteBody', 'The aws-chunked body ends early or has a wrong chunk length.');

/** The content of a request's body, without chunk lengths, signatures and trailers. */
export const unchunked = ({ headers, body }: WireRequest): Uint8Array => {
  if (!(headers['content-encoding'] ?? '').includes('aws-chunked')) return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) throw malformed();
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!Number.isInteger(length) || lineEnd + 2 + length > bytes.length) throw malformed();
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
};
