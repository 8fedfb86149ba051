// Why a finding of cdk-nag is accepted, and the exact wildcards that rights may contain.
// Owns: the acknowledgements. A wildcard without a reason here fails the synthesis.
import { Stack, Validations } from 'aws-cdk-lib';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { z } from 'zod';

/** Accepts findings on a construct and what is below it, each with its reason. */
export const explain = (
  construct: IConstruct,
  reasons: { readonly [finding: string]: string },
): void => {
  Validations.of(construct).acknowledge(
    ...Object.entries(reasons).map(([id, reason]) => ({ id, reason })),
  );
};

/** Accepts resources with a `*` in rights below a construct, each pattern with its reason. */
export const explainWildcards = (
  construct: IConstruct,
  reasons: readonly { readonly resource: string; readonly reason: string }[],
): void => {
  for (const { resource, reason } of reasons) {
    const shown = readable(Stack.of(construct).resolve(resource));
    explain(construct, { [`AwsSolutions-IAM5[Resource::${shown}]`]: reason });
  }
};

/** Accepts what the CDK's own deployment-time function needs; its rights are the CDK's, not ours to write. */
export const explainHelper = (construct: IConstruct, reason: string): void => {
  const basic = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
  const rights = construct.node
    .findAll()
    .filter((each) => each instanceof CfnPolicy)
    .flatMap((policy) => wildcardsIn(Stack.of(policy).resolve(policy.policyDocument)));
  const findings = [
    ...rights.map((right) => `AwsSolutions-IAM5[${right}]`),
    `AwsSolutions-IAM4[Policy::${basic}]`,
    'AwsSolutions-L1',
    'Serverless-LambdaDLQ',
    'Serverless-LambdaLatestVersion',
    'Serverless-LambdaTracing',
  ];
  explain(construct, Object.fromEntries(findings.map((finding) => [finding, reason])));
};

const oneOrMore = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);
const PolicyDocument = z.looseObject({
  Statement: z.array(z.looseObject({ Action: oneOrMore, Resource: oneOrMore })),
});

const wildcardsIn = (document: unknown): string[] =>
  PolicyDocument.parse(document)
    .Statement.flatMap(({ Action, Resource }) => [
      ...Action.map((action) => `Action::${readable(action)}`),
      ...Resource.map((resource) => `Resource::${readable(resource)}`),
    ])
    .filter((right) => right.includes('*'));

/** A resolved CloudFormation string as cdk-nag shows it: `arn:<AWS::Partition>:s3:::<Bucket.Arn>/*`. */
export const readable = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  if ('Ref' in value) return `<${String(value.Ref)}>`;
  if ('Fn::GetAtt' in value && Array.isArray(value['Fn::GetAtt']))
    return `<${value['Fn::GetAtt'].join('.')}>`;
  if ('Fn::Sub' in value)
    return String(value['Fn::Sub']).replaceAll('${', '<').replaceAll('}', '>');
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) {
    const [separator, parts]: unknown[] = value['Fn::Join'];
    if (Array.isArray(parts)) return parts.map(readable).join(String(separator));
  }
  return JSON.stringify(value);
};
