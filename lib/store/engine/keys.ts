import { foldReference } from '../../contract/fold-reference.ts';
import type { OrderRef } from '../../domain/returns/model/order.ts';

export type Key = { readonly pk: string; readonly sk: string };

/** Encodes free text for a key: `#` separates the parts, so it must not occur in one. */
const part = encodeURIComponent;

export const returnKey = (returnId: string): Key => ({ pk: `RETURN#${returnId}`, sk: 'SNAPSHOT' });

/** Ten digits, so that sequences sort as text. */
export const entryKey = (returnId: string, sequence: number): Key => ({
  pk: `RETURN#${returnId}`,
  sk: `HISTORY#${String(sequence).padStart(10, '0')}`,
});

/** The domain events of a stream are in a partition of the stream: the outbox (lib/store/events/outbox.ts). */
export const domainEventKey = (stream: string, sequence: number): Key => ({
  pk: stream,
  sk: `HISTORY#${String(sequence).padStart(10, '0')}`,
});
/** The sequence up to which the events of a stream are published. */
export const publishedKey = (stream: string): Key => ({ pk: stream, sk: 'PROJECTED' });

/** Streams with events that no other list contains. */
export const unlistedPartition = 'UNLISTED';
export const unlistedKey = (stream: string): Key => ({ pk: unlistedPartition, sk: stream });

/** The partitions of all domain events. A row sorts as text by its last offset. */
export const eventPartition = (log: number) => `LOG#${String(log).padStart(2, '0')}`;
export const eventOffsetKey = (log: number): Key => ({ pk: eventPartition(log), sk: 'HEAD' });
export const eventRowKey = (log: number, position: number): Key => ({
  pk: eventPartition(log),
  sk: `AT#${String(position).padStart(12, '0')}`,
});

/** All webhook endpoints, read together. Their secrets and their deliveries have partitions of their own. */
export const endpointsPartition = 'ENDPOINTS';
export const endpointKey = (endpointId: string): Key => ({ pk: endpointsPartition, sk: endpointId });
/** Counts the created endpoints, so that concurrent creations cannot exceed the limit. */
export const createdEndpointsKey: Key = { pk: 'ENDPOINTSMADE', sk: 'COUNT' };
export const endpointSecretsKey = (endpointId: string): Key => ({ pk: `ENDPOINTSECRETS#${endpointId}`, sk: 'SECRETS' });
/** The stream of an endpoint's own events. */
export const endpointStream = (endpointId: string) => `ENDPOINT#${endpointId}`;
export const webhookDeliveriesPartition = (endpointId: string, partition: number) => `SENT#${endpointId}#${partition}`;

/** The progress of an endpoint in a group of partitions, and its blocked streams. */
export const subscriptionKey = (endpointId: string, group: number): Key => ({
  pk: `FEED#${endpointId}`,
  sk: `GROUP#${group}`,
});
export const blockedStreamsPartition = (endpointId: string, group: number) => `LANES#${endpointId}#${group}`;
export const blockedStreamKey = (endpointId: string, group: number, stream: string): Key => ({
  pk: blockedStreamsPartition(endpointId, group),
  sk: stream,
});

/** Returns the sequence in the key of an entry. */
export const sequenceOf = (sk: string): number => Number(sk.slice(sk.indexOf('#') + 1));

export const orderPartition = ({ platform, orderId }: OrderRef) => `ORDER#${platform}#${part(orderId)}`;
/** Returns the order of a partition. */
export const orderOfPartition = (partition: string): OrderRef => {
  const [, platform = '', orderId = ''] = partition.split('#');
  return { platform, orderId: decodeURIComponent(orderId) };
};
export const orderKey = (ref: OrderRef): Key => ({ pk: orderPartition(ref), sk: 'FACTS' });
/** Between the facts and the ledger, so that one query reads all three. */
export const originKey = (ref: OrderRef): Key => ({ pk: orderPartition(ref), sk: 'FROM' });
/** Leads from a number that customers know to the orders that have had it. Some shops show it with a `#`, some without. */
export const orderNumberPartition = (number: string) => `ORDERNUMBER#${part(foldReference(number).replace(/^#/, ''))}`;
export const orderNumberKey = (number: string, ref: OrderRef): Key => ({
  pk: orderNumberPartition(number),
  sk: orderPartition(ref),
});
export const ledgerKey = (ref: OrderRef): Key => ({ pk: orderPartition(ref), sk: 'LEDGER' });

/** Partitions of the indexes over returns (lib/store/engine/indexes.ts). */
export const customerPartition = (customerId: string) => `CUSTOMER#${part(customerId)}`;
export const openReturnsPartition = (partition: number) => `OPEN#${partition}`;
export const unsettledReturnsPartition = (partition: number) => `UNSETTLED#${partition}`;
export const returnsPartition = (partition: number) => `RETURNS#${partition}`;

/** What commands want at the shop of an order, and the lease of the worker that asks the shop. */
export const writeBackPartition = ({ platform, orderId }: OrderRef) => `WRITEBACK#${platform}#${part(orderId)}`;
export const isWriteBackPartition = (partition: string): boolean => partition.startsWith('WRITEBACK#');
export const intentKey = (ref: OrderRef, intentId: string): Key => ({
  pk: writeBackPartition(ref),
  sk: `INTENT#${intentId}`,
});
export const writeBackLeaseKey = (ref: OrderRef): Key => ({ pk: writeBackPartition(ref), sk: 'LEASE' });
/** What a shop may be asked to do, and what it was paid to refund on a day. */
export const writeBackSettingKey = (platform: string): Key => ({ pk: `WRITEBACKSETTING#${platform}`, sk: 'SETTING' });
export const dailyRefundsKey = (platform: string, day: string, currency: string): Key => ({
  pk: `WRITEBACKSETTING#${platform}`,
  sk: `DAY#${day}#${currency}`,
});
/** The streams of the events of an intent, and of the setting of a shop. */
export const intentStream = (intentId: string) => `INTENT#${intentId}`;
export const writeBackSettingStream = (platform: string) => `WRITEBACKSETTING#${platform}`;

/** The key of the digests that stand for addresses of mails. */
export const mailKeyItem: Key = { pk: 'MAILKEY', sk: 'KEY' };
/** The mail of an event. */
export const mailKey = (eventId: string): Key => ({ pk: `MAIL#${eventId}`, sk: 'MAIL' });
/** The mails of a day: of a mailbox, by its digest, and of the deployment. */
export const mailAddressKey = (digest: string, day: string, kind: string): Key => ({
  pk: `MAILADDRESS#${digest}`,
  sk: `DAY#${day}#${kind}`,
});
export const mailCountKey = (day: string, kind: string): Key => ({ pk: `MAILCOUNT#${day}`, sk: kind });
/** A command that an agent has rehearsed. */
export const confirmationKey = (id: string): Key => ({ pk: `AGENT#${id}`, sk: 'CONFIRMATION' });
/** The commands that the agents of a caller have sent in a minute. */
export const agentLimitKey = (digest: string, minute: number): Key => ({
  pk: `AGENTLIMIT#${digest}`,
  sk: `MINUTE#${minute}`,
});

/** Marks an address that gets no mails. */
export const stoppedAddressKey = (digest: string): Key => ({ pk: `MAILADDRESS#${digest}`, sk: 'STOPPED' });

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
export const trackingPartition = (trackingNumber: string) => `TRACKING#${part(foldReference(trackingNumber))}`;
export const trackingKey = (trackingNumber: string, returnId: string): Key => ({
  pk: trackingPartition(trackingNumber),
  sk: returnId,
});

/** @param owner the texts that identify the caller */
export const idempotencyKey = (owner: readonly string[], key: string): Key => ({
  pk: `IDEMPOTENCY#${[...owner, key].map(part).join('#')}`,
  sk: 'ANSWER',
});

/** The reasons that the shop has changed. */
export const reasonsKey: Key = { pk: 'REASONS', sk: 'CHANGED' };

/** Personal data: one partition for each person, so that an erasure deletes the partition. */
export const personPartition = (subject: string) => `PII#${part(subject)}`;
/** Returns the subject of a partition. */
export const subjectOfPartition = (partition: string): string => decodeURIComponent(partition.slice('PII#'.length));
export const personKey = (subject: string): Key => ({ pk: personPartition(subject), sk: 'CUSTOMER' });
export const textsPrefix = (returnId: string) => `RETURN#${returnId}#`;
export const textsKey = (subject: string, returnId: string, sequence: number, chunk: number): Key => ({
  pk: personPartition(subject),
  sk: `${textsPrefix(returnId)}${sequence}.${chunk}`,
});

/** Leads from the digest of a name or an e-mail address to the persons who have it. */
export const searchPartition = (digest: string) => `SEARCH#${digest}`;
export const searchKey = (digest: string, subject: string): Key => ({ pk: searchPartition(digest), sk: part(subject) });
/** Returns the subject to which a row of the search leads. */
export const subjectOfSearchKey = ({ sk }: Pick<Key, 'sk'>): string => decodeURIComponent(sk);

/** The names of a signed-in user: personal data of an employee, apart from that of customers. */
export const userNamesPartition = (userId: string) => `USER#${part(userId)}`;
export const userNameKey = (userId: string, digest: string): Key => ({
  pk: userNamesPartition(userId),
  sk: `NAME#${digest}`,
});
/** Returns the digest of the name in a row. */
export const digestOfUserNameKey = (sk: string): string => sk.slice('NAME#'.length);
/** All users who have sent a command, with the name of each. An erasure deletes the row of a user. */
export const usersPartition = 'USERS';
export const userKey = (userId: string): Key => ({ pk: usersPartition, sk: part(userId) });
/** Returns the id of the user in a key. */
export const userIdOfKey = (sk: string): string => decodeURIComponent(sk);
/** The returns of an assignee: those with work, and the others. */
export const assigneePartition = (userId: string, hasWork: boolean) =>
  `${hasWork ? 'ASSIGNED' : 'DONE'}#${part(userId)}`;
/** The salt of the digests of a user's names. It is apart: a command may make it, and may read no name. */
export const userSaltKey = (userId: string): Key => ({ pk: `USERSALT#${part(userId)}`, sk: 'SALT' });

/** Returns the return and the entry of a row of texts. */
export const parseTextsKey = (sk: string): { readonly returnId: string; readonly sequence: number } => {
  const [, returnId = '', position = ''] = sk.split('#');
  return { returnId, sequence: Number.parseInt(position, 10) };
};

/**
 * The last entry whose texts are erased. It is not in the return's partition, so that an erasure cannot write a return.
 */
export const erasedKey = (returnId: string): Key => ({ pk: `ERASED#${returnId}`, sk: 'TEXTS' });

/** A withdrawal, its history, and its partitions in the indexes. */
export const withdrawalKey = (withdrawalId: string): Key => ({ pk: `WITHDRAWAL#${withdrawalId}`, sk: 'SNAPSHOT' });
/** The search for the order of a withdrawal. */
export const orderSearchKey = (withdrawalId: string): Key => ({ pk: `WITHDRAWAL#${withdrawalId}`, sk: 'SEARCH' });
/** Returns the withdrawal of a partition. */
export const withdrawalOfPartition = (partition: string): string => partition.slice(partition.indexOf('#') + 1);
export const withdrawalsPartition = (partition: number) => `WITHDRAWALS#${partition}`;
/** Markers by which an equal declaration, or the same fact of a platform, finds the first withdrawal. */
export const declarationMarkerKey = (digest: string): Key => ({ pk: `DECLARED#${digest}`, sk: 'MARKER' });
export const declarationSourceKey = (source: { readonly platform: string; readonly externalId: string }): Key => ({
  pk: `DECLARED#${source.platform}#${part(source.externalId)}`,
  sk: 'MARKER',
});
const withdrawalLinkPrefix = 'WITHDRAWAL#';
/** Leads from a person to a withdrawal that staff matched to an order of the person. */
export const withdrawalLinkKey = (subject: string, withdrawalId: string): Key => ({
  pk: personPartition(subject),
  sk: `${withdrawalLinkPrefix}${withdrawalId}`,
});
/** Returns the withdrawal that a row of a person leads to; undefined for another row. */
export const withdrawalOfLink = (sk: string): string | undefined =>
  sk.startsWith(withdrawalLinkPrefix) ? sk.slice(withdrawalLinkPrefix.length) : undefined;

const orderLinkPrefix = 'ORDER#';
/** Leads from a customer of a shop to one of their orders. */
export const orderLinkKey = (subject: string, { orderId }: OrderRef): Key => ({
  pk: personPartition(subject),
  sk: `${orderLinkPrefix}${part(orderId)}`,
});
/** Returns the id of the order that a row of a person leads to; undefined for another row. */
export const orderIdOfLink = (sk: string): string | undefined =>
  sk.startsWith(orderLinkPrefix) ? decodeURIComponent(sk.slice(orderLinkPrefix.length)) : undefined;

/** Decisions by day and partition, so that a day is read in pieces. Both follow from the id. */
export const decisionPartition = (day: string, partition: number) => `DECISIONS#${day}#${partition}`;
export const decisionKey = (day: string, partition: number, id: string): Key => ({
  pk: decisionPartition(day, partition),
  sk: id,
});

/** All policies with their published versions. Every decision reads the whole item. */
export const catalogueKey: Key = { pk: 'POLICIES', sk: 'CATALOGUE' };
export const policyPartition = (policyId: string) => `POLICY#${policyId}`;
/** Ten digits, so that versions sort as text. */
export const policyVersionKey = (policyId: string, version: number): Key => ({
  pk: policyPartition(policyId),
  sk: `VERSION#${String(version).padStart(10, '0')}`,
});

/** A job, the draft that it compares, and its partitions, which are read with it. */
export const jobPartition = (jobId: string) => `JOB#${jobId}`;
/** All jobs, in the index byCreation. */
export const jobsPartition = 'JOBS';
/** The open jobs of a caller, by their kind. */
export const openJobsKey = (owner: readonly string[], kind: string): Key => ({
  pk: `OPENJOBS#${owner.map(part).join('#')}`,
  sk: kind,
});
export const jobDraftKey = (jobId: string): Key => ({ pk: jobPartition(jobId), sk: 'DRAFT' });
export const jobKey = (jobId: string): Key => ({ pk: jobPartition(jobId), sk: 'JOB' });
export const jobPartitionItemKey = (jobId: string, partition: number): Key => ({
  pk: jobPartition(jobId),
  sk: `PART#${partition}`,
});

/** The progress of a schedule, by its name. */
export const scheduleKey = (name: string): Key => ({ pk: `SCHEDULE#${name}`, sk: 'CURSOR' });

/**
 * The counted contribution of a return. It is not in the return's partition, so that the counter cannot write a return.
 */
export const countedKey = (returnId: string): Key => ({ pk: `COUNTED#${returnId}`, sk: 'RETURN' });
/** Counters of one dimension, by period and value. A value is free text, but comes last. */
export const counterPartition = (dimension: string, partition: number) => `STATS#${dimension}#${partition}`;
/** The time of the newest counted change, by partition. */
export const newestChangesPartition = 'STATS#NEWEST';
export const newestChangeKey = (partition: number): Key => ({ pk: newestChangesPartition, sk: String(partition) });
/** The progress of the recount, for each partition of the index. */
export const recountKey = (partition: string): Key => ({ pk: 'RECOUNT', sk: partition });
/** The stream of the event of a published tree, by the time the tree was begun. */
export const anchorStream = (at: string) => `ANCHOR#${at}`;
/** The stream of the event of a day. */
export const summaryStream = (day: string) => `SUMMARY#${day}`;
