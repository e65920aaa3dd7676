import { randomUUID } from 'node:crypto';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { accountId, region } from '../../template/cloudformation/template.ts';
import { assertKnownProperties } from '../known-properties.ts';
import { type BusEvent, inputOf, type Rule, ruleOf, type SendToQueue } from './event-rules.ts';

/** An entry of PutEvents. */
export type Entry = {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Resources?: readonly string[];
  /** Epoch seconds. */
  readonly Time?: number;
  readonly EventBusName?: string;
};

/** An event, its bus, and its number since the start of the stack, from 1. */
export type StoredEvent = { readonly number: number; readonly bus: string; readonly event: BusEvent };

type Failure = { readonly ErrorCode: string; readonly ErrorMessage: string };

const maxStoredEvents = 10_000;
/** AWS accepts longer names and silently drops the event. */
const maxName = 128;

const objectIn = (text: string): BusEvent['detail'] | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as BusEvent['detail'])
      : undefined;
  } catch {
    return undefined;
  }
};

const invalid = (name: string, reason: string): Failure => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}`,
});

const nameError = (name: string, value: string | undefined): Failure | undefined => {
  if (value === undefined || value === '') return invalid(name, `${name} is a required argument.`);
  return value.length > maxName ? invalid(name, `${name} is longer than ${maxName} characters.`) : undefined;
};

const entryError = ({ Source, DetailType, Detail }: Entry): Failure | undefined => {
  const error = nameError('Source', Source) ?? nameError('DetailType', DetailType);
  if (error !== undefined) return error;
  if (Source?.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  return Detail === undefined || Detail === '' ? invalid('Detail', 'Detail is a required argument.') : undefined;
};

const eventOf = (
  { Source = '', DetailType = '', Resources = [], Time }: Entry,
  detail: BusEvent['detail'],
  now: number,
): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account: accountId,
  time: `${new Date(Time === undefined ? now : Time * 1000).toISOString().slice(0, 19)}Z`,
  region,
  resources: Resources,
  detail,
});

/** Opens the buses of the stack. The last 10,000 events are stored for inspection. */
export const openBuses = (onEvent?: (event: StoredEvent) => void) => {
  const rules: (Rule & { readonly send: SendToQueue })[] = [];
  const names = new Set(['default']);
  const stored: StoredEvent[] = [];
  let count = 0;

  /** Stores an event, and sends it to the targets of rules, as EventBridge does after its answer. */
  const publish = (bus: string, event: BusEvent): void => {
    count += 1;
    const numbered = { number: count, bus, event };
    stored.push(numbered);
    if (stored.length > maxStoredEvents) stored.shift();
    onEvent?.(numbered);
    for (const rule of rules.filter((candidate) => candidate.bus === bus && candidate.matches(event)))
      for (const target of rule.targets)
        rule
          .send(target.Arn, JSON.stringify(inputOf(event, target)))
          .catch((error: unknown) => console.error(`no message of the bus ${bus} for ${target.Arn}`, error));
  };

  return {
    /** @throws for a property that the local stack does not support */
    create: (deployed: readonly Deployed[]): void => {
      const known = new Set(['Name', 'Description', 'Tags', 'KmsKeyIdentifier', 'DeadLetterConfig']);
      for (const { logicalId, local, properties } of deployed) {
        assertKnownProperties(properties, known, `/Resources/${logicalId}/Properties`);
        names.add(local.ref);
      }
    },
    /** @throws for a rule that the local stack does not support */
    createRules: (deployed: readonly Deployed[], send: SendToQueue): void => {
      for (const rule of deployed.map(ruleOf)) if (rule !== undefined) rules.push({ ...rule, send });
    },
    /** Publishes an event of a service of AWS on the default bus. */
    report: (source: `aws.${string}`, detailType: string, detail: BusEvent['detail'], now: number): void =>
      publish('default', eventOf({ Source: source, DetailType: detailType }, detail, now)),
    put: (entry: Entry, now: number): { readonly EventId: string } | Failure => {
      const { EventBusName = 'default', Detail = '' } = entry;
      const bus = EventBusName.split('/').at(-1) ?? '';
      const error = entryError(entry);
      if (error !== undefined) return error;
      const detail = objectIn(Detail);
      if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
      // AWS accepts events for a missing bus and silently drops them.
      if (!names.has(bus)) return invalid('EventBusName', `Event bus ${bus} does not exist.`);
      const event = eventOf(entry, detail, now);
      publish(bus, event);
      return { EventId: event.id };
    },
    /** Returns the events after a number, oldest first. */
    after: (number: number): readonly StoredEvent[] => stored.filter((event) => event.number > number),
  };
};
