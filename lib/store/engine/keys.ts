import type { OrderRef } from '../../returns/model/order.ts';
import type { Status } from '../../returns/model/status.ts';

export type Key = { readonly pk: string; readonly sk: string };

/** Free text inside a key: `#` separates the parts, so it must not occur in one. */
const part = encodeURIComponent;

export const returnKey = (returnId: string): Key => ({ pk: `RETURN#${returnId}`, sk: 'SNAPSHOT' });

/** Sequences sort as text: ten digits. */
export const entryKey = (returnId: string, sequence: number): Key => ({
  pk: `RETURN#${returnId}`,
  sk: `HISTORY#${String(sequence).padStart(10, '0')}`,
});

/** What happened to any subject stands in the subject's own partition, its place: the outbox (lib/store/events/outbox.ts). */
export const domainEventKey = (place: string, sequence: number): Key => ({
  pk: place,
  sk: `HISTORY#${String(sequence).padStart(10, '0')}`,
});
/** Up to where the happenings of a place stand in its log. */
export const publishedKey = (place: string): Key => ({ pk: place, sk: 'PROJECTED' });

/** Places that no list leads to, and of which something was told: each by itself. */
export const unlistedPartition = 'UNLISTED';
export const unlistedKey = (place: string): Key => ({ pk: unlistedPartition, sk: place });

/** The logs of all happenings: rows by the last position in them, which sort as text. */
export const eventPartition = (log: number) => `LOG#${String(log).padStart(2, '0')}`;
export const eventOffsetKey = (log: number): Key => ({ pk: eventPartition(log), sk: 'HEAD' });
export const eventRowKey = (log: number, position: number): Key => ({
  pk: eventPartition(log),
  sk: `AT#${String(position).padStart(12, '0')}`,
});

/** All webhook endpoints, read together; their secrets apart, and what each of them was sent. */
export const endpointsPartition = 'ENDPOINTS';
export const endpointKey = (endpointId: string): Key => ({ pk: endpointsPartition, sk: endpointId });
/** Counts the endpoints that were made, so that of two that would be one too many one is. */
export const createdEndpointsKey: Key = { pk: 'ENDPOINTSMADE', sk: 'COUNT' };
export const endpointSecretsKey = (endpointId: string): Key => ({ pk: `ENDPOINTSECRETS#${endpointId}`, sk: 'SECRETS' });
/** The place of what happens to an endpoint itself. */
export const endpointStream = (endpointId: string) => `ENDPOINT#${endpointId}`;
export const webhookDeliveriesPartition = (endpointId: string, shard: number) => `SENT#${endpointId}#${shard}`;

/** How far an endpoint is in a group of logs; and the places of which an event failed, each with what waits for it. */
export const subscriptionKey = (endpointId: string, group: number): Key => ({
  pk: `FEED#${endpointId}`,
  sk: `GROUP#${group}`,
});
export const blockedStreamsPartition = (endpointId: string, group: number) => `LANES#${endpointId}#${group}`;
export const blockedStreamKey = (endpointId: string, group: number, place: string): Key => ({
  pk: blockedStreamsPartition(endpointId, group),
  sk: place,
});

/** The sequence that the key of an entry stands for. */
export const sequenceOf = (sk: string): number => Number(sk.slice(sk.indexOf('#') + 1));

export const orderPartition = ({ platform, orderId }: OrderRef) => `ORDER#${platform}#${part(orderId)}`;
/** The order whose partition it is. */
export const orderOfPartition = (partition: string): OrderRef => {
  const [, platform = '', orderId = ''] = partition.split('#');
  return { platform, orderId: decodeURIComponent(orderId) };
};
export const orderKey = (ref: OrderRef): Key => ({ pk: orderPartition(ref), sk: 'FACTS' });
export const ledgerKey = (ref: OrderRef): Key => ({ pk: orderPartition(ref), sk: 'LEDGER' });

/** Partitions of the indexes over returns (lib/store/engine/indexes.ts). */
export const customerPartition = (customerId: string) => `CUSTOMER#${part(customerId)}`;
export const statusPartition = (status: Status, shard: number) => `STATUS#${status}#${shard}`;
export const returnsPartition = (shard: number) => `RETURNS#${shard}`;

/** A recorded refund: sorts after FACTS and LEDGER, which are read together. */
export const refundKey = (ref: OrderRef, externalId: string): Key => ({
  pk: orderPartition(ref),
  sk: `REFUND#${part(externalId)}`,
});

/** Markers: an item that exists once makes its key unique. */
export const externalRefKey = (ref: { readonly platform: string; readonly id: string }): Key => ({
  pk: `EXTERNAL#${ref.platform}#${part(ref.id)}`,
  sk: 'MARKER',
});
export const rmaKey = (rmaNumber: string): Key => ({ pk: `RMA#${rmaNumber}`, sk: 'MARKER' });

/** A parcel's tracking number: several returns may share one, each has its row. */
export const trackingPartition = (trackingNumber: string) => `TRACKING#${part(trackingNumber)}`;
export const trackingKey = (trackingNumber: string, returnId: string): Key => ({
  pk: trackingPartition(trackingNumber),
  sk: returnId,
});

export const idempotencyKey = (clientId: string, key: string): Key => ({
  pk: `IDEMPOTENCY#${part(clientId)}#${part(key)}`,
  sk: 'ANSWER',
});

/** What the shop has changed of the reasons. */
export const reasonsKey: Key = { pk: 'REASONS', sk: 'CHANGED' };

/** Personal data: one partition a person, so that erasing it is erasing the partition. */
export const personPartition = (subject: string) => `PII#${part(subject)}`;
/** The subject whose partition it is. */
export const subjectOfPartition = (partition: string): string => decodeURIComponent(partition.slice('PII#'.length));
export const personKey = (subject: string): Key => ({ pk: personPartition(subject), sk: 'CUSTOMER' });
export const textsPrefix = (returnId: string) => `RETURN#${returnId}#`;
export const textsKey = (subject: string, returnId: string, sequence: number, chunk: number): Key => ({
  pk: personPartition(subject),
  sk: `${textsPrefix(returnId)}${sequence}.${chunk}`,
});

/** Of which return and of which entry the texts of a row are. */
export const parseTextsKey = (sk: string): { readonly returnId: string; readonly sequence: number } => {
  const [, returnId = '', place = ''] = sk.split('#');
  return { returnId, sequence: Number.parseInt(place, 10) };
};

/** Up to which entry the texts of a return are erased: apart from the return, so that who erases can write none. */
export const erasedKey = (returnId: string): Key => ({ pk: `ERASED#${returnId}`, sk: 'TEXTS' });

/** Decisions by the day and a shard, so that one day's are read in pieces; both follow from the id. */
export const decisionPartition = (day: string, shard: number) => `DECISIONS#${day}#${shard}`;
export const decisionKey = (day: string, shard: number, id: string): Key => ({
  pk: decisionPartition(day, shard),
  sk: id,
});

/** All policies with what is published of them, read whole by every decision. */
export const catalogueKey: Key = { pk: 'POLICIES', sk: 'CATALOGUE' };
export const policyPartition = (policyId: string) => `POLICY#${policyId}`;
/** Versions sort as text: ten digits. */
export const policyVersionKey = (policyId: string, version: number): Key => ({
  pk: policyPartition(policyId),
  sk: `VERSION#${String(version).padStart(10, '0')}`,
});

/** A job, the draft that it compares, and its parts, which are read together with it. */
export const jobPartition = (jobId: string) => `JOB#${jobId}`;
/** All jobs, in the index byCreation. */
export const jobsPartition = 'JOBS';
/** The open jobs of a client, by their kind. */
export const openJobsKey = (clientId: string, kind: string): Key => ({ pk: `OPENJOBS#${part(clientId)}`, sk: kind });
export const jobDraftKey = (jobId: string): Key => ({ pk: jobPartition(jobId), sk: 'DRAFT' });
export const jobKey = (jobId: string): Key => ({ pk: jobPartition(jobId), sk: 'JOB' });
export const jobPartitionItemKey = (jobId: string, shard: number): Key => ({
  pk: jobPartition(jobId),
  sk: `PART#${shard}`,
});

/** How far a schedule has come, by its name. */
export const scheduleKey = (name: string): Key => ({ pk: `SCHEDULE#${name}`, sk: 'CURSOR' });

/** What of a return stands in the counters: beside the returns, so that who counts can write none of them. */
export const countedKey = (returnId: string): Key => ({ pk: `COUNTED#${returnId}`, sk: 'RETURN' });
/** Counters of one dimension, by period and value: a value is free text, but comes last. */
export const counterPartition = (dimension: string, shard: number) => `STATS#${dimension}#${shard}`;
/** Of what time the newest change is that was counted, by whoever counts. */
export const newestChangesPartition = 'STATS#NEWEST';
export const newestChangeKey = (shard: number): Key => ({ pk: newestChangesPartition, sk: String(shard) });
/** Up to where it was checked that returns are counted, in each partition of the index that leads there. */
export const recountKey = (partition: string): Key => ({ pk: 'RECOUNT', sk: partition });
/** The place of what is told of the tree that was begun at a time. */
export const anchorStream = (at: string) => `ANCHOR#${at}`;
/** The place of what is told of a day. */
export const summaryStream = (day: string) => `SUMMARY#${day}`;
