import { asked, confirmed, type Intent, parked, postponed } from '../../domain/write-back/intent.ts';
import { hadEnoughRuns, nextRunAt } from '../../domain/write-back/next-run.ts';
import { dailyLimitOf, type WriteBackSetting } from '../../domain/write-back/setting.ts';
import type { Sight, Wanted } from '../../shops/platforms/effect.ts';
import type { ShopFailure } from '../../shops/platforms/platform.ts';
import { reportEffect, type ServiceAccess } from './report-effect.ts';
import type { PlatformEffects, SeenShop } from './see-shop.ts';
import type { Subject } from './wanted.ts';

/** Stores the next version of an intent. `refund` counts for the limit of the day: false when the day has no room. */
export type StoreIntent = (intent: Intent, refund?: Wanted['refund']) => Promise<boolean>;

/** What a run of an intent needs. */
export type IntentRun = ServiceAccess & {
  readonly effects: PlatformEffects;
  readonly setting: WriteBackSetting | undefined;
  readonly store: StoreIntent;
  /** Reads what belongs to other returns and refunds of ours. */
  readonly readOthers: (intent: Intent) => Promise<Wanted['others']>;
  /** Whether a later intent of the order wants all that this one does. */
  readonly isAskedAgain: boolean;
  readonly now: () => string;
  /** Epoch milliseconds after which no request to the shop begins. */
  readonly deadline: number;
};

/** The most text that an intent keeps of what the shop showed. */
const maxSeen = 4_000;

/** Returns what a shop showed, as an intent keeps it. */
export const seenOf = (sight: Sight): string | undefined => {
  const seen = 'seen' in sight ? sight.seen : undefined;
  return seen === undefined ? undefined : JSON.stringify(seen).slice(0, maxSeen);
};

/**
 * Returns an intent after a call of the shop, or of the service, without a usable answer.
 *
 * @param isUnsent the shop has not received the only request
 */
export const afterFailure = (intent: Intent, { kind, reason }: ShopFailure, now: string, isUnsent = false): Intent =>
  kind === 'permanent' || hadEnoughRuns(intent.runs)
    ? parked(intent, now, reason)
    : postponed(intent, now, { reason, dueAt: nextRunAt(now, intent.runs), isUnsent });

/** The shop still works on it. Its id there is known before the shop reports the effect. */
export const awaitShop = (
  intent: Intent,
  { externalId }: Extract<Sight, { readonly kind: 'pending' }>,
  now: string,
): Intent => {
  const next = afterFailure(intent, { kind: 'retryable', reason: 'shop_works' }, now);
  return externalId === undefined ? next : { ...next, externalId };
};

/** An effect that a shop has. */
type Effected = { readonly externalId?: string; readonly isOurs?: true; readonly seen?: string | undefined };

/** Ends an intent whose effect the shop has. Our return learns of it before, so that a repeat finds the intent open. */
export const confirm = async (
  run: IntentRun,
  intent: Intent,
  subject: Subject,
  { shop }: Pick<SeenShop, 'shop'>,
  { externalId, seen, isOurs }: Effected,
): Promise<Intent> => {
  const failure = await reportEffect(run, intent, subject, externalId);
  const now = run.now();
  if (failure !== undefined) return afterFailure(intent, failure, now);
  const by = intent.askedAt !== undefined || isOurs === true ? 'request' : 'shop';
  return confirmed(intent, now, { by, shop, externalId, seen, reason: undefined });
};

/** What a refund needs of its day, and the limit of the day. What the order has left at the shop is no reason here. */
const limitText = ({ setting }: IntentRun, { refund }: Wanted): string | undefined =>
  refund && JSON.stringify({ ...refund.amount, dailyLimit: dailyLimitOf(setting, refund.amount.currency) });

/**
 * Sends the one request of an intent, after a trace of it is stored. A shop may reject a request because it has the
 * effect already, so it is read again after a rejection.
 */
export const sendEffect = async (
  run: IntentRun,
  intent: Intent,
  subject: Subject,
  wanted: Wanted,
  { shop, sight, effect }: SeenShop & { readonly sight: Extract<Sight, { readonly kind: 'open' }> },
): Promise<Intent> => {
  const begun = asked(intent, run.now(), shop);
  if (!(await run.store(begun, intent.isCounted === true ? undefined : wanted.refund)))
    return parked(intent, run.now(), 'daily_limit_reached', limitText(run, wanted));
  const sent = await sight.send(run.deadline);
  if (sent.ok) return confirm(run, begun, subject, { shop }, sent.value);
  const { failure } = sent;
  if (failure.kind === 'retryable')
    return afterFailure(begun, failure, run.now(), failure.mayHaveEffect !== true && intent.askedAt === undefined);
  // A rejection is an answer: the shop is read as before the request.
  const again = await effect.see(shop.source, wanted, run.deadline);
  if (!again.ok) return afterFailure(begun, again.failure, run.now());
  const seen = seenOf(again.value);
  if (again.value.kind === 'pending') return awaitShop(begun, again.value, run.now());
  if (again.value.kind === 'done') return confirm(run, begun, subject, { shop }, { ...again.value, seen });
  return parked(begun, run.now(), failure.reason, seen);
};
