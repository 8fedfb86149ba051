// Who is needed is told: events of the bus that wait for a person go to one topic. Owns: the topic and its rule.
// Laws: L18 (an event carries ids, no texts and no arguments), so whoever subscribes learns nothing but that.
import { Stack } from 'aws-cdk-lib';
import { type EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { notifications } from '../../functions/manifest.ts';
import { explain } from '../explain.ts';
import type { Settings } from '../settings.ts';

export interface NotificationsProps {
  readonly bus: EventBus;
  /** Where a notification ends that the topic does not take. */
  readonly unhandled: IQueue;
  readonly settings: Settings;
}

export class Notifications extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { bus, unhandled, settings }: NotificationsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      topicName: `${Stack.of(this).stackName}-${notifications.topic}`,
      displayName: 'Reprise: somebody is needed',
      enforceSSL: true,
    });
    if (settings.notificationEmail !== undefined) {
      this.topic.addSubscription(new EmailSubscription(settings.notificationEmail));
      explain(this.topic, {
        'Serverless-SNSRedrivePolicy':
          'E-mail is a nudge for people; what waits for them stays in the inbox.',
      });
    }
    new Rule(this, 'Rule', {
      description: 'A request opened or will expire, or an action is undetermined.',
      eventBus: bus,
      eventPattern: { detailType: [...notifications.detailTypes] },
    }).addTarget(new SnsTopic(this.topic, { deadLetterQueue: unhandled }));
  }
}
