// The page and the API behind one origin: CloudFront in front of a private bucket and of the REST API.
// Owns: the security headers, and that nothing under the API's path is ever cached.
import { Aws, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { problem, problemAnswer } from '../../functions/api/problems/problems.ts';
import { routes } from '../../functions/manifest.ts';
import { pageHeaders } from '../../functions/page-headers.ts';
import { apiLike } from '../../functions/page-paths.ts';
import { explain, explainHelper } from '../explain.ts';
import { apiStage } from '../names.ts';
import type { Settings } from '../settings.ts';
import { privateBucket, type Storage } from './storage.ts';

export interface PageProps {
  readonly restApi: RestApi;
  readonly storage: Storage;
  readonly settings: Settings;
  /** Built page (`web/dist`); undefined: only the bucket is made. */
  readonly folder: string | undefined;
}

const noSuchPath = problemAnswer(problem('not-found', {}), 'en', '');

// The page routes by itself: an address that names no file gets the page, save one that asks for some API, which is told that it is
// not there. Only in front of the bucket, never of the API.
const pageForAddresses = `function handler(event) {
  var request = event.request;
  if (${apiLike}.test(request.uri)) {
    var problem = ${JSON.stringify(noSuchPath.body)};
    problem.instance = request.uri;
    return {
      statusCode: ${noSuchPath.status},
      statusDescription: 'Not Found',
      headers: {
        'content-type': { value: 'application/problem+json' },
        'x-content-type-options': { value: 'nosniff' },
        'cache-control': { value: 'no-store' },
      },
      body: { encoding: 'text', data: JSON.stringify(problem) },
    };
  }
  var last = request.uri.split('/').pop();
  if (last.indexOf('.') === -1) request.uri = '/index.html';
  return request;
}`;

export class Page extends Construct {
  readonly distribution: Distribution;
  /** `https://…`, without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: PageProps) {
    super(scope, id);
    const files = new Bucket(this, 'Files', {
      ...privateBucket,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      serverAccessLogsBucket: props.storage.accessLogs,
      serverAccessLogsPrefix: 'page/',
      removalPolicy: RemovalPolicy.RETAIN,
    }) as IBucket;
    const { domainName, certificateArn } = props.settings;
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'Reprise',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableLogging: true,
      logBucket: props.storage.accessLogs,
      logFilePrefix: 'cloudfront/',
      ...(domainName === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domainName],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          }),
      defaultBehavior: this.files(files),
      additionalBehaviors: this.apiBehaviours(props.restApi),
    });
    this.url = `https://${domainName ?? this.distribution.distributionDomainName}`;
    this.explainPage(domainName !== undefined);
    if (props.folder !== undefined) this.upload(props.folder, files);
  }

  /** CloudFront's names are the account's: without the Region a second stack elsewhere in it could not be made. */
  private regionalName(of: string): string {
    return `${Stack.of(this).stackName}-${of}-${Aws.REGION}`;
  }

  private files(bucket: IBucket): BehaviorOptions {
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket, {
        originAccessControl: new S3OriginAccessControl(this, 'Access', {
          originAccessControlName: this.regionalName('access'),
        }),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.headers(),
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: new EdgeFunction(this, 'PageForAddresses', {
            runtime: FunctionRuntime.JS_2_0,
            code: FunctionCode.fromInline(pageForAddresses),
          }),
        },
      ],
    };
  }

  /** One behaviour for each first path segment of the routes (`/v1/*`): passed on as it is, with its token, never cached. */
  private apiBehaviours(api: RestApi): { [pattern: string]: BehaviorOptions } {
    const origin = new HttpOrigin(
      Fn.join('.', [api.restApiId, 'execute-api', Aws.REGION, Aws.URL_SUFFIX]),
      {
        originPath: `/${apiStage}`,
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        readTimeout: Duration.seconds(60), // Between two packets; the live stream sends one every 15 s.
      },
    );
    const behaviour: BehaviorOptions = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: false, // Compression would hold back the live stream.
    };
    const segments = new Set(routes.map((route) => route.path.split('/')[1] ?? ''));
    return Object.fromEntries([...segments].map((segment) => [`/${segment}/*`, behaviour]));
  }

  private headers(): ResponseHeadersPolicy {
    const { 'content-security-policy': policy, ...others } = pageHeaders;
    const own = [
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
    ];
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: this.regionalName('headers'),
      comment: 'Security headers of the page',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: policy, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(365),
          includeSubdomains: true,
          override: true,
        },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others)
          .filter(([header]) => own.includes(header))
          .map(([header, value]) => ({ header, value, override: true })),
      },
    });
  }

  private explainPage(ownCertificate: boolean): void {
    explain(this.distribution, {
      'AwsSolutions-CFR1': 'Who may use it is decided by sign-in, not by country.',
      'AwsSolutions-CFR2':
        'The page is static; the API behind it has its own throttling and, by setting, its own web ACL.',
      ...(ownCertificate
        ? {}
        : {
            'AwsSolutions-CFR4':
              "CloudFront's own certificate fixes the minimum; the settings domainName and certificateArn raise it.",
          }),
    });
  }

  private upload(folder: string, bucket: IBucket): void {
    new BucketDeployment(this, 'Upload', {
      sources: [Source.asset(folder)],
      destinationBucket: bucket,
      distribution: this.distribution,
      distributionPaths: ['/*'],
      cacheControl: [CacheControl.noCache()],
      prune: false, // A page that is open keeps finding its older files.
    });
    const helper = "The CDK's own helper, which copies the page's files once per deployment.";
    const uploader = Stack.of(this).node.children.filter(({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment'),
    );
    for (const construct of uploader) explainHelper(construct, helper);
  }
}
