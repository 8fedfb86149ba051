// Secrets Manager on one machine: secrets in one file that only its owner can read. Owns: `secrets.json`.
// A value leaves only by GetSecretValue; no error and no list holds one (L18).
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { TwinClock } from '../clock.ts';
import { writeDurably } from '../files.ts';
import type { Place } from '../names.ts';
import { AwsFault, type JsonAnswer } from '../wire.ts';

const storedSecret = z.object({
  value: z.string(),
  versionId: z.string(),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
});
const storedSecrets = z.record(z.string(), storedSecret);
type StoredSecret = z.infer<typeof storedSecret>;

export interface SecretsTwin {
  handle(operation: string, body: Record<string, unknown>): Promise<JsonAnswer>;
  /** The value, or undefined when there is none of that name. */
  read(name: string): string | undefined;
  write(name: string, value: string): Promise<void>;
}

const name = z.string().regex(/^[A-Za-z0-9/_+=.@!-]{1,512}$/);
const byId = z.object({ SecretId: z.string() });
const withValue = {
  SecretString: z.string().max(65_536),
  ClientRequestToken: z.string().optional(),
};
const creation = z.object({ Name: name, ...withValue });
const change = z.object({ SecretId: z.string(), ...withValue });

const parsed = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  // The paths only: a message of zod may quote the value.
  const paths = result.error.issues.map((issue) => issue.path.join('.') || 'body').join(', ');
  throw new AwsFault(
    'InvalidParameterException',
    `These parameters are missing or wrong: ${paths}.`,
  );
};

/** Opens `file`, created on the first write. Throws Error when it holds something else. */
export const openSecretsTwin = (file: string, clock: TwinClock, place: Place): SecretsTwin => {
  let secrets = new Map<string, StoredSecret>();
  if (existsSync(file)) {
    const read = storedSecrets.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!read.success)
      throw new Error(`${file} is not a secrets file of the twin. Move it away or correct it.`);
    secrets = new Map(Object.entries(read.data));
  }
  const prefix = `arn:aws:secretsmanager:${place.region}:${place.account}:secret:`;
  const nameOf = (id: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);
  const found = (id: string): { name: string; secret: StoredSecret } => {
    const secret = secrets.get(nameOf(id));
    if (secret === undefined)
      throw new AwsFault(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret.",
      );
    return { name: nameOf(id), secret };
  };
  const store = async (changed: Map<string, StoredSecret>): Promise<void> => {
    await writeDurably(file, `${JSON.stringify(Object.fromEntries(changed), null, 2)}\n`);
    secrets = changed;
  };
  let queue: Promise<unknown> = Promise.resolve();
  /** Writers go one after another, each from the newest state. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = queue.then(work);
    queue = mine.catch(() => undefined);
    return mine;
  };
  const put = async (secretName: string, value: string, token?: string): Promise<StoredSecret> => {
    const now = clock.now();
    const secret = {
      value,
      versionId: token ?? crypto.randomUUID(),
      createdAtMs: secrets.get(secretName)?.createdAtMs ?? now,
      changedAtMs: now,
    };
    await store(new Map(secrets).set(secretName, secret));
    return secret;
  };
  const about = (secretName: string, secret: StoredSecret) => ({
    ARN: `${prefix}${secretName}`,
    Name: secretName,
    CreatedDate: secret.createdAtMs / 1000,
    LastChangedDate: secret.changedAtMs / 1000,
  });
  const written = (secretName: string, secret: StoredSecret) => ({
    ARN: `${prefix}${secretName}`,
    Name: secretName,
    VersionId: secret.versionId,
  });

  const operations: Record<string, (body: unknown) => Promise<unknown>> = {
    GetSecretValue: async (body) => {
      const at = found(parsed(byId, body).SecretId);
      return {
        ...written(at.name, at.secret),
        SecretString: at.secret.value,
        VersionStages: ['AWSCURRENT'],
        CreatedDate: at.secret.changedAtMs / 1000,
      };
    },
    DescribeSecret: async (body) => {
      const at = found(parsed(byId, body).SecretId);
      return {
        ...about(at.name, at.secret),
        VersionIdsToStages: { [at.secret.versionId]: ['AWSCURRENT'] },
      };
    },
    ListSecrets: async () => ({
      SecretList: [...secrets].map(([each, secret]) => about(each, secret)),
    }),
    CreateSecret: (body) =>
      inTurn(async () => {
        const given = parsed(creation, body);
        if (secrets.has(given.Name))
          throw new AwsFault(
            'ResourceExistsException',
            `The operation failed because the secret ${given.Name} already exists.`,
          );
        const secret = await put(given.Name, given.SecretString, given.ClientRequestToken);
        return written(given.Name, secret);
      }),
    PutSecretValue: (body) =>
      inTurn(async () => {
        const given = parsed(change, body);
        const at = found(given.SecretId);
        const secret = await put(at.name, given.SecretString, given.ClientRequestToken);
        return { ...written(at.name, secret), VersionStages: ['AWSCURRENT'] };
      }),
    DeleteSecret: (body) =>
      inTurn(async () => {
        const at = found(parsed(byId, body).SecretId);
        const left = new Map(secrets);
        left.delete(at.name);
        await store(left);
        return { ARN: `${prefix}${at.name}`, Name: at.name, DeletionDate: clock.now() / 1000 };
      }),
  };
  return {
    handle: async (operation, body) => {
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (run === undefined)
        throw new AwsFault('UnknownOperationException', `The twin has no ${operation}.`);
      return { status: 200, body: await run(body) };
    },
    read: (secretName) => secrets.get(secretName)?.value,
    write: (secretName, value) => inTurn(() => put(secretName, value).then(() => undefined)),
  };
};
