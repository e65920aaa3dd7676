import { tableIndexes } from '../alarms/alarm.ts';
import { hasFunction, rowsOf } from '../functions.ts';
import type { FunctionRow } from '../functions/function-row.ts';
import { tableName } from '../permissions/table.ts';
import { queuesOf } from '../queues.ts';
import type { Resource } from './cloudformation.ts';
import template from './dashboard.json' with { type: 'json' };
import type { Offer } from '../offer.ts';

/*
 * Fills in dashboard.json. A line of it is a metric as CloudWatch writes it. A line with the placeholder of a list is
 * repeated for each name of the list. A section or a graph with a `mode` is absent in the other mode. A
 * section with `of` is absent without that function.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */

type Line = readonly unknown[];
type Graph = { readonly title: string; readonly mode?: string; readonly period: number; readonly metrics: Line[] };
type Section = {
  readonly title: string;
  readonly mode?: string;
  readonly of?: string;
  readonly graphs: readonly Graph[];
};

/** Placeholders of one value. */
const values: Readonly<Record<string, object>> = {
  '<deployment>': { 'Fn::Sub': 'returns-${Stage}' },
  '<table>': tableName,
};

/** Returns the placeholders of lists, with their names. */
const listsOf = (offer: Offer): readonly (readonly [placeholder: string, names: readonly string[]])[] => {
  const functionsOf = (kind: FunctionRow['trigger']['kind']) =>
    rowsOf(offer)
      .filter(([, { trigger }]) => trigger.kind === kind)
      .map(([name]) => name);
  const queues = queuesOf(offer);
  return [
    ['<queue>', queues.filter(([, { queue }]) => queue !== undefined).map(([name]) => `${name}Queue`)],
    ['<deadLetters>', queues.map(([name]) => `${name}DeadLetters`)],
    ['<worker>', functionsOf('queue')],
    ['<consumer>', functionsOf('stream')],
    ['<schedule>', functionsOf('schedule')],
    ['<index>', tableIndexes],
  ];
};

/** Returns the lines that a line of the template becomes. */
const linesOf = (line: Line, lists: ReturnType<typeof listsOf>): readonly Line[] => {
  const text = JSON.stringify(line);
  const list = lists.find(([placeholder]) => text.includes(placeholder));
  if (list === undefined) return [line];
  const [placeholder, names] = list;
  return names.map((name) => JSON.parse(text.replaceAll(placeholder, name)) as Line);
};

const isIntrinsic = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));

/** Returns a body for Fn::Sub: each intrinsic becomes a variable. */
const substituted = (body: object): readonly [text: string, variables: Readonly<Record<string, object>>] => {
  const names = new Map<string, string>();
  const variables: Record<string, object> = {};
  const text = JSON.stringify(body, (_, part: unknown) => {
    const value = typeof part === 'string' ? (values[part] ?? part) : part;
    if (!isIntrinsic(value)) return value;
    const key = JSON.stringify(value);
    const name = names.get(key) ?? `v${names.size}`;
    names.set(key, name);
    variables[name] = value;
    return `\${${name}}`;
  });
  return [text, variables];
};

const widget = (type: string, [width, height]: readonly [number, number], properties: object) => ({
  type,
  width,
  height,
  properties,
});

/** Returns the widgets of the template in a mode. */
const widgetsOf = (offer: Offer): readonly object[] => {
  const lists = listsOf(offer);
  const isShown = ({ mode, of }: { readonly mode?: string; readonly of?: string }) =>
    (mode === undefined || mode === offer.mode) && (of === undefined || hasFunction(offer, of));
  const sections: readonly Section[] = template;
  return sections.filter(isShown).flatMap(({ title, graphs }) => [
    widget('text', [24, 1], { markdown: `## ${title}` }),
    ...graphs.filter(isShown).map((graph) =>
      widget('metric', [12, 6], {
        title: graph.title,
        view: 'timeSeries',
        region: '${AWS::Region}',
        period: graph.period,
        metrics: graph.metrics.flatMap((line) => linesOf(line, lists)),
      }),
    ),
  ]);
};

/**
 * Returns the dashboard of a mode.
 *
 * @param alarmNames the names of the alarms whose states it shows, with `${Stage}`
 */
export const dashboardResource = (offer: Offer, alarmNames: readonly string[]): Resource => {
  const alarms = alarmNames.map(
    (name) => `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:${name}`,
  );
  const states = widget('alarm', [24, 6], { title: 'Alarms', sortBy: 'stateUpdatedTimestamp', alarms });
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: { 'Fn::Sub': 'returns-${Stage}' },
      DashboardBody: { 'Fn::Sub': substituted({ widgets: [states, ...widgetsOf(offer)] }) },
    },
  };
};
