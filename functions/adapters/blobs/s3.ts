// Large bodies in S3, one object each, never overwritten. Owns: their keys. The reference carries size, digest and type.
// Tested in test/scenario/runs/large-result.test.ts.
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { digestOfBytes } from '../../core/base/json.ts';
import type { Blobs, Minter } from '../../ports/world.ts';

interface Parts {
  readonly client: S3Client;
  readonly bucket: string;
  readonly minter: Minter;
}

export const blobsFrom = ({ client, bucket, minter }: Parts): Blobs => ({
  put: async (workspace, body, contentType) => {
    const blob = `${workspace}/${minter.suffix()}`;
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: blob, Body: body, ContentType: contentType }),
    );
    return { blob, bytes: body.byteLength, digest: digestOfBytes(body), contentType };
  },
  get: async ({ blob, digest }) => {
    const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: blob }));
    const body = (await answer.Body?.transformToByteArray()) ?? new Uint8Array();
    if (digestOfBytes(body) !== digest)
      throw new Error(`The stored body ${blob} does not have its digest: it was changed or cut.`);
    return body;
  },
});
