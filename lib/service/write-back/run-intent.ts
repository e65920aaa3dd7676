import type { Result } from '../../contract/result.ts';
import {
  cancelled,
  confirmed,
  type Intent,
  parked,
  postponed,
  shadowed,
  stillParked,
} from '../../domain/write-back/intent.ts';
import { after, isShadowOver, nextRunAt, nextShadowAt } from '../../domain/write-back/next-run.ts';
import { modeOf } from '../../domain/write-back/setting.ts';
import { ok } from '../../runtime/result.ts';
import { type Sight, unsupportedAction, type Wanted } from '../../shops/platforms/effect.ts';
import type { ShopFailure } from '../../shops/platforms/platform.ts';
import { reportEffect } from './report-effect.ts';
import { type SeenShop, seeShop } from './see-shop.ts';
import { afterFailure, awaitShop, confirm, type IntentRun, seenOf, sendEffect } from './send-effect.ts';
import { type Subject, takenBack, wantedOf } from './wanted.ts';

/** More requests than this for one effect mean that the shop accepts them and does nothing. */
const maxRequests = 5;

/** A parked intent is read as rarely as one after so many runs. */
const slowRuns = 5;

/** A parked intent stays parked, and its shop is read again. */
const readLater = (intent: Intent, now: string): Intent =>
  stillParked(intent, now, nextRunAt(now, intent.runs + slowRuns));

/** Returns an intent whose return or shop could not be read. */
const later = (intent: Intent, failure: ShopFailure, now: string): Intent =>
  intent.status === 'parked' ? readLater(intent, now) : afterFailure(intent, failure, now);

/** A stopped shop is looked at again after this time, in ms. */
const stoppedMs = 900_000;

/** The shop is stopped: its intents wait. */
const stopped = (intent: Intent, now: string): Intent =>
  postponed(intent, now, { reason: 'stopped', dueAt: after(now, stoppedMs), isRun: false });

/** A shadow intent only compares, and a shop with the same effect agrees. */
const compare = (intent: Intent, sight: Sight, now: string): Intent => {
  const seen = seenOf(sight);
  const shown = seen === undefined ? {} : { seen };
  if (sight.kind === 'done' || sight.kind === 'deferred') return shadowed(intent, now, { shadow: 'agreed', ...shown });
  if (sight.kind === 'blocked') return shadowed(intent, now, { shadow: 'differed', ...shown });
  return isShadowOver(intent.plannedAt, now)
    ? shadowed(intent, now, { shadow: 'not_done', ...shown })
    : shadowed(intent, now, { dueAt: nextShadowAt(now) });
};

/** An earlier request has no known answer, and the shop shows no effect. Undefined: it may be sent again. */
const afterNoAnswer = (intent: Intent, { effect, sight }: SeenShop, now: string): Intent | undefined => {
  if (intent.askedAt === undefined) return undefined;
  if (intent.requests >= maxRequests) return parked(intent, now, 'no_effect', seenOf(sight));
  if (effect.guard === 'platform') return undefined;
  const settledAt = after(intent.askedAt, effect.settleMs);
  return now < settledAt
    ? postponed(intent, now, { reason: 'answer_awaited', dueAt: settledAt })
    : parked(intent, now, 'effect_unknown', seenOf(sight));
};

/** Whether a report of the shop has settled the refund meanwhile. */
const isPaid = ({ action, refundId }: Intent, subject: Subject): boolean =>
  action === 'refund' &&
  subject.kind === 'return' &&
  subject.own.refunds.some((refund) => refund.refundId === refundId && refund.status === 'succeeded');

type Open = Extract<Sight, { readonly kind: 'open' }>;

/** The effect is missing at the shop. */
const runOpen = async (
  run: IntentRun,
  intent: Intent,
  subject: Subject,
  wanted: Wanted,
  seen: SeenShop & { readonly sight: Open },
): Promise<Intent> => {
  const now = run.now();
  if (isPaid(intent, subject))
    return confirmed(intent, now, { by: 'shop', reason: 'refund_recorded', shop: seen.shop });
  if (run.setting?.isStopped === true) return stopped(intent, now);
  if (modeOf(run.setting, intent.action) !== 'on') return parked(intent, now, 'action_off', seenOf(seen.sight));
  return afterNoAnswer(intent, seen, now) ?? sendEffect(run, intent, subject, wanted, seen);
};

/** Another intent of the return has the effect. */
const deferred = (
  intent: Intent,
  { to }: Extract<Sight, { readonly kind: 'deferred' }>,
  shop: SeenShop['shop'],
  now: string,
): Intent => confirmed(intent, now, { by: 'request', reason: `with_${to}`, shop });

/** People decide on a parked intent, unless the shop has the effect meanwhile, or the refund was paid. */
const recheck = async (run: IntentRun, intent: Intent, subject: Subject, seen: SeenShop): Promise<Intent> => {
  const { sight, shop } = seen;
  const now = run.now();
  if (sight.kind === 'done') return confirm(run, intent, subject, seen, { ...sight, seen: seenOf(sight) });
  if (isPaid(intent, subject)) return confirmed(intent, now, { by: 'shop', reason: 'refund_recorded', shop });
  return sight.kind === 'deferred' ? deferred(intent, sight, shop, now) : readLater(intent, now);
};

/**
 * The command was taken back after a request without a known answer, or while people decide. Its effect may come as long
 * as the request is on its way. A refund is left to people: it is about money.
 */
const afterTakingBack = (
  intent: Intent,
  subject: Subject,
  { effect, sight }: SeenShop,
  now: string,
): Intent | undefined => {
  const reason = intent.action === 'refund' ? undefined : takenBack(intent, subject);
  if (reason === undefined || sight.kind === 'done') return undefined;
  const settledAt = after(intent.askedAt ?? intent.plannedAt, effect.settleMs);
  if (now >= settledAt) return cancelled(intent, now, reason);
  return intent.status === 'parked'
    ? undefined
    : postponed(intent, now, { reason: 'answer_awaited', dueAt: settledAt });
};

const decide = async (
  run: IntentRun,
  intent: Intent,
  subject: Subject,
  wanted: Wanted,
  seen: SeenShop,
): Promise<Intent> => {
  const back = afterTakingBack(intent, subject, seen, run.now());
  if (back !== undefined) return back;
  if (intent.status === 'parked') return recheck(run, intent, subject, seen);
  const { sight } = seen;
  const now = run.now();
  // What was planned to be compared is never asked, also when its action is on since.
  if (intent.status === 'shadow' || (intent.askedAt === undefined && modeOf(run.setting, intent.action) === 'shadow'))
    return compare(intent, sight, now);
  switch (sight.kind) {
    case 'done':
      return confirm(run, intent, subject, seen, { ...sight, seen: seenOf(sight) });
    case 'deferred':
      return deferred(intent, sight, seen.shop, now);
    case 'blocked':
      return parked(intent, now, sight.reason, seenOf(sight));
    case 'pending':
      return awaitShop(intent, sight, now);
    case 'open':
      return runOpen(run, intent, subject, wanted, { ...seen, sight });
  }
};

/** A person has seen the effect at the shop. */
const confirmStated = async (run: IntentRun, intent: Intent, subject: Subject): Promise<Intent> => {
  const failure = await reportEffect(run, intent, subject, intent.externalId);
  const now = run.now();
  return failure === undefined
    ? confirmed(intent, now, { by: 'statement', externalId: intent.externalId })
    : afterFailure(intent, failure, now);
};

/** Reads what the intent is about. */
const loadSubject = async ({ backend, call }: IntentRun, intent: Intent): Promise<Result<Subject>> => {
  const { returnId = '', withdrawalId } = intent;
  if (withdrawalId === undefined) {
    const found = await backend.getReturn({ returnId }, call());
    return found.ok ? ok({ kind: 'return', own: found.value.body }) : found;
  }
  const found = await backend.getWithdrawal({ withdrawalId }, call());
  return found.ok ? ok({ kind: 'withdrawal', withdrawal: found.value.body }) : found;
};

/**
 * Runs an intent that is due: reads our return and the shop, and sends at most one request. A request without an answer
 * is never sent again before the shop was read.
 *
 * @returns its next version, for the caller to store; undefined for a new one whose action is off, which leaves no trace
 */
export const runIntent = async (run: IntentRun, intent: Intent): Promise<Intent | undefined> => {
  const now = run.now();
  const isAsked = intent.askedAt !== undefined || intent.by === 'statement';
  const isPlanned = !isAsked && intent.status !== 'parked';
  if (isPlanned && run.setting?.isStopped === true) return stopped(intent, now);
  if (isPlanned && modeOf(run.setting, intent.action) === 'off')
    return intent.version === 1 ? undefined : cancelled(intent, now, 'action_off');
  const loaded = await loadSubject(run, intent);
  if (!loaded.ok) return later(intent, { kind: 'retryable', reason: loaded.failure.code }, now);
  const subject = loaded.value;
  if (intent.by === 'statement' && intent.status === 'sent') return confirmStated(run, intent, subject);
  const back = isAsked ? undefined : takenBack(intent, subject);
  if (back !== undefined) return cancelled(intent, now, back);
  const others = await run.readOthers(intent);
  const wanted = {
    ...wantedOf(intent, subject, modeOf(run.setting, 'refund') === 'on'),
    ...(others !== undefined && { others }),
  };
  const seen = await seeShop(run.effects, intent, wanted, run.deadline);
  if (seen.ok) {
    const { sight } = seen.value;
    const isLater = sight.kind === 'blocked' && run.isAskedAgain;
    const shown: Sight = isLater ? { kind: 'deferred', to: intent.action } : sight;
    return decide(run, intent, subject, wanted, { ...seen.value, sight: shown });
  }
  return seen.failure.reason === unsupportedAction
    ? cancelled(intent, run.now(), unsupportedAction)
    : later(intent, seen.failure, run.now());
};
