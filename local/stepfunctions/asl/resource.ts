// The `Resource` of a Task: which integrations the twin has, and how their ARNs read.
// Owns: the list of integrations, their names in events.
import type { TaskResource } from './types.ts';

const functionArn = /^arn:[^:]+:lambda:[^:]*:\d*:function:[\w-]+(:[\w$-]+)?$/;
const integration = /^arn:[^:]+:states:[^:]*:[^:]*:(.+?)(\.waitForTaskToken)?$/;

const optimisedDynamoDb = new Set(['getItem', 'putItem', 'updateItem', 'deleteItem']);

const integrationOf = (name: string, withToken: boolean): TaskResource | undefined => {
  if (name === 'lambda:invoke') return { kind: 'lambda-invoke', withToken };
  if (name === 'states:startExecution') return { kind: 'start-execution', sdk: false, withToken };
  if (name === 'aws-sdk:sfn:startExecution')
    return { kind: 'start-execution', sdk: true, withToken };
  const [service, action = '', more] = name.replace(/^aws-sdk:/, '').split(':');
  if (service !== 'dynamodb' || more !== undefined || !/^[a-z]\w+$/.test(action)) return undefined;
  if (name.startsWith('aws-sdk:')) return { kind: 'dynamodb-sdk', action, withToken };
  return optimisedDynamoDb.has(action) && !withToken ? { kind: 'dynamodb', action } : undefined;
};

/** What the ARN names, or undefined when the twin has no such integration. */
export const resourceOf = (arn: string): TaskResource | undefined => {
  if (functionArn.test(arn)) return { kind: 'lambda-arn', functionArn: arn };
  const parts = integration.exec(arn);
  return parts?.[1] === undefined ? undefined : integrationOf(parts[1], parts[2] !== undefined);
};

export const takesToken = (resource: TaskResource): boolean =>
  'withToken' in resource && resource.withToken;

/** `resourceType` and `resource` as TaskScheduled and the events after it carry them. */
export const eventNames = (
  resource: Exclude<TaskResource, { kind: 'lambda-arn' }>,
): { readonly resource: string; readonly resourceType: string } => {
  const suffix = takesToken(resource) ? '.waitForTaskToken' : '';
  switch (resource.kind) {
    case 'lambda-invoke':
      return { resource: `invoke${suffix}`, resourceType: 'lambda' };
    case 'dynamodb-sdk':
      return { resource: `${resource.action}${suffix}`, resourceType: 'aws-sdk:dynamodb' };
    case 'dynamodb':
      return { resource: resource.action, resourceType: 'dynamodb' };
    case 'start-execution':
      return {
        resource: `startExecution${suffix}`,
        resourceType: resource.sdk ? 'aws-sdk:sfn' : 'states',
      };
  }
};
