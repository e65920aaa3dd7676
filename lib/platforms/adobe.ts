import { fail, ok, type Result } from '../contract/result.ts';
import { authenticate } from './adobe/receive.ts';
import { findChanges } from './adobe/changes.ts';
import type { Context } from './adobe/rest.ts';
import { fetchReturn } from './adobe/return.ts';
import { see } from './adobe/see.ts';
import { findShop } from './adobe/shops.ts';
import { translate } from './adobe/translate.ts';
import type { Prepared, Receiver, ShopFailure, Translator } from './platform.ts';
import { readBridged } from './adobe/bridged.ts';
import { topics } from './adobe/topics.ts';
import { unprepared } from './unprepared.ts';
import { idOf } from './adobe/values.ts';

const contextOf = async (source: string, deadline: number): Promise<Result<Context, ShopFailure>> => {
  const shop = await findShop(source);
  return shop === undefined
    ? fail({ kind: 'permanent', reason: 'unknown_source' })
    : ok({ source, platform: shop.platform, deadline });
};

const fromFailure = (failure: ShopFailure, early: boolean): Prepared => {
  // It was told of before the shop's database had it for good.
  if (early && failure.reason === 'shop_status_404') return { kind: 'retry', reason: 'not_committed_yet' };
  return unprepared(failure);
};

const prepare: Translator['prepare'] = async ({ source, topic, body }, deadline) => {
  const subject = translate(topic, body);
  if (subject.kind === 'parked' || subject.kind === 'ignored') return subject;
  const context = await contextOf(source, deadline);
  if (!context.ok) return fromFailure(context.failure, false);
  const seen = await see(context.value, subject);
  if (!seen.ok) return fromFailure(seen.failure, subject.early);
  return seen.value ?? { kind: 'ignored', reason: 'nothing_refunded' };
};

const look: Translator['look'] = async (source, externalId, deadline) => {
  const context = await contextOf(source, deadline);
  if (!context.ok) return context;
  if (idOf(externalId) !== externalId) return fail({ kind: 'permanent', reason: 'return_unreadable' });
  const read = await fetchReturn(context.value, externalId);
  return read.ok ? ok(read.value.seen) : read;
};

const changedSince: NonNullable<Translator['changedSince']> = async (source, from, deadline) => {
  const context = await contextOf(source, deadline);
  return context.ok ? findChanges(context.value, from) : context;
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
  topics: topics,
  prepare,
  look,
  changedSince,
};
