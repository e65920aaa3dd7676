import { mailCondition, mailConfigurationSet, type MailRule, mailRuleName } from '../permissions/mails.ts';
import { arnOf } from '../permissions/permission.ts';
import { hasValue } from './account-template.ts';
import type { TemplatePart } from './cloudformation.ts';
import type { Offer } from '../offer.ts';

/*
 * What fills the queue of mails. Events with a message come from the bus of the deployment. SES reports bounces and
 * complaints on the default bus of the account, the only one that it supports. A rule passes on the tags of a mail, and
 * no address.
 * https://docs.aws.amazon.com/ses/latest/dg/monitor-sending-using-event-publishing-setup.html
 */

type RuleFacts = {
  /** @default the default bus of the account */
  readonly bus?: object;
  readonly pattern: object;
  /** The part of an event that becomes the message. */
  readonly path: string;
};

const ofSes = (detailType: string, detail: object = {}) => ({
  source: ['aws.ses'],
  'detail-type': [detailType],
  detail: { ...detail, mail: { tags: { 'ses:configuration-set': [mailConfigurationSet] } } },
});

const tags = '$.detail.mail.tags';

const rules: Readonly<Record<MailRule, RuleFacts>> = {
  MailMessages: {
    bus: { Ref: 'EventBus' },
    pattern: { detail: { data: { messageName: [{ exists: true }] } } },
    path: '$.detail',
  },
  // A mailbox that is full, or a server that does not answer, does not stop an address.
  MailBounces: { pattern: ofSes('Email Bounced', { bounce: { bounceType: ['Permanent'] } }), path: tags },
  MailComplaints: { pattern: ofSes('Email Complaint Received'), path: tags },
};

const ruleIds = Object.keys(rules) as readonly MailRule[];

const ruleResource = (id: MailRule) => {
  const { bus, pattern, path } = rules[id];
  return {
    Type: 'AWS::Events::Rule',
    Condition: mailCondition,
    Properties: {
      Name: mailRuleName(id),
      ...(bus !== undefined && { EventBusName: bus }),
      EventPattern: pattern,
      // EventBridge tries for a day to reach the queue.
      Targets: [{ Id: 'mails', Arn: arnOf('MailsQueue'), InputPath: path }],
    },
  };
};

/** Returns the parameters of mails, and what fills their queue. Only the standalone mode sends mails. */
export const mailTemplate = ({ mode }: Offer): TemplatePart =>
  mode === 'connected'
    ? {}
    : {
        Parameters: {
          MailSender: {
            Type: 'String',
            Default: '',
            AllowedPattern: '([a-z0-9._+-]{1,64}@[a-z0-9-]+([.][a-z0-9-]+)+)?',
            Description:
              'Verified address at SES that sends messages to customers, such as returns@shop.example; without it, none are sent',
          },
          MailLimit: {
            Type: 'Number',
            Default: 1000,
            MinValue: 1,
            Description: 'Mails about returns, and receipts of withdrawals, that the deployment sends in a day, each',
          },
        },
        Conditions: { [mailCondition]: hasValue('MailSender') },
        Resources: {
          MailConfiguration: {
            Type: 'AWS::SES::ConfigurationSet',
            Condition: mailCondition,
            Properties: {
              Name: mailConfigurationSet,
              SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
            },
          },
          MailFeedback: {
            Type: 'AWS::SES::ConfigurationSetEventDestination',
            Condition: mailCondition,
            Properties: {
              ConfigurationSetName: { Ref: 'MailConfiguration' },
              EventDestination: {
                Enabled: true,
                MatchingEventTypes: ['bounce', 'complaint'],
                EventBridgeDestination: {
                  EventBusArn: {
                    'Fn::Sub': 'arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:event-bus/default',
                  },
                },
              },
            },
          },
          ...Object.fromEntries(ruleIds.map((id) => [id, ruleResource(id)])),
          MailsQueuePolicy: {
            Type: 'AWS::SQS::QueuePolicy',
            Condition: mailCondition,
            Properties: {
              Queues: [{ Ref: 'MailsQueue' }],
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: [
                  {
                    Effect: 'Allow',
                    Principal: { Service: 'events.amazonaws.com' },
                    Action: 'sqs:SendMessage',
                    Resource: arnOf('MailsQueue'),
                    Condition: { ArnEquals: { 'aws:SourceArn': ruleIds.map((id) => arnOf(id)) } },
                  },
                ],
              },
            },
          },
        },
      };
