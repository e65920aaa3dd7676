import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { findSource } from '../platforms/shared/http/sources.ts';
import { inboxConfig, erasureConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { errorName, log } from '../runtime/log.ts';
import type { Translator } from '../platforms/platform.ts';
import { nameDigest, readOrCreateNameKey } from '../store/inbox/inbox-names.ts';
import { isSettled, readDelivery, recordAttempt, settleDelivery } from '../store/inbox/inbox.ts';
import type { InboxRow } from '../store/inbox/inbox-row.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { cancelOrderTopic } from '../store/withdrawals/cancellation-work.ts';
import { maxNames, namesIn } from './names-in.ts';
import { readBody } from './row.ts';
import { runCancellation, runDelivery, type DeliveryOutcome } from './run-delivery.ts';
import type { InboxBackend } from './backend.ts';
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

/** Whether the message is processed. SQS redelivers the others. */
type Handled = 'consumed' | 'again';

const receivesOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount) || 1;

const retryDelivery = async (
  session: Session,
  record: SQSRecord,
  key: string,
  row: InboxRow,
  reason: string,
): Promise<Handled> => {
  const receives = receivesOf(record);
  const last = receives >= config().maxReceives;
  const digests = last ? await nameDigestsOf(session, row, 'failed') : undefined;
  const unsettled = await recordAttempt(session, row, last ? 'failed' : 'received', reason, digests);
  // Another worker has settled it meanwhile.
  if (!unsettled) return 'consumed';
  log(last ? 'error' : 'warn', last ? 'delivery failed' : 'delivery postponed', {
    key,
    traceId: row.traceId,
    reason,
    receives,
  });
  if (last) await deadLetter(record, reason, `failed after ${receives} receives`);
  else await postpone(record, backoffSeconds(receives));
  return last ? 'consumed' : 'again';
};

const settleMessage = async (
  session: Session,
  record: SQSRecord,
  key: string,
  row: InboxRow,
  conclusion: DeliveryOutcome,
): Promise<Handled> => {
  if (conclusion.status === 'retry') return retryDelivery(session, record, key, row, conclusion.reason);
  const nameDigests =
    conclusion.status === 'done' || conclusion.order !== undefined
      ? undefined
      : await nameDigestsOf(session, row, conclusion.status);
  const settlement = nameDigests === undefined ? conclusion : { ...conclusion, nameDigests };
  const settled = await settleDelivery(session, row, settlement, new Date().toISOString());
  const isParked = conclusion.status === 'parked';
  const message = settled ? (isParked ? 'delivery parked' : 'delivery settled') : 'delivery already settled';
  log(isParked ? 'warn' : 'info', message, {
    key,
    traceId: row.traceId,
    topic: row.topic,
    status: conclusion.status,
    ...(conclusion.status === 'done' ? { returnId: conclusion.returnId } : { reason: conclusion.reason }),
  });
  return 'consumed';
};

/** Runs a stored delivery, or the work of a withdrawal. */
const runRow = async (
  { backend, platforms }: ProcessorContext,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<DeliveryOutcome> => {
  if (row.topic === cancelOrderTopic) return runCancellation(backend, platforms, row, key, deadline);
  const platform = platforms[row.platform];
  return platform === undefined
    ? { status: 'parked', reason: 'platform_unknown' }
    : runDelivery(backend, platform, row, key, deadline);
};

const handleMessage = async (
  setting: ProcessorContext,
  session: Session,
  record: SQSRecord,
  deadline: number,
): Promise<Handled> => {
  const key = keyIn(record.body);
  if (key === undefined) {
    await deadLetter(record, 'message_invalid', 'the message has no delivery key');
    return 'consumed';
  }
  const row = await readDelivery(session, key);
  if (row === undefined) {
    await deadLetter(record, 'delivery_missing', 'no delivery has this key');
    return 'consumed';
  }
  if (isSettled(row)) return 'consumed';
  const conclusion = await runRow(setting, row, key, deadline).catch(
    (error: unknown): DeliveryOutcome => ({ status: 'retry', reason: `unexpected:${errorName(error)}` }),
  );
  return settleMessage(session, record, key, row, conclusion);
};

/** Processes a message. If the store or the queue fails, nothing can be stored, and SQS redelivers the message. */
const handleSafely = async (
  setting: ProcessorContext,
  session: Session,
  record: SQSRecord,
  deadline: number,
): Promise<Handled> => {
  try {
    return await handleMessage(setting, session, record, deadline);
  } catch (error) {
    const receives = receivesOf(record);
    log('error', 'delivery not processed', { messageId: record.messageId, receives, error: errorName(error) });
    await postpone(record, backoffSeconds(receives)).catch(() => undefined);
    return 'again';
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
    const handled = await Promise.all(
      event.Records.map((record) => handleSafely({ backend, platforms }, session, record, end - reserveMs)),
    );
    const batchItemFailures = event.Records.filter((_, index) => handled[index] === 'again').map(({ messageId }) => ({
      itemIdentifier: messageId,
    }));
    return { batchItemFailures };
  };
