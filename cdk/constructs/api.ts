// The REST API of the manifest's routes, with response streaming for the live events and a Lambda authoriser.
// Owns: throttling, access logs, and who may pass without a token.
//
// The gateway takes bodies up to 10 MB and Lambda up to 6 MB; the handler refuses earlier, with a problem that names its limit.
// No CORS: the page is served from the same origin.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  type IAuthorizer,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  RequestAuthorizer,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import {
  authoriser,
  functions,
  type Route,
  routeLimits,
  routes,
} from '../../functions/manifest.ts';
import { explain } from '../explain.ts';
import { addGatewayProblems } from '../gateway-problems.ts';
import { apiStage } from '../names.ts';
import type { Settings } from '../settings.ts';
import type { Functions } from './functions.ts';

/** Longest a streamed response may take at the gateway; the function ends it earlier. */
const streamLimit = Duration.minutes(15);
/** The gateway's default limit for a whole response. */
const responseLimit = Duration.seconds(29);

export interface ApiProps {
  readonly restApi: RestApi;
  readonly functions: Functions;
  readonly settings: Settings;
}

/** Made apart from its methods: the page's origin needs its id, the functions need the page's address. */
export const restApi = (scope: Construct, settings: Settings): RestApi => {
  const logGroup = (id: string, logGroupName: string) =>
    new LogGroup(scope, id, {
      logGroupName,
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  const accessLogs = logGroup('ApiAccessLogs', `/aws/apigateway/${Stack.of(scope).stackName}`);
  const api = new RestApi(scope, 'RestApi', {
    restApiName: Stack.of(scope).stackName,
    description: 'Reprise',
    endpointTypes: [EndpointType.REGIONAL],
    cloudWatchRole: settings.apiLoggingRole,
    deployOptions: {
      stageName: apiStage,
      tracingEnabled: true,
      ...watched,
      throttlingRateLimit: settings.rateLimit,
      throttlingBurstLimit: settings.burstLimit,
      methodOptions: limitedMethods(),
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    },
  });
  // The gateway's own log, before the gateway makes it by itself and keeps it for ever.
  const errors = `API-Gateway-Execution-Logs_${api.restApiId}/${apiStage}`;
  api.deploymentStage.node.addDependency(logGroup('ApiExecutionLogs', errors));
  addGatewayProblems(api);
  return api;
};

const watched = {
  metricsEnabled: false, // Those per method are billed like metrics of our own; the API's are there without.
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false, // It would write bodies and tokens into the log.
} as const;

/** Routes with limits of their own: whoever floods signing in takes nothing from those who are signed in. */
const limitedMethods = (): { [method: string]: MethodDeploymentOptions } => {
  const limited = new Map<string, { perSecond: number; burst: number }>(
    Object.entries(routeLimits),
  );
  return Object.fromEntries(
    routes.flatMap(({ path, method, function: name }) => {
      const limits = limited.get(name);
      if (limits === undefined) return [];
      return [
        [
          `${path}/${method}`,
          // All of it: what a method's own settings leave out is off for that method.
          { ...watched, throttlingRateLimit: limits.perSecond, throttlingBurstLimit: limits.burst },
        ],
      ];
    }),
  );
};

const accessLogFields = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  method: AccessLogField.contextHttpMethod(),
  path: AccessLogField.contextPath(),
  status: AccessLogField.contextStatus(),
  latencyMs: AccessLogField.contextResponseLatency(),
  bytes: AccessLogField.contextResponseLength(),
  sourceIp: AccessLogField.contextIdentitySourceIp(),
  principal: AccessLogField.contextAuthorizerPrincipalId(),
  error: AccessLogField.contextErrorMessage(),
  traceId: AccessLogField.contextXrayTraceId(),
};

export class Api extends Construct {
  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const check = new RequestAuthorizer(this, 'Authoriser', {
      handler: props.functions.byName[authoriser.function],
      identitySources: [`method.request.header.${authoriser.identityHeader}`],
      resultsCacheTtl: Duration.seconds(0), // A right that was withdrawn must not live on in a cache.
    });
    for (const route of routes) this.method(route, check, props);
    this.explainApi(props);
    if (props.settings.firewall) this.firewall(props.restApi);
  }

  private method(route: Route, check: IAuthorizer, props: ApiProps): Method {
    const streaming = 'streaming' in functions[route.function];
    const integration = new LambdaIntegration(props.functions.byName[route.function], {
      allowTestInvoke: false,
      timeout: streaming ? streamLimit : responseLimit,
      ...(streaming ? { responseTransferMode: ResponseTransferMode.STREAM } : {}),
    });
    const resource = props.restApi.root.resourceForPath(route.path);
    if (route.authorised)
      return resource.addMethod(route.method, integration, {
        authorizer: check,
        authorizationType: AuthorizationType.CUSTOM,
      });
    const method = resource.addMethod(route.method, integration, {
      authorizationType: AuthorizationType.NONE,
    });
    explain(method, {
      'AwsSolutions-APIG4':
        route.function === 'auth'
          ? `${route.path} is where a token comes from; its own checks are functions/auth's.`
          : `${route.path} tells nothing about anybody and is meant to be read without a token.`,
    });
    return method;
  }

  private explainApi({ restApi, settings }: ApiProps): void {
    explain(restApi, {
      'AwsSolutions-APIG2':
        'The handlers check every body against the zod schema that the OpenAPI document is made from.',
      'AwsSolutions-COG4':
        'A Lambda authoriser checks the token of any OIDC issuer, the user pool included.',
      ...(settings.firewall
        ? {}
        : {
            'AwsSolutions-APIG3': 'The setting firewall=true adds a web ACL; it costs per month.',
          }),
      ...(settings.apiLoggingRole
        ? {
            'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
              'The role API Gateway itself uses for its logs, one per account, as AWS defines it.',
          }
        : {}),
    });
  }

  /**
   * AWS's rules for known bad inputs and limits per address. The gateway sees CloudFront's addresses, many people behind each, so
   * a person's is the one that CloudFront passed on. That can be made up, which only whoever makes it up gains from: the wide limit
   * per connecting address holds all the same.
   */
  private firewall(api: RestApi): void {
    const visible = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      metricName,
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, 'Firewall', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('RepriseFirewall'),
      rules: [
        {
          name: 'per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              limit: 3_000,
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: { headerName: 'X-Forwarded-For', fallbackBehavior: 'MATCH' },
            },
          },
          visibilityConfig: visible('PerAddress'),
        },
        {
          name: 'per-connecting-address',
          priority: 1,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: 30_000, aggregateKeyType: 'IP' } },
          visibilityConfig: visible('PerConnectingAddress'),
        },
        {
          name: 'known-bad-inputs',
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesKnownBadInputsRuleSet',
            },
          },
          visibilityConfig: visible('KnownBadInputs'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'FirewallInUse', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
