import { aliasId, functionId, liveAlias, liveArn, type TemplatePart } from './cloudformation.ts';

/**
 * The platforms that send to an event bus of EventBridge, by the prefix of their resources. A value is the spelling of
 * the platform in texts.
 */
const eventSources = { Shopify: 'Shopify', Commercetools: 'commercetools', Adobe: 'Adobe' } as const;

const receiver = 'receiveEvents';

/** Returns a rule on the bus of a platform, which exists when its parameter names the bus. */
const partOf = (id: string, platform: string) => {
  const parameter = `${id}EventSource`;
  const condition = `Takes${id}Events`;
  return {
    Parameters: {
      [parameter]: {
        Type: 'String',
        Default: '',
        AllowedPattern: '(aws[.]partner/[A-Za-z0-9/_.-]+)?',
        Description: `The partner event source that ${platform} sends to, with its event bus of the same name`,
      },
    },
    Conditions: { [condition]: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: parameter }, ''] }] } },
    Resources: {
      [`${id}Events`]: {
        Type: 'AWS::Events::Rule',
        Condition: condition,
        Properties: {
          EventBusName: { Ref: parameter },
          EventPattern: { source: [{ Ref: parameter }] },
          Targets: [{ Id: receiver, Arn: liveArn(receiver) }],
        },
      },
      [`${id}EventsPermission`]: {
        Type: 'AWS::Lambda::Permission',
        Condition: condition,
        Properties: {
          FunctionName: liveArn(receiver),
          Action: 'lambda:InvokeFunction',
          Principal: 'events.amazonaws.com',
          SourceArn: { 'Fn::GetAtt': [`${id}Events`, 'Arn'] },
        },
      },
    },
  };
};

/** Returns the parameters, conditions and rules of all platforms with an event bus. */
export const eventSourceTemplate = (): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => {
  const parts = Object.entries(eventSources).map(([id, platform]) => partOf(id, platform));
  return {
    Parameters: Object.assign({}, ...parts.map((part) => part.Parameters)) as Record<string, object>,
    Conditions: Object.assign({}, ...parts.map((part) => part.Conditions)) as Record<string, object>,
    Resources: {
      ...(Object.assign({}, ...parts.map((part) => part.Resources)) as TemplatePart['Resources']),
      // Failed events go to the dead-letter queue of the events queue.
      ReceiveEventsInvocations: {
        Type: 'AWS::Lambda::EventInvokeConfig',
        DependsOn: [aliasId(receiver)],
        Properties: {
          FunctionName: { Ref: functionId(receiver) },
          Qualifier: liveAlias,
          MaximumRetryAttempts: 2,
          MaximumEventAgeInSeconds: 21_600,
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['EventsDeadLetters', 'Arn'] } } },
        },
      },
    },
  };
};
