// What the template's roles may do, read from its policies.
import { z } from 'zod';
import { readable } from '../../cdk/explain.ts';
import { ofType, templateFor } from './synthesis.ts';

const template = templateFor();

export const List = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const Resources = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);
const Statement = z.looseObject({
  Effect: z.literal('Allow'),
  Action: List,
  Resource: Resources.transform((all) => all.map(readable)),
  Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export const Policy = z.looseObject({
  PolicyDocument: z.looseObject({ Statement: z.array(Statement) }),
  Roles: z.array(z.object({ Ref: z.string() })),
});

/** What a function's role may do: all statements of the policies attached to it. */
export const rightsOf = (name: string) => {
  const made = ofType(template, 'AWS::Lambda::Function').find(
    ([, each]) => each.Properties.FunctionName === `Reprise-${name}`,
  );
  const Role = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) });
  const role = Role.parse(made?.[1].Properties.Role)['Fn::GetAtt'][0];
  return ofType(template, 'AWS::IAM::Policy')
    .map(([, each]) => Policy.parse(each.Properties))
    .filter((policy) => policy.Roles.some(({ Ref }) => Ref === role))
    .flatMap((policy) => policy.PolicyDocument.Statement);
};

export const tableId = (name: string): string => {
  const found = ofType(template, 'AWS::DynamoDB::Table').find(
    ([, made]) => made.Properties.TableName === `Reprise-${name}`,
  );
  return found?.[0] ?? `no table ${name}`;
};
