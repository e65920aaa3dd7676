import { describe, expect, it } from 'vitest';
import { documents } from '../guides/documents.ts';
import { alarmsIn, functionNames, resourcesOf } from '../../support/cloudwatch.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';

/** The metrics that AWS documents, by namespace. */
const documented: Readonly<Record<string, readonly string[]>> = {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  'AWS/ApiGateway': ['4xx', '5xx', 'Count', 'IntegrationLatency', 'Latency', 'DataProcessed'],
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda': [
    'Invocations',
    'Errors',
    'Throttles',
    'Duration',
    'IteratorAge',
    'ConcurrentExecutions',
    'DeadLetterErrors',
    'AsyncEventsDropped',
  ],
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'AWS/SQS': [
    'ApproximateAgeOfOldestMessage',
    'ApproximateNumberOfMessagesVisible',
    'ApproximateNumberOfMessagesNotVisible',
  ],
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  'AWS/DynamoDB': ['ReadThrottleEvents', 'WriteThrottleEvents', 'ThrottledRequests', 'SystemErrors'],
};

type Line = readonly (string | { readonly stat?: string; readonly expression?: string })[];
type Widget = {
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly metrics?: readonly Line[];
    readonly alarms?: readonly string[];
  };
};

const dashboardOf = async (mode: Mode) => {
  type Dashboard = { readonly DashboardName: string; readonly DashboardBody: string };
  const [dashboard] = (await resourcesOf<Dashboard>(mode, 'AWS::CloudWatch::Dashboard')).values();
  const { widgets } = JSON.parse(dashboard?.DashboardBody ?? '') as { readonly widgets: readonly Widget[] };
  const lines = widgets.flatMap(({ properties }) => properties.metrics ?? []);
  /** The metrics, with their dimensions. A search has none of its own. */
  const metrics = lines.flatMap((line) => {
    const [namespace, name, ...rest] = line;
    if (typeof namespace !== 'string' || typeof name !== 'string') return [];
    const dimensions = rest.filter((part): part is string => typeof part === 'string');
    return [{ namespace, name, dimensions }];
  });
  const searches = lines.flatMap(([first]) =>
    typeof first === 'object' && first.expression !== undefined ? [first.expression] : [],
  );
  return { name: dashboard?.DashboardName, text: dashboard?.DashboardBody ?? '', widgets, metrics, searches };
};

describe.each(modes)('dashboard of the %s mode', (mode) => {
  it('has the name of the stage, and fits the grid', async () => {
    const { name, widgets } = await dashboardOf(mode);
    expect(name).toBe('returns-prod');
    expect(widgets.filter(({ width }) => width > 24)).toEqual([]);
    expect(widgets.filter(({ properties }) => properties.metrics?.length === 0)).toEqual([]);
    expect(widgets.length).toBeLessThanOrEqual(50);
  });

  it('has a value for each placeholder of its template', async () => {
    const { text } = await dashboardOf(mode);
    expect(text.match(/<\w+>|\$\{.*?\}/g)).toBeNull();
  });

  it('shows metrics that AWS documents, or that a guide names', async () => {
    const { metrics, searches } = await dashboardOf(mode);
    const unknown = metrics.filter(
      ({ namespace, name }) => namespace !== 'Returns' && documented[namespace]?.includes(name) !== true,
    );
    expect(unknown).toEqual([]);
    const searched = searches.map((search) => /MetricName="(\w+)"/.exec(search)?.[1] ?? search);
    const own = [...metrics.filter(({ namespace }) => namespace === 'Returns').map(({ name }) => name), ...searched];
    const guides = documents.map(({ text }) => text).join('\n');
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((name) => !new RegExp(`\\b${name}\\b`).test(guides))).toEqual([]);
  });

  it('searches only metrics of its own stage', async () => {
    const { searches } = await dashboardOf(mode);
    const form =
      /^SEARCH\('\{Returns,Deployment,(?:Currency|Operation)\} MetricName="\w+" Deployment="returns-prod"', '\w+', \d+\)$/;
    expect(searches.filter((search) => !form.test(search))).toEqual([]);
    expect(searches.length).toBe(mode === 'standalone' ? 3 : 0);
  });

  it('shows each queue, each schedule and each worker', async () => {
    const { metrics } = await dashboardOf(mode);
    const shown = new Set(metrics.flatMap(({ dimensions }) => dimensions));
    const queues = [...(await resourcesOf(mode, 'AWS::SQS::Queue')).keys()].map((id) => `${id}.QueueName`);
    const schedules = [...(await resourcesOf(mode, 'AWS::Scheduler::Schedule')).keys()].map(
      (id) => `returns-prod-${id.charAt(0).toLowerCase()}${id.slice(1).replace(/Schedule$/, '')}`,
    );
    expect([...queues, ...schedules].filter((name) => !shown.has(name))).toEqual([]);
    const functions = await functionNames(mode);
    const named = metrics.flatMap(({ dimensions: [name, value = ''] }) => (name === 'FunctionName' ? [value] : []));
    expect(named.filter((name) => !functions.has(name))).toEqual([]);
  });

  it('shows the state of every alarm that every stage has', async () => {
    const { widgets } = await dashboardOf(mode);
    const shown = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    const off = { SharedToken: 'off', WebApi: 'off', WriteBack: 'none', MailSender: '' };
    const names = [...(await alarmsIn(mode, off)).values()].map(({ AlarmName }) => AlarmName);
    expect(
      shown.map((arn) => arn.replace(/^arn:aws:cloudwatch:eu-central-1:000000000000:alarm:/, '')).toSorted(),
    ).toEqual(names.toSorted());
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
    expect(shown.length).toBeLessThanOrEqual(100);
  });
});
