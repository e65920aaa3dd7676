import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import {
  type Prepared,
  type Receiver,
  type ShopFailure,
  type AwsDelivery,
  type Translator,
  permanentFailure,
  toPrepared,
} from '../platform.ts';
import { idOf } from '../shared/fields/fields.ts';
import { findShop } from '../shared/http/api.ts';
import { findApiCredentials, type RegisteredShop } from './api.ts';
import { fetchChanges as findChanges } from './changes.ts';
import { readEnvelope, topics, translate } from './envelope.ts';
import { authenticate } from './authenticate.ts';
import { fetchReturn } from './return.ts';
import { fetchSnapshot } from './fetch-snapshot.ts';

/** Matches Adobe's name as an AWS partner, for any of its services. */
const partner = /^aws\.partner\/adobe[\w.-]*\//;

/**
 * Reads an event from EventBridge.
 * The envelope is its `detail`, or the `event` in it, as in Adobe's journal. Only its recipient names the shop, so the
 * secret names such a shop by its client id.
 * https://developer.adobe.com/events/docs/guides/amazon_eventbridge/
 */
export const readEventBridgeDelivery = ({ source, detail }: JsonObject): AwsDelivery | undefined => {
  // Only the AWS partner itself can send from such a source.
  if (typeof source !== 'string' || !partner.test(source) || !isObject(detail)) return undefined;
  const body = Buffer.from(JSON.stringify(isObject(detail['event']) ? detail['event'] : detail));
  const envelope = readEnvelope(body, {});
  if (envelope.kind !== 'event') return undefined;
  const [recipient, ...others] = new Set(envelope.recipients);
  if (recipient === undefined || others.length > 0) return undefined;
  return { delivery: { source: recipient, ...envelope.delivery }, body };
};

const registeredShop = async (source: string, deadline: number): Promise<Result<RegisteredShop, ShopFailure>> => {
  const access = await findShop(findApiCredentials, source);
  return access.ok ? ok({ source, platform: access.value.orderPlatform, deadline }) : access;
};

const preparedFromFailure = (failure: ShopFailure, early: boolean): Prepared => {
  // The event was sent before the shop's database committed.
  if (early && failure.reason === 'shop_status_404') return { kind: 'retry', reason: 'not_committed_yet' };
  return toPrepared(failure);
};

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const shop = await registeredShop(source, deadline);
  if (!shop.ok) return preparedFromFailure(shop.failure, false);
  const snapshot = await fetchSnapshot(shop.value, subject);
  if (!snapshot.ok) return preparedFromFailure(snapshot.failure, subject.early);
  return snapshot.value ?? { kind: 'ignored', reason: 'nothing_refunded' };
};

const refetchReturn: Translator['refetchReturn'] = async (source, externalId, deadline) => {
  const shop = await registeredShop(source, deadline);
  if (!shop.ok) return shop;
  if (idOf(externalId) !== externalId) return permanentFailure('return_unreadable');
  const read = await fetchReturn(shop.value, externalId);
  return read.ok ? ok(read.value.remote) : read;
};

const fetchChanges: NonNullable<Translator['fetchChanges']> = async (source, from, deadline) => {
  const shop = await registeredShop(source, deadline);
  return shop.ok ? findChanges(shop.value, from) : shop;
};

/**
 * Receives events of Adobe Commerce through Adobe I/O Events.
 * The body of every event has its id. Commerce Webhooks (`x-adobe-commerce-webhook-signature`) are not accepted,
 * because a shop waits for their response before it continues.
 */
export const receiver: Receiver = {
  name: 'adobe',
  authenticate,
  bodyNamesEvent: () => true,
  readEvent: readEventBridgeDelivery,
};

/** Translates the events, and reads the missing state from the REST API of Commerce. */
export const translator: Translator = {
  topics: () => topics,
  prepare,
  refetchReturn,
  fetchChanges,
};
