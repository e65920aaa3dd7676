import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { assertKnownProperties } from '../known-properties.ts';

/*
 * The part of EventBridge's rules that the template uses: exact values and `exists`, and queues as targets with an input
 * path. An unsupported part is an error with its path.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern.html
 */

/**
 * An event as the target of a rule receives it.
 * https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html
 */
export type BusEvent = {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Sends a message to the queue with an ARN. */
export type SendToQueue = (queueArn: string, body: string) => Promise<void>;

type Target = { readonly Id: string; readonly Arn: string; readonly InputPath?: string };

/** A rule on a bus. */
export type Rule = {
  readonly bus: string;
  readonly matches: (event: BusEvent) => boolean;
  readonly targets: readonly Target[];
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Filter = (value: unknown) => boolean;

const filterOf = (condition: unknown, path: string): Filter => {
  if (!isFields(condition)) return (value) => [value].flat().includes(condition);
  const { exists, ...others } = condition;
  if (exists !== true || Object.keys(others).length > 0)
    throw new Error(`${path}: the local stack knows values and {"exists": true} only`);
  return (value) => value !== undefined;
};

/** A field of an event must match one of the listed conditions; all fields of a pattern must match. */
const patternOf = (pattern: unknown, path: string): Filter => {
  if (Array.isArray(pattern)) {
    const filters = pattern.map((condition: unknown) => filterOf(condition, path));
    return (value) => filters.some((filter) => filter(value));
  }
  if (!isFields(pattern)) throw new Error(`${path}: must be an object, or an array of values`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, patternOf(inner, `${path}/${name}`)] as const);
  return (value) => fields.every(([name, filter]) => filter(isFields(value) ? value[name] : undefined));
};

const isQueue = ({ Arn }: Target): boolean => Arn.startsWith('arn:aws:sqs:');

/**
 * Returns a rule of the template.
 *
 * @returns undefined for a rule without a queue: the buses of platforms, which feed a function, do not exist here
 */
export const ruleOf = ({ logicalId, properties }: Deployed): Rule | undefined => {
  const path = `/Resources/${logicalId}/Properties`;
  const {
    EventBusName = 'default',
    EventPattern,
    Targets = [],
  } = properties as {
    readonly EventBusName?: string;
    readonly EventPattern?: unknown;
    readonly Targets?: readonly Target[];
  };
  if (!Targets.some(isQueue)) return undefined;
  assertKnownProperties(properties, new Set(['Name', 'EventBusName', 'EventPattern', 'Targets']), path);
  for (const target of Targets) assertKnownProperties(target, new Set(['Id', 'Arn', 'InputPath']), `${path}/Targets`);
  return { bus: EventBusName, matches: patternOf(EventPattern, `${path}/EventPattern`), targets: Targets };
};

/** Returns the part of an event that a target receives. */
export const inputOf = (event: BusEvent, { InputPath: path = '$' }: Target): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), event);
