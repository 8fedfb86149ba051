// Why a finding of cdk-nag is accepted, and the exact wildcards that rights may contain.
// Owns: the acknowledgements. A wildcard without a reason here fails the synthesis.
import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

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

/** A resolved CloudFormation string as cdk-nag shows it: `arn:<AWS::Partition>:s3:::<Bucket.Arn>/*`. */
export const readable = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  if ('Ref' in value) return `<${String(value.Ref)}>`;
  if ('Fn::GetAtt' in value && Array.isArray(value['Fn::GetAtt']))
    return `<${value['Fn::GetAtt'].join('.')}>`;
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) {
    const [separator, parts]: unknown[] = value['Fn::Join'];
    if (Array.isArray(parts)) return parts.map(readable).join(String(separator));
  }
  return JSON.stringify(value);
};
