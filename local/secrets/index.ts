// Secrets Manager on one machine. Owns: its operations. A value leaves only by GetSecretValue; no error and no list
// holds one (L18).
import { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';
import type { Place } from '../base/names.ts';
import { AwsFault, type JsonAnswer } from '../base/wire.ts';
import {
  openSecretStore,
  type SecretStore,
  type StoredSecret,
  type StoredSecrets,
} from './store.ts';

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
const replacement = z.object({ SecretId: z.string(), ...withValue });

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

interface Parts {
  readonly store: SecretStore;
  readonly clock: TwinClock;
  readonly prefix: string;
}

interface Named {
  readonly name: string;
  readonly secret: StoredSecret;
}

const nameOf = ({ prefix }: Parts, id: string): string =>
  id.startsWith(prefix) ? id.slice(prefix.length) : id;

const found = (parts: Parts, secrets: StoredSecrets, id: string): Named => {
  const secretName = nameOf(parts, id);
  const secret = secrets.get(secretName);
  if (secret !== undefined) return { name: secretName, secret };
  throw new AwsFault(
    'ResourceNotFoundException',
    "Secrets Manager can't find the specified secret.",
  );
};

const withSecret = (
  { clock }: Parts,
  secrets: StoredSecrets,
  secretName: string,
  value: string,
  versionId: string = crypto.randomUUID(),
): { readonly next: StoredSecrets; readonly result: Named } => {
  const nowMs = clock.now();
  const createdAtMs = secrets.get(secretName)?.createdAtMs ?? nowMs;
  const secret = { value, versionId, createdAtMs, changedAtMs: nowMs };
  return {
    next: new Map(secrets).set(secretName, secret),
    result: { name: secretName, secret },
  };
};

const reference = ({ prefix }: Parts, secretName: string) => ({
  ARN: `${prefix}${secretName}`,
  Name: secretName,
});

const listed = (parts: Parts, { name: secretName, secret }: Named) => ({
  ...reference(parts, secretName),
  CreatedDate: secret.createdAtMs / 1000,
  LastChangedDate: secret.changedAtMs / 1000,
});

const written = (parts: Parts, { name: secretName, secret }: Named) => ({
  ...reference(parts, secretName),
  VersionId: secret.versionId,
});

type Operation = (parts: Parts, body: unknown) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  GetSecretValue: (parts, body) => {
    const at = found(parts, parts.store.all(), parsed(byId, body).SecretId);
    return {
      ...written(parts, at),
      SecretString: at.secret.value,
      VersionStages: ['AWSCURRENT'],
      CreatedDate: at.secret.changedAtMs / 1000,
    };
  },
  DescribeSecret: (parts, body) => {
    const at = found(parts, parts.store.all(), parsed(byId, body).SecretId);
    return {
      ...listed(parts, at),
      VersionIdsToStages: { [at.secret.versionId]: ['AWSCURRENT'] },
    };
  },
  ListSecrets: (parts) => ({
    SecretList: [...parts.store.all()].map(([each, secret]) =>
      listed(parts, { name: each, secret }),
    ),
  }),
  CreateSecret: async (parts, body) => {
    const given = parsed(creation, body);
    const made = await parts.store.change((secrets) => {
      if (secrets.has(given.Name))
        throw new AwsFault(
          'ResourceExistsException',
          `The operation failed because the secret ${given.Name} already exists.`,
        );
      const { Name, SecretString, ClientRequestToken } = given;
      return withSecret(parts, secrets, Name, SecretString, ClientRequestToken);
    });
    return written(parts, made);
  },
  PutSecretValue: async (parts, body) => {
    const { SecretId, SecretString, ClientRequestToken } = parsed(replacement, body);
    const made = await parts.store.change((secrets) => {
      const at = found(parts, secrets, SecretId);
      return withSecret(parts, secrets, at.name, SecretString, ClientRequestToken);
    });
    return { ...written(parts, made), VersionStages: ['AWSCURRENT'] };
  },
  DeleteSecret: async (parts, body) => {
    const { SecretId } = parsed(byId, body);
    const gone = await parts.store.change((secrets) => {
      const at = found(parts, secrets, SecretId);
      const next = new Map(secrets);
      next.delete(at.name);
      return { next, result: at };
    });
    return { ...reference(parts, gone.name), DeletionDate: parts.clock.now() / 1000 };
  },
};

export interface SecretsOptions {
  /** Made by the first secret. */
  readonly file: string;
  /** Secrets that are only held in memory; a stored one of the same name wins. */
  readonly lent: Readonly<Record<string, string>>;
  readonly clock: TwinClock;
  readonly place: Place;
}

/** Throws Error when the file holds something else. */
export const openSecretsTwin = ({ file, lent, clock, place }: SecretsOptions): SecretsTwin => {
  const prefix = `arn:aws:secretsmanager:${place.region}:${place.account}:secret:`;
  const stored = openSecretStore(file);
  const nowMs = clock.now();
  const inMemory = Object.entries(lent).map(([name, value]): [string, StoredSecret] => [
    name,
    { value, versionId: crypto.randomUUID(), createdAtMs: nowMs, changedAtMs: nowMs },
  ]);
  const store: SecretStore = { ...stored, all: () => new Map([...inMemory, ...stored.all()]) };
  const parts: Parts = { store, clock, prefix };
  return {
    handle: async (operation, body) => {
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (run === undefined)
        throw new AwsFault('UnknownOperationException', `The twin has no ${operation}.`);
      return { status: 200, body: await run(parts, body) };
    },
    read: (secretName) => store.all().get(secretName)?.value,
    write: async (secretName, value) => {
      await store.change((secrets) => withSecret(parts, secrets, secretName, value));
    },
  };
};
