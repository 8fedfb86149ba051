// Where the routines' schedules live, and the role by which EventBridge Scheduler may call their function, and no other.
// Owns: the group and its role. The schedules themselves are made at run time, one per routine.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { functionArn } from '../names.ts';

export class RoutineSchedules extends Construct {
  readonly group: ScheduleGroup;
  readonly role: Role;
  /** Built from its name: the function is told of this role, so it cannot be referred to. */
  readonly fireFunctionArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: `${Stack.of(this).stackName}-routines`,
      removalPolicy: RemovalPolicy.DESTROY, // Left behind, it would call a missing function for ever, and keep its name.
    });
    this.fireFunctionArn = functionArn(this, 'fire');
    this.role = new Role(this, 'Role', {
      // Only schedules of this group may use it (the confused-deputy condition).
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { ArnEquals: { 'aws:SourceArn': this.group.scheduleGroupArn } },
      }),
      description: "Lets the routines' schedules call the function that fires them",
    });
    this.role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [this.fireFunctionArn],
      }),
    );
  }

  /** Every schedule of the group. */
  get scheduleArns(): string {
    return Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${Stack.of(this).stackName}-routines/*`,
    });
  }
}
