import { decimalText } from '../../../../domain/money/decimal.ts';
import type { JsonObject } from '../../../../runtime/json.ts';
import { ok, type Result } from '../../../../runtime/result.ts';
import type { Effect, Sent, Sight, Wanted } from '../../effect.ts';
import { type ShopFailure, permanentFailure } from '../../platform.ts';
import { idOf } from '../fields/fields.ts';
import type { Shop } from '../http/api.ts';

/** The comparison of a shop's state with the wanted one: a sight with the request to send, and without its call. */
export type Plan<Request> =
  | Exclude<Sight, { readonly kind: 'open' }>
  | { readonly kind: 'open'; readonly request: Request; readonly seen?: JsonObject };

export type Blocked = Extract<Sight, { readonly kind: 'blocked' }>;

/** Returns a plan for people. `seen` has ids, amounts and states. */
export const blocked = (reason: string, seen?: JsonObject): Blocked => ({
  kind: 'blocked',
  reason,
  ...(seen !== undefined && { seen }),
});

/** How a shop is asked for an effect: by a comparison that only reads, and by a request. */
type Steps<Request> = Pick<Effect, 'guard' | 'settleMs'> & {
  readonly plan: (shop: Shop, wanted: Wanted) => Promise<Result<Plan<Request>, ShopFailure>>;
  readonly send: (shop: Shop, request: Request, wanted: Wanted) => Promise<Sent>;
};

/** Returns an effect. Its open sights send the request of the plan. */
export const effectBy = <Request>({ guard, settleMs, plan, send }: Steps<Request>): Effect => ({
  guard,
  settleMs,
  see: async (source, wanted, deadline) => {
    const planned = await plan({ source, deadline }, wanted);
    if (!planned.ok) return planned;
    const { value } = planned;
    if (value.kind !== 'open') return ok(value);
    const { request, ...sight } = value;
    return ok({ ...sight, send: async (until) => send({ source, deadline: until }, request, wanted) });
  },
});

/**
 * Returns an effect for orders that the shop numbers. Any other id would be another path of its API, which a write token
 * must not reach.
 */
export const effectOnNumberedOrder = <Request>(steps: Steps<Request>): Effect =>
  effectBy({
    ...steps,
    plan: async (shop, wanted) =>
      idOf(wanted.orderId) === undefined ? permanentFailure('shop_order_not_found') : steps.plan(shop, wanted),
  });

/** A 2xx whose body shows no effect. What it did is unknown. */
export const noAnswer: ShopFailure = { kind: 'retryable', reason: 'shop_reply_unreadable', mayHaveEffect: true };

/*
 * A shop that takes no key gets it in a text that it keeps: a reason or a note. The mark of an intent is its key in
 * brackets, so that it is found whatever stands around it.
 */

type Key = Pick<Wanted, 'key'>;

/** Returns the mark of an intent. */
export const markOf = ({ key }: Key): string => `[${key}]`;

/** Whether a text of the shop has the mark of an intent. */
export const hasMark = (text: unknown, wanted: Key): boolean =>
  typeof text === 'string' && text.includes(markOf(wanted));

/** Whether a text of the shop has the mark of any intent. */
export const hasAnyMark = (text: unknown): boolean => typeof text === 'string' && /\[wbi_[\dA-Z]{26}\]/.test(text);

/** Whether a request without an answer may still have its effect: it was sent less than `settleMs` ago. */
export const mayStillArrive = ({ askedAt }: Pick<Wanted, 'askedAt'>, settleMs: number, now: number): boolean =>
  askedAt !== undefined && now < Date.parse(askedAt) + settleMs;

/**
 * Returns an amount in minor units as decimal text, with the digits of its currency.
 *
 * @throws {Error} for an unknown currency
 */
export const amountText = (amount: number, currency: string): string => {
  const text = decimalText({ amount, currency });
  if (text === undefined) throw new Error(`the currency ${currency} is unknown: use a code of ISO 4217`);
  return text;
};

/** What a shop was paid for all units of a line, in minor units with tax. */
type PaidLine = { readonly paid: number; readonly units: number };

/**
 * Whether an amount is what a shop was paid for so many units of a line. Our amounts are the differences of a running
 * total, so each is less than a minor unit away from its exact value. Money without units is at most that of the line.
 */
export const isShareOf = ({ paid, units }: PaidLine, quantity: number, amount: number): boolean => {
  if (quantity === 0) return amount <= paid;
  const difference = BigInt(amount) * BigInt(units) - BigInt(paid) * BigInt(quantity);
  return difference < BigInt(units) && -difference < BigInt(units);
};
