import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { findSource } from '../platforms/shared/http/sources.ts';
import { inboxConfig, erasureConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { errorName, log } from '../../runtime/log.ts';
import type { Translator } from '../platforms/platform.ts';
import { nameDigest, readOrCreateNameKey } from '../../store/inbox/inbox-names.ts';
import { isSettled, readDelivery, recordAttempt, settleDelivery } from '../../store/inbox/inbox.ts';
import type { InboxRow } from '../../store/inbox/inbox-row.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { maxNames, namesIn } from './names-in.ts';
import type { Outcome } from './outcome.ts';
import { readBody } from './row.ts';
import { runDelivery } from './run-delivery.ts';
import type { InboxBackend } from '../../contract/inbox/sync.ts';
import { backoffSeconds, deadLetter, keyIn, postpone } from './queue.ts';

/** Time reserved before the function's timeout, to store the outcome of the attempt. */
const reserveMs = 8_000;
const config = configured(inboxConfig);
const erasure = configured(erasureConfig);

/** A shop may send very many deliveries that we ignore. Most of them name one person and one order. */
const maxDigests = { parked: maxNames, failed: maxNames, ignored: 3 };

/** A read of a body from the bucket takes two attempts of 1.5 s. */
const bodyMs = 3_000;

/**
 * Returns the platform under which orders of the delivery's shop are registered.
 * Without a readable secret, it returns the platform of the delivery.
 */
const platformOf = async ({ platform, source }: InboxRow, signal: AbortSignal): Promise<string> => {
  try {
    const found = await findSource(`api/${platform}`, source, (entry) => entry.orderPlatform(), { signal });
    return found ?? platform;
  } catch {
    // The reader of the secret logs what is wrong with it.
    return platform;
  }
};

/**
 * Returns digests of the names in the body of a delivery without a readable order.
 * An erasure finds the delivery by them. Undefined if the body has no name, or if the deployment does not erase
 * persons.
 */
const nameDigestsOf = async (
  session: Session,
  row: InboxRow,
  status: keyof typeof maxDigests,
): Promise<readonly string[] | undefined> => {
  if (!erasure().isErasing) return undefined;
  const bytes = await readBody(row, Date.now() + bodyMs);
  // Without its body, no erasure finds the delivery. The retention of the inbox deletes it.
  if (!bytes.ok) return undefined;
  const names = namesIn(bytes.value, row.topic).slice(0, maxDigests[status]);
  if (names.length === 0) return undefined;
  const [key, platform] = await Promise.all([readOrCreateNameKey(session), platformOf(row, session.signal)]);
  return [...new Set(names.map((name) => nameDigest(key, platform, name)))];
};

type ProcessorContext = {
  readonly backend: InboxBackend;
  readonly platforms: Readonly<Record<string, Translator>>;
};

const receivesOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount) || 1;

/** Stores a failed attempt. The last one goes to the dead-letter queue. Returns whether SQS must redeliver the message. */
const retryDelivery = async (
  session: Session,
  record: SQSRecord,
  key: string,
  row: InboxRow,
  reason: string,
): Promise<boolean> => {
  const receives = receivesOf(record);
  const last = receives >= config().maxReceives;
  const digests = last ? await nameDigestsOf(session, row, 'failed') : undefined;
  const unsettled = await recordAttempt(session, row, last ? 'failed' : 'received', reason, digests);
  // Another worker has settled it meanwhile.
  if (!unsettled) return false;
  log(last ? 'error' : 'warn', last ? 'delivery failed' : 'delivery postponed', {
    key,
    traceId: row.traceId,
    reason,
    receives,
  });
  if (last) await deadLetter(record, reason, `failed after ${receives} receives`);
  else await postpone(record, backoffSeconds(receives));
  return !last;
};

/** Stores the outcome of an attempt. Returns whether SQS must redeliver the message. */
const settleMessage = async (
  session: Session,
  record: SQSRecord,
  key: string,
  row: InboxRow,
  outcome: Outcome,
): Promise<boolean> => {
  if (outcome.status === 'retry') return retryDelivery(session, record, key, row, outcome.reason);
  const nameDigests =
    outcome.status === 'done' || outcome.order !== undefined
      ? undefined
      : await nameDigestsOf(session, row, outcome.status);
  const settlement = nameDigests === undefined ? outcome : { ...outcome, nameDigests };
  const settled = await settleDelivery(session, row, settlement, new Date().toISOString());
  const isParked = outcome.status === 'parked';
  const message = settled ? (isParked ? 'delivery parked' : 'delivery settled') : 'delivery already settled';
  log(isParked ? 'warn' : 'info', message, {
    key,
    traceId: row.traceId,
    topic: row.topic,
    status: outcome.status,
    ...(outcome.status === 'done' ? { returnId: outcome.returnId } : { reason: outcome.reason }),
  });
  return false;
};

/** Runs a stored delivery. */
const runRow = async (
  { backend, platforms }: ProcessorContext,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<Outcome> => {
  const platform = platforms[row.platform];
  return platform === undefined
    ? { status: 'parked', reason: 'platform_unknown' }
    : runDelivery(backend, platform, row, key, deadline);
};

/** Processes the delivery of a message. Returns whether SQS must redeliver the message. */
const handleMessage = async (
  context: ProcessorContext,
  session: Session,
  record: SQSRecord,
  deadline: number,
): Promise<boolean> => {
  const key = keyIn(record.body);
  if (key === undefined) {
    await deadLetter(record, 'message_invalid', 'the message has no delivery key');
    return false;
  }
  const row = await readDelivery(session, key);
  if (row === undefined) {
    await deadLetter(record, 'delivery_missing', 'no delivery has this key');
    return false;
  }
  if (isSettled(row)) return false;
  const outcome = await runRow(context, row, key, deadline).catch(
    (error: unknown): Outcome => ({ status: 'retry', reason: `unexpected:${errorName(error)}` }),
  );
  return settleMessage(session, record, key, row, outcome);
};

/**
 * Processes a message, and returns whether SQS must redeliver it.
 * If the store or the queue fails, nothing can be stored, and SQS redelivers the message.
 */
const handleSafely = async (
  context: ProcessorContext,
  session: Session,
  record: SQSRecord,
  deadline: number,
): Promise<boolean> => {
  try {
    return await handleMessage(context, session, record, deadline);
  } catch (error) {
    const receives = receivesOf(record);
    log('error', 'delivery not processed', { messageId: record.messageId, receives, error: errorName(error) });
    await postpone(record, backoffSeconds(receives)).catch(() => undefined);
    return true;
  }
};

/**
 * Processes the inbox queue.
 * SQS may deliver a message twice or to several workers. The idempotency key and the external reference make it one
 * return, and the row is settled once.
 *
 * @returns a handler for an event source with ReportBatchItemFailures
 */
export const processInbox = (backend: ProcessorContext['backend'], platforms: ProcessorContext['platforms']) =>
  async function processDeliveries(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    const end = Date.now() + context.getRemainingTimeInMillis();
    using session = openSession(end - 1_000);
    const isDueAgain = await Promise.all(
      event.Records.map((record) => handleSafely({ backend, platforms }, session, record, end - reserveMs)),
    );
    const batchItemFailures = event.Records.filter((_, index) => isDueAgain[index]).map(({ messageId }) => ({
      itemIdentifier: messageId,
    }));
    return { batchItemFailures };
  };
