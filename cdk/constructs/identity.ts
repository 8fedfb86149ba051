// Who may sign in: your own OIDC issuer, or a Cognito user pool made here.
// Owns: issuer and audience that the authoriser checks. Laws: L13 (an identity comes from a token, never from a body).
//
// A user's workspace is an attribute and their roles are groups: only an administrator can set either, and the ID token carries
// both. There is no resource server: the API takes a scope `reprise/<role>` as that role, and a scope that the page's client may
// ask for would be open to everybody who signs in.
import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  CfnUserPoolGroup,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { roles } from '../../functions/api/identity/access.ts';
import { loginPorts } from '../../functions/manifest.ts';
import { pascal } from '../every.ts';
import { explain } from '../explain.ts';
import type { Settings } from '../settings.ts';

/** Where `reprise login` waits for the browser. Cognito takes plain http from localhost only, and the port as it was registered. */
const commandLine = loginPorts.map((port) => `http://localhost:${port}/callback`);

/** Cognito fills in both names; in both languages, because nobody has chosen one yet. */
const invitation = (pageUrl: string): string =>
  [
    `Sign in at / Connectez-vous sur : ${pageUrl}`,
    'Name / Identifiant : {username}',
    'First password, for three days / Premier mot de passe, valable trois jours : {####}',
  ].join('<br>');

export interface IdentityProps {
  readonly settings: Settings;
  /** Origin of the page, `https://…`. */
  readonly pageUrl: string;
}

export class Identity extends Construct {
  readonly issuer: string;
  readonly audience: string;
  readonly clientId: string;
  readonly scope: string;
  readonly pool: UserPool | undefined;
  /** What the sign-in's cookies are sealed with; your own issuer's client secret may be added to it. */
  readonly secret: Secret;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id);
    const { issuer, audience, clientId } = props.settings;
    this.secret = this.sealingSecret();
    this.scope = props.settings.scope;
    if (issuer !== undefined && audience !== undefined) {
      this.pool = undefined;
      this.issuer = issuer;
      this.audience = audience;
      this.clientId = clientId ?? audience;
      return;
    }
    this.pool = this.userPool(props);
    this.issuer = `https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}/${this.pool.userPoolId}`;
    this.clientId = this.client(this.pool, props);
    this.audience = this.clientId;
  }

  private sealingSecret(): Secret {
    const secret = new Secret(this, 'SignInSecret', {
      secretName: `${Stack.of(this).stackName}-sign-in`, // Not under reprise/, which tools may read.
      description: 'Reprise: seals the cookies of signing in',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'sealingKey',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY, // Without it people sign in again; nothing else is lost.
    });
    explain(secret, {
      'AwsSolutions-SMG4':
        'A new key ends every session, so when to make one is an administrator’s to say (docs/deploy.md).',
    });
    return secret;
  }

  private userPool({ settings: { mfa }, pageUrl }: IdentityProps): UserPool {
    const pool = new UserPool(this, 'Users', {
      userPoolName: `${Stack.of(this).stackName}-users`,
      selfSignUpEnabled: false,
      userInvitation: {
        emailSubject: 'Reprise',
        emailBody: invitation(pageUrl),
      },
      signInAliases: { email: true },
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      customAttributes: { workspace: new StringAttribute({ mutable: true, maxLen: 64 }) },
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: mfa === 'required' ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    for (const groupName of roles)
      new CfnUserPoolGroup(this, `Role${pascal(groupName)}`, {
        userPoolId: pool.userPoolId,
        groupName,
      });
    explain(pool, {
      'AwsSolutions-COG3':
        'Threat protection needs the Plus plan, billed per user; accounts are made by an administrator only.',
      'AwsSolutions-COG8':
        'The Essentials plan has all that is used here; Plus adds cost per user.',
      ...(mfa === 'required'
        ? {}
        : {
            'AwsSolutions-COG2': 'A second factor is offered; the setting mfa=required demands it.',
          }),
    });
    return pool;
  }

  /** A public client: code exchange with PKCE, no secret to leak. Returns its id, the audience of its ID tokens. */
  private client(pool: UserPool, { settings, pageUrl }: IdentityProps): string {
    const own = new ClientAttributes().withStandardAttributes({ email: true, fullname: true });
    const client = pool.addClient('Page', {
      userPoolClientName: `${Stack.of(this).stackName}-page`,
      generateSecret: false,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      authFlows: {},
      readAttributes: own.withCustomAttributes('workspace'),
      writeAttributes: own,
      accessTokenValidity: Duration.minutes(60),
      idTokenValidity: Duration.minutes(60),
      refreshTokenValidity: Duration.days(7),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${pageUrl}/auth/callback`, ...commandLine, ...settings.callbackUrls],
        logoutUrls: [`${pageUrl}/`],
      },
    });
    pool.addDomain('SignIn', {
      cognitoDomain: {
        domainPrefix: `${Stack.of(this).stackName.toLowerCase()}-${Aws.ACCOUNT_ID}`,
      },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    new CfnManagedLoginBranding(this, 'SignInStyle', {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    return client.userPoolClientId;
  }
}
