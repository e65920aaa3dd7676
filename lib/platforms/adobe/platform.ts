import { ok, type Result } from '../../contract/result.ts';
import { authenticate } from './receive.ts';
import { changedSince as findChanges } from './changes.ts';
import type { RegisteredShop } from './api.ts';
import { fetchReturn } from './return.ts';
import { see } from './see.ts';
import { findAccess } from './access.ts';
import { translate } from './translate.ts';
import { idOf } from '../shared/fields/fields.ts';
import type { Prepared, Receiver, ShopFailure, Translator } from '../platform.ts';
import { readBridged } from './bridged.ts';
import { topics } from './topics.ts';
import { findShop } from '../shared/http/find-shop.ts';
import { permanent, unprepared } from '../shared/http/shop-failure.ts';

const registeredShop = async (source: string, deadline: number): Promise<Result<RegisteredShop, ShopFailure>> => {
  const access = await findShop(findAccess, source);
  return access.ok ? ok({ source, platform: access.value.orderPlatform, deadline }) : access;
};

const fromFailure = (failure: ShopFailure, early: boolean): Prepared => {
  // It was told of before the shop's database had it for good.
  if (early && failure.reason === 'shop_status_404') return { kind: 'retry', reason: 'not_committed_yet' };
  return unprepared(failure);
};

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const shop = await registeredShop(source, deadline);
  if (!shop.ok) return fromFailure(shop.failure, false);
  const seen = await see(shop.value, subject);
  if (!seen.ok) return fromFailure(seen.failure, subject.early);
  return seen.value ?? { kind: 'ignored', reason: 'nothing_refunded' };
};

const look: Translator['look'] = async (source, externalId, deadline) => {
  const shop = await registeredShop(source, deadline);
  if (!shop.ok) return shop;
  if (idOf(externalId) !== externalId) return permanent('return_unreadable');
  const read = await fetchReturn(shop.value, externalId);
  return read.ok ? ok(read.value.seen) : read;
};

const changedSince: NonNullable<Translator['changedSince']> = async (source, from, deadline) => {
  const shop = await registeredShop(source, deadline);
  return shop.ok ? findChanges(shop.value, from) : shop;
};

/**
 * Adobe Commerce, by Adobe I/O Events. Every event has an id of its own in its body. Commerce Webhooks
 * (`x-adobe-commerce-webhook-signature`) are not taken: a shop waits for their answer before it goes on.
 */
export const receiver: Receiver = {
  name: 'adobe',
  authenticate,
  bodyNamesEvent: () => true,
  readEvent: readBridged,
};

/** What they mean, with the REST API of Commerce for what they leave out. */
export const translator: Translator = {
  topics: () => topics,
  prepare,
  look,
  changedSince,
};
