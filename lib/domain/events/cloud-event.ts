import { encodeTime } from 'ulid';
import { sha256 } from '../returns/history/canonical-json.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';
import { publicActor } from '../returns/model/actor.ts';
import type { DomainEvent } from './domain-events.ts';
import { type MessageName, messageOf } from './messages.ts';

/*
 * Makes the public form of a domain event. Receivers have no scope, and callers may not have access to personal data,
 * so personal fields are omitted. The terms are omitted too, because they are long and concern only the return.
 */

/**
 * Fields with personal data, free text, or values without use for a receiver; `request` is the digest of a key, `texts`
 * has references to the texts of a declaration.
 */
const hiddenFields = new Set([
  'customer',
  'subject',
  'actorKey',
  'note',
  'message',
  'evidence',
  'attachment',
  'terms',
  'request',
  'texts',
]);

/** Whether a value is a personal-text reference: a stored place and a digest, whatever the field is called. */
const isPersonalTextRef = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'ref' in value && 'digest' in value;

const withoutHiddenFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutHiddenFields);
  if (typeof value !== 'object' || value === null) return value;
  const visible: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value))
    if (!hiddenFields.has(name) && !isPersonalTextRef(field)) visible.push([name, withoutHiddenFields(field)]);
  return Object.fromEntries(visible);
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renames the id of an object to the name that it has in paths. */
const withNamedId = (value: unknown, name: string): unknown => {
  if (!isFields(value) || !('id' in value) || name in value) return value;
  const { id, ...rest } = value;
  return { [name]: id, ...rest };
};

/** Renames the id of a platform's refund, in a refund or in the result of one. */
const refundWithNamedId = (value: unknown): unknown =>
  isFields(value) && 'external' in value ? { ...value, external: withNamedId(value['external'], 'externalId') } : value;

/** Gives ids the names of the API's responses. Only for objects of this service: metadata and references stay. */
const withNamedIds = (data: Fields): Fields => {
  const { lines, parcel, refund, exchange } = data;
  return {
    ...(withNamedId(refundWithNamedId(data), 'returnId') as Fields),
    ...(Array.isArray(lines) && { lines: lines.map((line) => withNamedId(line, 'lineId')) }),
    ...(parcel !== undefined && { parcel: withNamedId(parcel, 'parcelId') }),
    ...(refund !== undefined && { refund: withNamedId(refundWithNamedId(refund), 'refundId') }),
    ...(exchange !== undefined && { exchange: withNamedId(exchange, 'exchangeId') }),
  };
};

/** Returns the data of an event without the fields that need access to its stream. */
export const publicData = (data: object): Record<string, unknown> => withNamedIds(withoutHiddenFields(data) as Fields);

/** The public data of an event. */
export type EventData = {
  readonly sequence: number;
  readonly actor: DomainEvent['actor'];
  readonly from?: Status | null;
  readonly to?: Status;
  readonly policyVersion?: string | null;
  /** The message that tells the event to the customer. */
  readonly messageName?: MessageName;
  readonly change: Readonly<Record<string, unknown>>;
};

/**
 * A structured CloudEvent. `sequence`, `partitionkey`, `correlationid` and `causationid` are documented extensions. A
 * receiver that needs the order of a subject's events sorts them by `sequence`.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
export type CloudEvent = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly time: Instant;
  readonly datacontenttype: 'application/json';
  /** Ten digits, so that it sorts as text. */
  readonly sequence: string;
  readonly partitionkey: string;
  readonly correlationid: string;
  readonly causationid: string;
  readonly data: EventData;
};

/** The origin of the events: `source` is a URI reference, `typePrefix` a reversed domain name. */
export type Origin = { readonly source: string; readonly typePrefix: string };

const timeLetters = 10;
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the id of an event. It is deterministic, and sorts by the time of the event.
 *
 * @param stream the partition key of its stream, such as `RETURN#ret_…`
 */
export const eventId = (stream: string, { sequence, at }: Pick<DomainEvent, 'sequence' | 'at'>): string => {
  const digest = Buffer.from(sha256([`${stream}/${sequence}`]), 'hex');
  const random = Array.from(digest.subarray(0, 16), (byte) => alphabet[byte % 32]).join('');
  return `evt_${encodeTime(Date.parse(at), timeLetters)}${random}`;
};

/** Whether a value is the id of an event. */
export const isEventId = (value: unknown): value is string =>
  typeof value === 'string' && /^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(value);

/** Returns the subject of a stream: `ret_…` of `RETURN#ret_…`. */
export const subjectOf = (stream: string): string => stream.slice(stream.indexOf('#') + 1);

/** Makes a CloudEvent of a domain event. The same domain event always gives the same bytes. */
export const cloudEvent = (stream: string, domainEvent: DomainEvent, { source, typePrefix }: Origin): CloudEvent => {
  const { sequence, type, at, actor, data, causationId, correlationId, from, to, policyVersion } = domainEvent;
  const subject = subjectOf(stream);
  const messageName = messageOf(type);
  return {
    specversion: '1.0',
    id: eventId(stream, domainEvent),
    source,
    type: `${typePrefix}.${type}`,
    subject,
    time: at,
    datacontenttype: 'application/json',
    sequence: String(sequence).padStart(10, '0'),
    partitionkey: subject,
    correlationid: correlationId,
    causationid: causationId,
    data: {
      sequence,
      actor: publicActor(actor),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(policyVersion !== undefined && { policyVersion }),
      ...(messageName !== undefined && { messageName }),
      change: publicData(data),
    },
  };
};
