import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Receiver, AwsDelivery } from '../platforms/platform.ts';
import { findSource, fetchSourceNames } from '../platforms/shared/http/sources.ts';
import { platformsConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { isObject, type JsonObject, parseObject } from '../../runtime/json.ts';
import { errorName, log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { SecretUnavailable } from '../../access/secrets/secret.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { storeAndEnqueue } from './store-and-enqueue.ts';

/*
 * Finds messages of other customers in the events queue. The platform sends all messages as one AWS user, so every
 * project of its customers may write to the queue. Messages of other projects are not our failure.
 */

/** The minimum interval between reads of the secret for unknown sources. */
const intervalMs = 10_000;

type SourceCheck = { readonly at: number; readonly names: ReadonlySet<string> };

/** The sources in the secret at an instant, by platform. */
const sourceChecks = perContainer(() => new Map<string, SourceCheck>());
/** Running reads, shared by the messages of a batch. */
const underway = perContainer(() => new Map<string, Promise<SourceCheck | undefined>>());

const readSourceCheck = async (platform: string, signal: AbortSignal): Promise<SourceCheck | undefined> => {
  const at = Date.now();
  const names = await fetchSourceNames(`webhooks/${platform}`, signal);
  if (names === undefined) return undefined;
  const check = { at, names: new Set(names.map((name) => name.toLowerCase())) };
  sourceChecks().set(platform, check);
  return check;
};

const shareSourceCheck = async (platform: string, signal: AbortSignal): Promise<SourceCheck | undefined> => {
  const reads = underway();
  const reading = reads.get(platform) ?? readSourceCheck(platform, signal).finally(() => reads.delete(platform));
  reads.set(platform, reading);
  return reading;
};

/**
 * Whether a source belongs to another customer.
 * The secret must be read after the message was sent, because a shop is added before it is subscribed. Undefined until
 * the secret is read after that time.
 *
 * @param sentAt epoch milliseconds
 */
const isForeign = async (
  { platform, source, sentAt }: { readonly platform: string; readonly source: string; readonly sentAt: number },
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  const known = sourceChecks().get(platform);
  const name = source.toLowerCase();
  if (known !== undefined && known.at >= sentAt) return !known.names.has(name);
  if (known !== undefined && Date.now() - known.at < intervalMs) return undefined;
  const check = await shareSourceCheck(platform, signal);
  return check !== undefined && check.at >= sentAt ? !check.names.has(name) : undefined;
};

/*
 * Deliveries by AWS: events of a platform's event bus, one per invocation, and messages of a platform's queue. Only AWS
 * can send them, so they have no signature. Messages of other customers are dropped and counted. Nothing else is
 * dropped. A delivery that no platform accepts fails, because a corrected secret or setting makes it succeed. A failed
 * event is retried twice, a failed message as often as its queue allows. Then both go to the dead-letter queue, which
 * raises an alarm. A redrive to the events queue ingests them again. A failed event is read from the record that Lambda
 * writes.
 */

/** Time reserved before the function's timeout, to report the outcome. */
const reserveMs = 1_000;

/** Thrown so that Lambda retries an event and finally dead-letters it. */
class EventNotTaken extends Error {
  override readonly name = 'EventNotTaken';
}

type Receivers = Readonly<Record<string, Receiver>>;
type MatchedDelivery = { readonly platform: Receiver; readonly awsDelivery: AwsDelivery };

const config = configured(platformsConfig);

/** Returns the enabled platform that recognises the delivery. */
const matchDelivery = (
  receivers: Receivers,
  read: (platform: Receiver) => AwsDelivery | undefined,
): MatchedDelivery | undefined => {
  for (const name of config().enabled) {
    const platform = Object.hasOwn(receivers, name) ? receivers[name] : undefined;
    const awsDelivery = platform === undefined ? undefined : read(platform);
    if (platform !== undefined && awsDelivery !== undefined) return { platform, awsDelivery };
  }
  return undefined;
};

/** Whether a source is in the cached secret, or with `fresh` in the secret read again. */
const isKnown = async (
  { platform, awsDelivery }: MatchedDelivery,
  signal: AbortSignal,
  fresh = false,
): Promise<boolean> =>
  (await findSource(`webhooks/${platform.name}`, awsDelivery.delivery.source, () => true, { fresh, signal })) ?? false;

/** Whether a source is ours. Reads the secret again before it returns false, because the source may be new. */
const isOurs = async (claim: MatchedDelivery, signal: AbortSignal): Promise<boolean> =>
  (await isKnown(claim, signal)) || isKnown(claim, signal, true);

const ingestDelivery = async (session: Session, claim: MatchedDelivery | undefined): Promise<void> => {
  if (claim === undefined) throw new EventNotTaken('no_platform_takes_it');
  const { platform, awsDelivery } = claim;
  if (!(await isOurs(claim, session.signal))) throw new EventNotTaken('unknown_source');
  await storeAndEnqueue(session, platform, awsDelivery.delivery, {
    body: awsDelivery.body,
    headers: {},
    traceId: newTraceId(),
  });
};

const reasonOf = (error: unknown): string => {
  if (error instanceof EventNotTaken) return error.message;
  return error instanceof SecretUnavailable ? error.reason : errorName(error);
};

/**
 * Reads a failed event from the record that Lambda writes about it.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
const readFailedEvent = (body: string): JsonObject | undefined => {
  const { requestContext, requestPayload } = parseObject(body) ?? {};
  return isObject(requestContext) && isObject(requestPayload) ? requestPayload : undefined;
};

/** Matches a message to a platform. Distinguishes a message of the platform from a failed event of Lambda. */
const matchMessage = (receivers: Receivers, body: string): { claim: MatchedDelivery | undefined; isSent: boolean } => {
  const event = readFailedEvent(body);
  return event === undefined
    ? { claim: matchDelivery(receivers, (platform) => platform.readMessage?.(body)), isSent: true }
    : { claim: matchDelivery(receivers, (platform) => platform.readEvent?.(event)), isSent: false };
};

/** Drops a message of another customer. Returns whether it did. */
const dropForeign = async (
  { platform, awsDelivery }: MatchedDelivery,
  { messageId, attributes }: SQSRecord,
  signal: AbortSignal,
): Promise<boolean> => {
  const { source } = awsDelivery.delivery;
  const sentAt = Number(attributes.SentTimestamp);
  if ((await isForeign({ platform: platform.name, source, sentAt }, signal)) !== true) return false;
  log('warn', 'message dropped', { messageId, platform: platform.name, reason: 'unknown_source' });
  count({ ForeignMessages: 1 });
  return true;
};

const ingestMessage = async (receivers: Receivers, session: Session, record: SQSRecord): Promise<boolean> => {
  const { body, messageId } = record;
  try {
    const { claim, isSent } = matchMessage(receivers, body);
    const isDropped =
      isSent &&
      claim !== undefined &&
      !(await isKnown(claim, session.signal)) &&
      (await dropForeign(claim, record, session.signal));
    if (!isDropped) await ingestDelivery(session, claim);
    return true;
  } catch (error) {
    log('error', 'message not ingested', { messageId, reason: reasonOf(error) });
    return false;
  }
};

const ingestEvent = async (receivers: Receivers, session: Session, event: JsonObject): Promise<void> => {
  try {
    await ingestDelivery(
      session,
      matchDelivery(receivers, (platform) => platform.readEvent?.(event)),
    );
  } catch (error) {
    const { id } = event;
    log('error', 'event not ingested', { eventId: typeof id === 'string' ? id : undefined, reason: reasonOf(error) });
    throw error instanceof EventNotTaken ? error : new EventNotTaken(reasonOf(error), { cause: error });
  }
};

const isBatch = (event: JsonObject | SQSEvent): event is SQSEvent => 'Records' in event && Array.isArray(event.Records);

/**
 * Ingests deliveries from EventBridge and SQS: stores and enqueues them, like webhooks over HTTP.
 *
 * @returns a handler for asynchronous invocations and for an event source with ReportBatchItemFailures
 */
export const ingestEvents = (receivers: Receivers) =>
  async function receiveWhatCame(
    event: JsonObject | SQSEvent,
    { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse | undefined> {
    using session = openSession(Date.now() + getRemainingTimeInMillis() - reserveMs);
    if (!isBatch(event)) {
      await ingestEvent(receivers, session, event);
      return undefined;
    }
    const taken = await Promise.all(event.Records.map((record) => ingestMessage(receivers, session, record)));
    const failed = event.Records.filter((_, index) => taken[index] !== true);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
