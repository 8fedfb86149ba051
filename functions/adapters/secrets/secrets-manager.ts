// Secrets from AWS Secrets Manager, kept in memory for a short while.
// Laws: L18 (a value is never part of an error; errors name the secret only).
// Tested in test/functions/adapters/aws-tools.test.ts.
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Clock, type Secrets, SecretUnknown, secretRemedy } from '../../ports/world.ts';

export interface SecretsOptions {
  readonly client: Pick<SecretsManagerClient, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long a value is kept: how soon a rotated secret is seen. Default one minute. */
  readonly keptMs?: number;
  /** False once the invocation has ended. */
  readonly open?: () => boolean;
}

interface Kept {
  readonly value: Promise<string>;
  readonly untilMs: number;
}

const codeOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown error');

export const secretsFrom = (options: SecretsOptions): Secrets => {
  const { client, clock, keptMs = 60_000, open = () => true } = options;
  const kept = new Map<string, Kept>();
  const fetchValue = async (name: string): Promise<string> => {
    const answer = await client
      .send(new GetSecretValueCommand({ SecretId: name }))
      .catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException) {
          throw new SecretUnknown(`There is no secret "${name}". ${secretRemedy}`);
        }
        throw new Error(`The secret "${name}" could not be read (${codeOf(error)}).`);
      });
    if (answer.SecretString !== undefined) return answer.SecretString;
    if (answer.SecretBinary !== undefined) return Buffer.from(answer.SecretBinary).toString('utf8');
    throw new SecretUnknown(`The secret "${name}" has no value. Give it one.`);
  };
  return {
    read: async (name) => {
      if (!open()) throw new Error(`The secret "${name}" was not read: the invocation has ended.`);
      const known = kept.get(name);
      if (known !== undefined && clock.now() < known.untilMs) return known.value;
      const value = fetchValue(name);
      kept.set(name, { value, untilMs: clock.now() + keptMs });
      // A failure is not kept.
      value.catch(() => kept.delete(name));
      return value;
    },
  };
};
