import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parameterError } from '../../../lib/tools/template/cloudformation/parameter.ts';
import {
  alarmsIn,
  functionNames,
  metricsOf,
  periodOf,
  resourcesOf,
  templateOf,
  type AlarmProperties,
} from '../../support/cloudwatch.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';

const topic = 'arn:aws:sns:eu-central-1:123456789012:on-call';
const pages = ['lib/tools/guides/alarms.md', 'lib/tools/guides/pt/alarms.md'] as const;
const severities = new Set(['critical', 'warning']);

/** Returns the part of an alarm's name behind the stage: its severity and its name. */
const nameParts = ({ AlarmName }: AlarmProperties) =>
  /^returns-prod-([a-z]+)-([A-Z][A-Za-z0-9]*)$/.exec(AlarmName)?.slice(1) ?? [];

type QueueProperties = { readonly RedrivePolicy?: { readonly deadLetterTargetArn: string } };
type ScheduleProperties = { readonly Target: { readonly Arn: string } };

describe.each(modes)('alarms of the %s mode', (mode) => {
  const alarms = async () => [...(await alarmsIn(mode))];
  /** Returns the values of a dimension that alarms on a metric have. */
  const watched = async (metric: string, dimension: string) =>
    (await alarms())
      .flatMap(([, alarm]) => metricsOf(alarm))
      .filter(({ MetricName }) => MetricName === metric)
      .flatMap(({ Dimensions = [] }) => Dimensions.filter(({ Name }) => Name === dimension))
      .map(({ Value }) => Value);

  it('have a severity and their logical id in their name', async () => {
    for (const [id, alarm] of await alarms()) {
      const [severity, name] = nameParts(alarm);
      expect({ id, severity: severities.has(severity ?? ''), name: `${name}Alarm` }).toEqual({
        id,
        severity: true,
        name: id,
      });
    }
  });

  it('notify the topic of AlarmTopic, and at their end when they are critical', async () => {
    for (const [id, alarm] of await alarmsIn(mode, { AlarmTopic: topic })) {
      const [severity] = nameParts(alarm);
      expect({ id, begin: alarm.AlarmActions, end: alarm.OKActions }).toEqual({
        id,
        begin: [topic],
        end: severity === 'critical' ? [topic] : undefined,
      });
    }
  });

  it('notify the topic of the stack when AlarmTopic is create', async () => {
    const created = [...(await alarmsIn(mode, { AlarmTopic: 'create' })).values()];
    expect(new Set(created.flatMap(({ AlarmActions = [] }) => AlarmActions))).toEqual(new Set(['AlarmsTopic']));
  });

  it('notify nothing by default, and the stack then has no topic', async () => {
    const actions = (await alarms()).flatMap(([, { AlarmActions = [], OKActions = [] }]) => [
      ...AlarmActions,
      ...OKActions,
    ]);
    expect(actions).toEqual([]);
    expect([...(await resourcesOf(mode, 'AWS::SNS::Topic')).keys()]).toEqual([]);
    expect([...(await resourcesOf(mode, 'AWS::KMS::Key')).keys()]).toEqual([]);
  });

  it.each(pages)('link to their two rows in %s: meaning and effect; severity, where to look and fix', async (page) => {
    const lines = readFileSync(page, 'utf8').split('\n');
    for (const [id, alarm] of await alarms()) {
      const [, anchor] = /\. Runbook: lib\/tools\/guides\/alarms\.md#([a-z]+)$/.exec(alarm.AlarmDescription) ?? [];
      const rows = lines.flatMap((line, index) => (line.includes(`<a id="${anchor}"></a>${id}`) ? [index] : []));
      expect({ id, rows: rows.length }).toEqual({ id, rows: 1 });
      const [row = 0] = rows;
      const cells = lines.slice(row, row + 2).map((line) => line.split('|').map((cell) => cell.trim()));
      const [[, ...first] = [], [, severity, ...second] = []] = cells;
      expect({ id, severity }).toEqual({ id, severity: nameParts(alarm)[0] });
      const filled = [...first, ...second].filter((cell) => cell !== '');
      expect({ id, cells: filled.length }).toEqual({ id, cells: 5 });
    }
  });

  it('link to RunbookUrl where it is set', async () => {
    const url = 'https://git.example.com/returns/blob/main/lib/tools/guides/alarms.md';
    const linked = [...(await alarmsIn(mode, { RunbookUrl: url })).values()];
    expect(linked.filter(({ AlarmDescription }) => !AlarmDescription.includes(`Runbook: ${url}#`))).toEqual([]);
  });

  it('watch the age of each queue and the depth of each dead-letter queue', async () => {
    const queues = [...(await resourcesOf<QueueProperties>(mode, 'AWS::SQS::Queue'))];
    const sources = queues.flatMap(([id, { RedrivePolicy }]) => (RedrivePolicy === undefined ? [] : [id]));
    const dead = queues.map(([id]) => id).filter((id) => !sources.includes(id));
    const targets = queues.flatMap(([, { RedrivePolicy }]) => RedrivePolicy?.deadLetterTargetArn ?? []);
    expect(targets.map((arn) => arn.replace('.Arn', '')).filter((id) => !dead.includes(id))).toEqual([]);
    const names = (ids: readonly string[]) => ids.map((id) => `${id}.QueueName`).toSorted();
    expect((await watched('ApproximateAgeOfOldestMessage', 'QueueName')).toSorted()).toEqual(names(sources));
    expect((await watched('ApproximateNumberOfMessagesVisible', 'QueueName')).toSorted()).toEqual(names(dead));
  });

  it('watch the errors and the missing runs of each schedule', async () => {
    const schedules = [...(await resourcesOf<ScheduleProperties>(mode, 'AWS::Scheduler::Schedule')).values()];
    const functions = schedules.map(({ Target }) =>
      Target.Arn.replace(/^(.)(.*)Live$/, (_, first: string, rest: string) => first.toLowerCase() + rest),
    );
    const errors = await watched('Errors', 'FunctionName');
    const runs = (await alarms())
      .filter(([id]) => id.endsWith('HeartbeatAlarm'))
      .flatMap(([, alarm]) => metricsOf(alarm))
      .flatMap(({ MetricName, Dimensions = [] }) => (MetricName === 'Invocations' ? Dimensions : []))
      .map(({ Value }) => Value);
    expect(functions.length).toBeGreaterThan(5);
    expect(runs.toSorted()).toEqual(functions.map((name) => `returns-prod-${name}`).toSorted());
    expect(functions.filter((name) => !errors.includes(`returns-prod-${name}`))).toEqual([]);
  });

  it('name functions, indexes and APIs that exist', async () => {
    const functions = await functionNames(mode);
    const metrics = (await alarms()).flatMap(([, alarm]) => metricsOf(alarm));
    const dimensions = metrics.flatMap(({ Dimensions = [] }) => Dimensions);
    const named = (dimension: string) => dimensions.flatMap(({ Name, Value }) => (Name === dimension ? [Value] : []));
    expect(named('FunctionName').filter((name) => !functions.has(name))).toEqual([]);
    expect(new Set(named('ApiId'))).toEqual(new Set(['Api', 'Hooks', 'Web']));
    expect(new Set(named('Deployment'))).toEqual(new Set(['returns-prod']));
    type Table = { readonly GlobalSecondaryIndexes: readonly { readonly IndexName: string }[] };
    const [table] = (await resourcesOf<Table>(mode, 'AWS::DynamoDB::Table')).values();
    expect(named('GlobalSecondaryIndexName').toSorted()).toEqual(
      table?.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).toSorted(),
    );
  });

  it('watch the API for browsers only where it exists', async () => {
    const ids = async (WebApi: string) =>
      [...(await alarmsIn(mode, { WebApi })).keys()].filter((id) => id.startsWith('Web'));
    expect(await ids('on')).toEqual(['WebErrorsAlarm', 'WebLatencyAlarm', 'WebThrottlesAlarm']);
    expect(await ids('off')).toEqual([]);
  });

  it('keep the limits of CloudWatch', async () => {
    for (const [id, alarm] of await alarmsIn(mode, { ReconcileMinutes: '480' })) {
      const period = periodOf(alarm);
      const total = period * Number(alarm.EvaluationPeriods);
      expect({ id, period: period % 60, isLong: total > (period < 3_600 ? 86_400 : 604_800) }).toEqual({
        id,
        period: 0,
        isLong: false,
      });
      expect({ id, metrics: metricsOf(alarm).length <= 10 }).toEqual({ id, metrics: true });
      expect(alarm.AlarmDescription.length).toBeLessThanOrEqual(1_024);
    }
  });

  it('cost what the guide states: 0.10 USD for each metric', async () => {
    const all = await alarms();
    const metrics = all.reduce((total, [, alarm]) => total + metricsOf(alarm).length, 0);
    const cost = (metrics / 10).toFixed(2);
    for (const page of pages) {
      const shown = page.includes('/pt/') ? cost.replace('.', ',') : cost;
      const row = `| ${mode} | ${all.length} | ${metrics} | ${shown} |`;
      expect(readFileSync(page, 'utf8').split('\n')).toContain(row);
    }
  });
});

describe('topic of the alarms', () => {
  type Statement = { readonly Effect: string; readonly Principal: unknown; readonly Action: unknown };
  type Key = { readonly KeyPolicy: { readonly Statement: readonly Statement[] }; readonly EnableKeyRotation: boolean };
  type Policy = { readonly PolicyDocument: { readonly Statement: readonly Statement[] } };
  const create = { AlarmTopic: 'create' };

  it('is encrypted with a key that CloudWatch may use', async () => {
    const [created] = (await resourcesOf<{ KmsMasterKeyId: string }>('connected', 'AWS::SNS::Topic', create)).values();
    const [key] = (await resourcesOf<Key>('connected', 'AWS::KMS::Key', create)).values();
    expect(created?.KmsMasterKeyId).toBe('AlarmsKey');
    expect(key?.EnableKeyRotation).toBe(true);
    expect(key?.KeyPolicy.Statement).toContainEqual({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
    });
  });

  it('accepts messages of the alarms of its stage only, and only with TLS', async () => {
    const [policy] = (await resourcesOf<Policy>('connected', 'AWS::SNS::TopicPolicy', create)).values();
    expect(policy?.PolicyDocument.Statement).toMatchObject([
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: {
          ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:eu-central-1:000000000000:alarm:returns-prod-*' },
        },
      },
      { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });

  it.each([
    ['none', true],
    ['create', true],
    [topic, true],
    ['arn:aws-cn:sns:cn-north-1:123456789012:on_call', true],
    ['', false],
    ['on-call', false],
    [`${topic}.fifo`, false],
    ['arn:aws:sqs:eu-central-1:123456789012:on-call', false],
  ])('is chosen by AlarmTopic: %j is valid: %j', async (value, isValid) => {
    const { Parameters = {} } = await templateOf('connected');
    const { AlarmTopic } = Parameters;
    expect(AlarmTopic !== undefined && parameterError(AlarmTopic, value) === undefined).toBe(isValid);
  });
});

describe('count of throttled requests', () => {
  type Filter = {
    readonly FilterPattern: string;
    readonly MetricTransformations: readonly { readonly Dimensions: readonly { readonly Value: string }[] }[];
  };
  type Stage = { readonly AccessLogSettings: { readonly Format: string } };

  it('reads fields that the access log of every API has', async () => {
    const [filter] = (await resourcesOf<Filter>('standalone', 'AWS::Logs::MetricFilter')).values();
    const stages = [...(await resourcesOf<Stage>('standalone', 'AWS::ApiGatewayV2::Stage')).values()];
    const values = filter?.MetricTransformations.flatMap(({ Dimensions }) => Dimensions.map(({ Value }) => Value));
    const fields = [filter?.FilterPattern ?? '', ...(values ?? [])].flatMap((text) =>
      Array.from(text.matchAll(/\$\.(\w+)/g), ([, field]) => field),
    );
    expect(new Set(fields)).toEqual(new Set(['status', 'apiId']));
    for (const { AccessLogSettings } of stages)
      expect(JSON.parse(AccessLogSettings.Format)).toMatchObject({
        status: '$context.status',
        apiId: '$context.apiId',
      });
  });
});
