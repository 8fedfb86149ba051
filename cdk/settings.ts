// What an installation may choose, read from the CDK context (`-c key=value` or `cdk.json`) and checked once.
// Owns: the names, defaults and meaning of those choices. docs/deploy.md lists the same ones.
import type { IConstruct } from 'constructs';
import { z } from 'zod';

const flag = (fallback: boolean) =>
  z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .default(fallback);
const words = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );
const count = (fallback: number) => z.coerce.number().int().positive().default(fallback);

/** Days CloudWatch Logs accepts as retention. */
const retentionDays = [30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

const schema = z
  .strictObject({
    /** OIDC issuer (https URL). Given: no user pool is made. */
    issuer: z.url({ protocol: /^https$/ }).optional(),
    /** Audience the issuer puts in the tokens that the API takes; needed with `issuer`. */
    audience: z.string().min(1).optional(),
    /** Our client at the issuer, by which people sign in; the audience when left out. */
    clientId: z.string().min(1).optional(),
    /** What is asked of the issuer at a sign-in. Some renew a session only with `offline_access`. */
    scope: z
      .string()
      .regex(/^openid( |$)/, 'must begin with openid')
      .default('openid email profile'),
    /** Whether the user pool asks for a second factor. */
    mfa: z.enum(['optional', 'required']).default('optional'),
    /** Further sign-in return addresses (comma-separated), for example for the command line. */
    callbackUrls: words,
    /** Own host name of the page; needs `certificateArn` (ACM, us-east-1). */
    domainName: z.string().min(1).optional(),
    certificateArn: z.string().startsWith('arn:').optional(),
    /** Hosts that HTTP and MCP tools may reach: `api.example.com,*.example.org`; none when empty. */
    egressHosts: words,
    /** Bedrock model ids that Think may call (comma-separated, `*` as wildcard); all when empty. */
    models: words,
    /** An AWS WAF web ACL in front of the API. */
    firewall: flag(false),
    /** Reserves the manifest's concurrency (400). Not by default: a new account's quota is 10, and the deployment would fail. */
    reservedConcurrency: flag(false),
    /** Makes the account's API Gateway logging role; false where the account already has one. */
    apiLoggingRole: flag(true),
    /** What SendTask* is allowed on: this machine, or everything should AWS refuse the machine's ARN. */
    answerScope: z.enum(['machine', 'any']).default('machine'),
    alarmEmail: z.email().optional(),
    /** Is told when a request opens or will expire, and of undetermined actions. */
    notificationEmail: z.email().optional(),
    logRetentionDays: z.coerce
      .number()
      .pipe(z.literal([...retentionDays]))
      .default(90),
    /** Requests per second, and in one instant, over all callers of the API. */
    rateLimit: count(200),
    burstLimit: count(400),
    /** History events after which a run goes on in a new execution (AWS ends one at 25,000). */
    eventBudget: z.coerce.number().int().min(1_000).max(20_000).default(10_000),
    /** Milliseconds an execution may wait before its run is parked (30 days). */
    parkAfterMs: count(30 * 86_400_000),
  })
  .refine((chosen) => (chosen.issuer === undefined) === (chosen.audience === undefined), {
    error: 'issuer and audience go together: give both for your own identity provider, or neither.',
  })
  .refine((chosen) => chosen.clientId === undefined || chosen.issuer !== undefined, {
    error:
      'clientId is the client at your own issuer: give issuer and audience too, or leave it out.',
  })
  .refine((chosen) => (chosen.domainName === undefined) === (chosen.certificateArn === undefined), {
    error:
      'domainName and certificateArn go together: give both for your own host name, or neither.',
  });

export type Settings = z.infer<typeof schema>;
export const settingNames = Object.keys(schema.shape);

/** Checks chosen values; throws an Error that lists every setting that is wrong and what it may be. */
export const settingsFrom = (chosen: { readonly [name: string]: unknown }): Settings => {
  const result = schema.safeParse(chosen);
  if (!result.success)
    throw new Error(`The stack's settings are not usable:\n${z.prettifyError(result.error)}`);
  return result.data;
};

/** The settings an app was given in its context. */
export const settingsOf = (app: IConstruct): Settings =>
  settingsFrom(
    Object.fromEntries(
      settingNames
        .map((name) => [name, app.node.tryGetContext(name)] as const)
        .filter(([, value]) => value !== undefined && value !== ''),
    ),
  );
