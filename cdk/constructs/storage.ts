// The five tables and the bucket for large bodies: everything that must outlive the stack.
// Owns: their keys, indexes and protection, as the manifest lists them. Nothing here is ever deleted by a deployment.
//
// Encryption is by AWS-owned keys: always on, free of charge, and no role needs a right on a key. A customer-managed key would
// add a second way to lock the ledger away for good (a disabled or deleted key), which recovery cannot undo.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type TableName, tableNames, tables } from '../../functions/manifest.ts';
import { forEvery } from '../every.ts';
import { explain } from '../explain.ts';

export interface StorageProps {
  readonly logRetentionDays: number;
}

export class Storage extends Construct {
  readonly tables: { readonly [Name in TableName]: ITable };
  readonly blobs: IBucket;
  /** Access logs of buckets and page; expires. */
  readonly accessLogs: IBucket;

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id);
    this.tables = forEvery(tableNames, (name) => this.table(name));
    this.oneAfterAnother();
    this.accessLogs = new Bucket(this, 'AccessLogs', {
      ...privateBucket,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED, // CloudFront's log delivery needs ACLs.
      lifecycleRules: [{ expiration: Duration.days(props.logRetentionDays) }],
      removalPolicy: RemovalPolicy.RETAIN,
    }) as IBucket;
    explain(this.accessLogs, {
      'AwsSolutions-S1': 'This bucket receives the access logs; logging itself would never end.',
    });
    // Not versioned: a body is put once under its own key, and one that is erased on request must be gone.
    this.blobs = new Bucket(this, 'Blobs', {
      ...privateBucket,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: 'blobs/',
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }],
      removalPolicy: RemovalPolicy.RETAIN,
    }) as IBucket;
  }

  /** DynamoDB limits how many tables with indexes are being created at once; CloudFormation asks for this order. */
  private oneAfterAnother(): void {
    const indexed = tableNames.filter((name) => tables[name].indexes.length > 0);
    for (const [place, name] of indexed.entries()) {
      const before = indexed[place - 1];
      if (before !== undefined) this.tables[name].node.addDependency(this.tables[before]);
    }
  }

  private table(name: TableName): ITable {
    const entry = tables[name];
    const table = new Table(this, name, {
      // A fixed name: a change that would replace the table fails instead of starting with an empty one.
      tableName: `${Stack.of(this).stackName}-${name}`,
      partitionKey: { name: entry.partitionKey, type: AttributeType.STRING },
      ...(entry.sortKey === undefined
        ? {}
        : { sortKey: { name: entry.sortKey, type: AttributeType.STRING } }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...(entry.stream ? { stream: StreamViewType.NEW_IMAGE } : {}),
      ...(entry.timeToLive === undefined ? {} : { timeToLiveAttribute: entry.timeToLive }),
    });
    for (const index of entry.indexes)
      table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
        sortKey: {
          name: index.sortKey,
          type: index.sortKeyType === 'N' ? AttributeType.NUMBER : AttributeType.STRING,
        },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    return table as ITable;
  }
}

/** What every bucket here has in common: encrypted, reachable by TLS only, never public. */
export const privateBucket = {
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
} as const;
