import { encodeTime } from 'ulid';
import { sha256 } from '../returns/history/sha256.ts';
import type { Instant } from '../returns/model/order.ts';
import type { Status } from '../returns/model/status.ts';
import type { Happening } from './happening.ts';
import { publicData } from './public-data.ts';

/** What happened, as everybody is told of it. */
export type EventData = {
  readonly sequence: number;
  readonly actor: { readonly clientId: string };
  readonly from?: Status | null;
  readonly to?: Status;
  readonly policyVersion?: string | null;
  readonly change: Readonly<Record<string, unknown>>;
};

/**
 * A structured CloudEvent. `sequence` and `partitionkey`, `correlationid` and `causationid` are documented extensions:
 * who needs the order of a subject's events sorts them by `sequence`.
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

/** Whose events these are: `source` is a URI reference, `typePrefix` a reversed domain name. */
export type Origin = { readonly source: string; readonly typePrefix: string };

const timeLetters = 10;
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The id of an event: the same each time, since it follows from what happened; it sorts by its time.
 *
 * @param place the partition that keeps it, such as `RETURN#ret_…`
 */
export const eventId = (place: string, { sequence, at }: Pick<Happening, 'sequence' | 'at'>): string => {
  const digest = Buffer.from(sha256([`${place}/${sequence}`]), 'hex');
  const random = Array.from(digest.subarray(0, 16), (byte) => alphabet[byte % 32]).join('');
  return `evt_${encodeTime(Date.parse(at), timeLetters)}${random}`;
};

/** What a place tells of: `ret_…` of `RETURN#ret_…`. */
export const subjectOf = (place: string): string => place.slice(place.indexOf('#') + 1);

/** A happening as an event. The same happening always makes the same bytes. */
export const cloudEvent = (place: string, happening: Happening, { source, typePrefix }: Origin): CloudEvent => {
  const { sequence, type, at, actor, data, causationId, correlationId, from, to, policyVersion } = happening;
  const subject = subjectOf(place);
  return {
    specversion: '1.0',
    id: eventId(place, happening),
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
      actor: { clientId: actor.clientId },
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(policyVersion !== undefined && { policyVersion }),
      change: publicData(data),
    },
  };
};
