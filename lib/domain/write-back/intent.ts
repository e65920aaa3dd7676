import type { Instant, OrderRef } from '../returns/model/order.ts';
import type { EffectAction } from './actions.ts';
import { after } from './next-run.ts';

/**
 * The status of an intent:
 * - `planned`: the shop has not been asked.
 * - `sent`: a request is on its way, or its answer is lost.
 * - `confirmed`: the shop has the effect.
 * - `parked`: people decide. Later intents of the order wait.
 * - `cancelled`: the command was taken back, or the action is off.
 * - `shadow`: the shop is only compared, and never asked.
 */
export type IntentStatus = 'planned' | 'sent' | 'confirmed' | 'parked' | 'cancelled' | 'shadow';

/** Who gave a shop the effect: our request, the shop or its staff, or our staff by a statement. */
export type EffectAuthor = 'request' | 'shop' | 'statement';

/** How a shadow intent ended: the shop did the same, did otherwise, or nothing within a week. */
export type ShadowResult = 'agreed' | 'differed' | 'not_done';

/** What a command of ours wants at the shop of its order. It holds no text of a person. */
export type Intent = {
  /** A shop that takes a key gets this id. It never changes. */
  readonly id: string;
  readonly version: number;
  readonly order: OrderRef;
  readonly action: EffectAction;
  readonly returnId?: string;
  readonly refundId?: string;
  readonly parcelId?: string;
  readonly withdrawalId?: string;
  /** Whether a signed-in person matched the withdrawal. */
  readonly isByPerson?: boolean;
  /** The version of the return that the command made. */
  readonly returnVersion?: number;
  readonly status: IntentStatus;
  readonly plannedAt: Instant;
  readonly updatedAt: Instant;
  /** When a worker looks at it again. A parked one is only read: the shop may have the effect after all. */
  readonly dueAt?: Instant;
  /** The shop that has the order. */
  readonly shop?: { readonly platform: string; readonly source: string };
  /** Runs of the worker that have ended nothing, and requests. They slow down the next ones. */
  readonly runs: number;
  /** Requests that were sent. */
  readonly requests: number;
  /** When the last request was sent. Absent before the first one, and when the shop has not received it. */
  readonly askedAt?: Instant;
  /** Whether its refund counts for the limit of a day already. */
  readonly isCounted?: boolean;
  /** The id of the effect at the shop: of a return or a refund. */
  readonly externalId?: string;
  readonly by?: EffectAuthor;
  /** Why it waits, is parked or was cancelled: a code. */
  readonly reason?: string;
  /** What the shop showed, as JSON: ids, amounts and states. */
  readonly seen?: string;
  readonly shadow?: ShadowResult;
  readonly traceId: string;
};

const openStatuses: ReadonlySet<IntentStatus> = new Set(['planned', 'sent', 'parked', 'shadow']);

/** Whether an intent has not ended. */
export const isOpen = ({ status }: Pick<Intent, 'status'>): boolean => openStatuses.has(status);

/**
 * Whether a delivery of the shop may show an effect that was not recognised. Then it may not be processed: a request
 * is on its way, or has no known answer and the shop was not read since the delivery came. A parked intent is read every
 * few hours.
 */
export const isUncertain = ({ status, askedAt, updatedAt }: Intent, receivedAt: Instant): boolean =>
  status === 'sent' || (status === 'parked' && askedAt !== undefined && updatedAt <= receivedAt);

/** A parked intent is read again after this time, in ms. */
const parkedMs = 3_600_000;

type Change = { readonly [Name in keyof Intent]?: Intent[Name] | undefined };

/** Returns the next version of an intent. A field with undefined is removed. */
const change = (
  intent: Intent,
  at: Instant,
  fields: { readonly [Name in keyof Change]: Change[Name] | undefined },
): Intent => {
  const merged = { ...intent, ...fields, updatedAt: at, version: intent.version + 1 };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Intent;
};

/** A request is about to be sent: stored before, so that a worker that dies in between leaves a trace. */
export const asked = (intent: Intent, at: Instant, shop: Intent['shop']): Intent =>
  change(intent, at, {
    status: 'sent',
    shop,
    askedAt: at,
    requests: intent.requests + 1,
    isCounted: intent.action === 'refund' ? true : undefined,
    runs: intent.runs + 1,
    dueAt: at,
    reason: undefined,
  });

/** The shop has the effect. */
export const confirmed = (
  intent: Intent,
  at: Instant,
  effect: Pick<Change, 'by' | 'externalId' | 'seen' | 'reason' | 'shop'>,
): Intent =>
  change(intent, at, { seen: undefined, reason: undefined, ...effect, status: 'confirmed', dueAt: undefined });

/** People must decide. The shop is read again from time to time. */
export const parked = (intent: Intent, at: Instant, reason: string, seen?: string): Intent =>
  change(intent, at, { status: 'parked', reason, seen, runs: 0, dueAt: after(at, parkedMs) });

/** Whether a parked intent was parked before its last change, which only read the shop. */
export const isStillParked = ({ status, runs }: Intent): boolean => status === 'parked' && runs > 0;

/** A parked intent whose effect the shop still does not have. */
export const stillParked = (intent: Intent, at: Instant, dueAt: Instant): Intent =>
  change(intent, at, { runs: intent.runs + 1, dueAt });

/** The effect is not wanted any more. */
export const cancelled = (intent: Intent, at: Instant, reason: string): Intent =>
  change(intent, at, { status: 'cancelled', reason, dueAt: undefined });

/** The reason of an intent that waits behind another one of its order. */
export const heldReason = 'held';

/**
 * The worker looks again later. An intent whose request was not received has not asked the shop.
 *
 * @param isRun whether the shop, or our return, was asked in vain
 */
export const postponed = (
  intent: Intent,
  at: Instant,
  {
    reason,
    dueAt,
    isUnsent = false,
    isRun = true,
  }: { readonly reason: string; readonly dueAt: Instant; readonly isUnsent?: boolean; readonly isRun?: boolean },
): Intent =>
  change(intent, at, {
    reason,
    dueAt,
    runs: intent.runs + Number(isRun),
    ...(isUnsent && { status: 'planned', askedAt: undefined }),
  });

/** The intent before it in its order has ended. */
export const released = (intent: Intent, at: Instant): Intent => change(intent, at, { dueAt: at });

/** An intent that is only compared. `result` ends it. */
export const shadowed = (
  intent: Intent,
  at: Instant,
  next: { readonly dueAt: Instant } | { readonly shadow: ShadowResult; readonly seen?: string },
): Intent =>
  'dueAt' in next
    ? change(intent, at, { status: 'shadow', dueAt: next.dueAt, runs: intent.runs + 1 })
    : change(intent, at, {
        ...(next.shadow === 'agreed' ? { status: 'confirmed', by: 'shop' } : { status: 'cancelled' }),
        dueAt: undefined,
        seen: undefined,
        ...next,
      });

/** A person has seen the effect of a parked intent at the shop. The worker reports it to the return. */
export const stated = (intent: Intent, at: Instant, externalId: string | undefined): Intent =>
  change(intent, at, { status: 'sent', by: 'statement', externalId, dueAt: at, reason: undefined });

/**
 * A parked intent is tried again: a person has looked at the shop, and its effect is missing there. What another person
 * has stated before counts no more.
 */
export const retried = (intent: Intent, at: Instant): Intent =>
  change(intent, at, {
    status: 'planned',
    runs: 0,
    askedAt: undefined,
    by: undefined,
    externalId: undefined,
    dueAt: at,
    reason: undefined,
    seen: undefined,
  });
