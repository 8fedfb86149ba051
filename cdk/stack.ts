// The whole of Reprise in one account and Region: one stack, made of the constructs beside it.
// Owns: how they hang together, and what the deployment prints at its end.
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { type MachineName, machineNames, tableNames } from '../functions/manifest.ts';
import type { Bundles } from './bundles.ts';
import { Api, restApi } from './constructs/api.ts';
import { Deliveries } from './constructs/deliveries.ts';
import { Functions } from './constructs/functions.ts';
import { Identity } from './constructs/identity.ts';
import { Machine } from './constructs/machine.ts';
import { Notifications } from './constructs/notifications.ts';
import { Page } from './constructs/page.ts';
import { RoutineSchedules } from './constructs/routine-schedules.ts';
import { Storage } from './constructs/storage.ts';
import { Watch } from './constructs/watch.ts';
import { forEvery, pascal } from './every.ts';
import type { Settings } from './settings.ts';

export interface RepriseStackProps extends StackProps {
  readonly settings: Settings;
  readonly bundles: Bundles;
  /** Text of each machine's definition file. */
  readonly definitions: { readonly [Name in MachineName]: string };
  /** Folder of the built page; undefined when it has not been built. */
  readonly pageFolder: string | undefined;
}

export class RepriseStack extends Stack {
  constructor(scope: Construct, id: string, props: RepriseStackProps) {
    super(scope, id, {
      description: 'Reprise: AI agents that never redo an action and never guess after a crash',
      terminationProtection: true,
      ...props,
    });
    const { settings, bundles, definitions } = props;
    const { logRetentionDays } = settings;
    const storage = new Storage(this, 'Storage', { logRetentionDays });
    const bus = new EventBus(this, 'Bus', { eventBusName: this.stackName });
    const rest = restApi(this, settings);
    const page = new Page(this, 'Page', {
      restApi: rest,
      storage,
      settings,
      folder: props.pageFolder,
    });
    const identity = new Identity(this, 'Identity', { settings, pageUrl: page.url });
    const routines = new RoutineSchedules(this, 'Routines');
    const functions = new Functions(this, 'Functions', {
      bundles,
      storage,
      bus,
      settings,
      routines,
      identity,
      pageUrl: page.url,
    });
    const machines = forEvery(
      machineNames,
      (name) =>
        new Machine(this, `${pascal(name)}Machine`, {
          name,
          definition: definitions[name],
          functions,
          storage,
          logRetentionDays,
        }),
    );
    const deliveries = new Deliveries(this, 'Deliveries', { functions, storage });
    const { unhandled } = deliveries;
    const notifications = new Notifications(this, 'Notifications', { bus, unhandled, settings });
    new Api(this, 'Api', { restApi: rest, functions, settings });
    new Watch(this, 'Watch', { functions, machines, deliveries, restApi: rest, settings });

    const output = (name: string, value: string) => new CfnOutput(this, name, { value });
    output('PageUrl', page.url);
    output('ApiUrl', rest.urlForPath('/v1'));
    output('Issuer', identity.issuer);
    output('Audience', identity.audience);
    output('ClientId', identity.clientId);
    output('SignInSecret', identity.secret.secretName);
    if (identity.pool !== undefined) output('UserPoolId', identity.pool.userPoolId);
    for (const name of tableNames) output(`${name}Table`, storage.tables[name].tableName);
    output('BlobBucket', storage.blobs.bucketName);
    output('EventBusName', bus.eventBusName);
    output('NotificationsTopicArn', notifications.topic.topicArn);
    for (const name of machineNames)
      output(`${pascal(name)}MachineArn`, machines[name].machine.stateMachineArn);
  }
}
