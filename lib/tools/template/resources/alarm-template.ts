import { ofGateway, type Alarm, type Gateway, type Metric } from '../alarms/alarm.ts';
import { alarmsOf, anchorOf } from '../alarms/alarms.ts';
import { rolloutAlarmName, rolloutApis } from '../rollout.ts';
import { capitalised, type Resource, type TemplatePart, underCondition } from './cloudformation.ts';
import { dashboardResource } from './dashboard-template.ts';
import type { Offer } from '../offer.ts';

/* Makes the alarms, their topic and the dashboard from lib/tools/template/alarms. */

/** The page of the alarms, to which a description links without the parameter RunbookUrl. */
const runbook = 'lib/tools/guides/alarms.md';

const noValue = { Ref: 'AWS::NoValue' };

/** Returns the logical id of an alarm without its ending: `PurgeInboxHeartbeat`. */
const idOf = ({ name }: Pick<Alarm, 'name'>): string => capitalised(name);

const dimensionsOf = ({ dimensions }: Metric) => Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));

/** Returns a metric as an operand of metric math. Its id begins with a small letter, as CloudWatch expects. */
const operand = (id: string, metric: Metric, period: number) => ({
  Id: id,
  ReturnData: false,
  MetricStat: {
    Metric: { Namespace: metric.namespace, MetricName: metric.name, Dimensions: dimensionsOf(metric) },
    Period: period,
    Stat: metric.statistic,
  },
});

const result = (expression: string) => ({ Id: 'value', ReturnData: true, Expression: expression });

/**
 * Returns what the alarm compares, as properties of a metric or of metric math.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
const comparedBy = ({ signal, period }: Pick<Alarm, 'signal' | 'period'>): Resource => {
  switch (signal.kind) {
    case 'metric': {
      const { namespace, name, statistic } = signal.metric;
      const dimensions = dimensionsOf(signal.metric);
      return {
        Namespace: namespace,
        MetricName: name,
        ...(dimensions.length > 0 && { Dimensions: dimensions }),
        ...(statistic.startsWith('p') ? { ExtendedStatistic: statistic } : { Statistic: statistic }),
        Period: period,
      };
    }
    case 'sum': {
      const ids = signal.metrics.map((_, index) => `m${index}`);
      // The sum of a list skips metrics without data. The sum of one metric would be a single number.
      const sum = ids.length === 1 ? 'm0' : `SUM([${ids.join(', ')}])`;
      const operands = signal.metrics.map((metric, index) => operand(`m${index}`, metric, period));
      return { Metrics: [...operands, result(`FILL(${sum}, 0)`)] };
    }
    case 'percent':
      return {
        Metrics: [
          operand('failures', signal.failures, period),
          operand('all', signal.all, period),
          result(`IF(failures >= ${signal.minFailures}, 100 * failures / all, 0)`),
        ],
      };
    case 'percentile':
      return {
        Metrics: [
          operand('latency', signal.metric, period),
          operand('samples', signal.samples, period),
          result(`IF(samples >= ${signal.minSamples}, latency, 0)`),
        ],
      };
  }
};

const topic = { 'Fn::If': ['MakesAlarmTopic', { Ref: 'AlarmsTopic' }, { Ref: 'AlarmTopic' }] };
const notification = { 'Fn::If': ['NotifiesAlarms', [topic], noValue] };

/** Returns the name of an alarm in AWS. */
const alarmName = (alarm: Alarm): string => `returns-\${Stage}-${alarm.severity}-${idOf(alarm)}`;

const alarmResource = (alarm: Alarm): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
  ...underCondition(alarm.condition),
  Properties: {
    AlarmName: { 'Fn::Sub': alarmName(alarm) },
    AlarmDescription: {
      'Fn::Join': [
        '',
        [
          `${alarm.description}. Runbook: `,
          { 'Fn::If': ['LinksRunbook', { Ref: 'RunbookUrl' }, runbook] },
          `#${anchorOf(alarm)}`,
        ],
      ],
    },
    ...comparedBy(alarm),
    EvaluationPeriods: alarm.evaluationPeriods,
    ...(alarm.datapoints !== undefined && { DatapointsToAlarm: alarm.datapoints }),
    Threshold: alarm.threshold,
    ComparisonOperator: alarm.rings === 'below' ? 'LessThanThreshold' : 'GreaterThanThreshold',
    TreatMissingData: alarm.ringsWithoutData === true ? 'breaching' : 'notBreaching',
    AlarmActions: notification,
    // An engineer on call has to know the end of a critical alarm.
    ...(alarm.severity === 'critical' && { OKActions: notification }),
  },
});

/**
 * Returns the alarm that rolls back deployments of the functions behind an API. It rings within a minute, because a
 * canary may end after five. It always exists, so that it is there before the first gradual deployment.
 */
const rolloutAlarm = (api: Gateway): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: { 'Fn::Sub': rolloutAlarmName(api.toLowerCase()) },
    AlarmDescription: 'Three responses from 500 on in a minute roll a deployment back. See lib/tools/guides/rollout.md',
    ...comparedBy({ signal: { kind: 'metric', metric: ofGateway(api, '5xx', 'Sum') }, period: 60 }),
    EvaluationPeriods: 1,
    Threshold: 2,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  },
});

const alarmArns = {
  'Fn::Sub': 'arn:${AWS::Partition}:cloudwatch:${AWS::Region}:${AWS::AccountId}:alarm:returns-${Stage}-*',
};

/**
 * The topic of the stack. CloudWatch cannot publish to a topic under the key of SNS, because the policy of that key
 * names no service. https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
 */
const topicResources: Readonly<Record<string, Resource>> = {
  AlarmsKey: {
    Type: 'AWS::KMS::Key',
    Condition: 'MakesAlarmTopic',
    Properties: {
      Description: { 'Fn::Sub': 'Messages of the alarms of returns-${Stage}' },
      EnableKeyRotation: true,
      KeyPolicy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: { 'Fn::Sub': 'arn:${AWS::Partition}:iam::${AWS::AccountId}:root' } },
            Action: 'kms:*',
            Resource: '*',
          },
          // The policy of the topic restricts the alarms. CloudWatch names none when it uses the key.
          {
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
            Resource: '*',
          },
        ],
      },
    },
  },
  AlarmsTopic: {
    Type: 'AWS::SNS::Topic',
    Condition: 'MakesAlarmTopic',
    Properties: {
      DisplayName: { 'Fn::Sub': 'returns-${Stage}' },
      KmsMasterKeyId: { Ref: 'AlarmsKey' },
    },
  },
  AlarmsTopicPolicy: {
    Type: 'AWS::SNS::TopicPolicy',
    Condition: 'MakesAlarmTopic',
    Properties: {
      Topics: [{ Ref: 'AlarmsTopic' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Resource: { Ref: 'AlarmsTopic' },
            Condition: { ArnLike: { 'aws:SourceArn': alarmArns } },
          },
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 'sns:Publish',
            Resource: { Ref: 'AlarmsTopic' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  },
};

/** Counts the requests that a gateway rejects by its rate: an HTTP API has no metric for them. */
const throttledRequests: Resource = {
  Type: 'AWS::Logs::MetricFilter',
  Properties: {
    LogGroupName: { Ref: 'AccessLog' },
    FilterPattern: '{ ($.status = "429") && ($.apiId = *) }',
    MetricTransformations: [
      {
        MetricNamespace: 'Returns',
        MetricName: 'RequestsThrottled',
        MetricValue: '1',
        Unit: 'Count',
        Dimensions: [{ Key: 'ApiId', Value: '$.apiId' }],
      },
    ],
  },
};

/** Returns the alarms of a mode, with their parameters, their topic and the dashboard. */
export const alarmTemplate = (offer: Offer): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => {
  const alarms = alarmsOf(offer);
  return {
    Parameters: {
      AlarmTopic: {
        Type: 'String',
        Default: 'none',
        AllowedPattern: 'none|create|arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}',
        Description: 'ARN of the SNS topic that alarms notify; create makes a topic; none notifies nothing',
      },
      RunbookUrl: {
        Type: 'String',
        Default: 'none',
        AllowedPattern: 'none|https://[^\\s#]+',
        Description: 'Address of the guide of the alarms, to which their descriptions link; none is its path',
      },
    },
    Conditions: {
      NotifiesAlarms: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmTopic' }, 'none'] }] },
      MakesAlarmTopic: { 'Fn::Equals': [{ Ref: 'AlarmTopic' }, 'create'] },
      LinksRunbook: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'RunbookUrl' }, 'none'] }] },
    },
    Resources: {
      ...Object.fromEntries(alarms.map((alarm) => [`${idOf(alarm)}Alarm`, alarmResource(alarm)])),
      ...Object.fromEntries(rolloutApis(offer).map((api) => [`${api}RolloutAlarm`, rolloutAlarm(api)])),
      ...topicResources,
      ThrottledRequests: throttledRequests,
      Dashboard: dashboardResource(offer, alarms.filter(({ condition }) => condition === undefined).map(alarmName)),
    },
  };
};
