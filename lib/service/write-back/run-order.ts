import type { OrderRef } from '../../domain/returns/model/order.ts';
import { heldReason, type Intent, isStillParked, postponed, stillParked } from '../../domain/write-back/intent.ts';
import { after } from '../../domain/write-back/next-run.ts';
import { inTurn, isAskedAgain, nextIntent } from '../../domain/write-back/queue.ts';
import { log } from '../../runtime/log.ts';
import { newUlid } from '../../runtime/new-ids.ts';
import type { Session } from '../../store/engine/session.ts';
import { readIntentsOf, removeIntent } from '../../store/write-back/intents.ts';
import { endWriteBackLease, takeWriteBackLease } from '../../store/write-back/lease.ts';
import { readWriteBackSetting } from '../../store/write-back/settings.ts';
import { readOthers } from './read-others.ts';
import { runIntent } from './run-intent.ts';
import type { IntentRun } from './send-effect.ts';
import { storeIntent } from './store-intent.ts';

/** What a worker needs for the orders of its messages. */
export type OrderRun = Pick<IntentRun, 'backend' | 'effects' | 'call' | 'now'> & {
  readonly session: Session;
  /** Epoch milliseconds at which the function ends. No lease is longer. */
  readonly end: number;
};

/** Two reads of a shop and a request take at most this long, in ms. Less time begins no intent. */
const intentMs = 30_000;
/** An order has few open intents. The limit ends a run that makes no progress. */
const maxIntents = 50;
/** An intent behind a parked one waits for people. */
const heldMs = 6 * 3_600_000;

const logIntent = (intent: Intent): void => {
  const { id, order, action, status, reason, returnId, requests } = intent;
  log(status === 'parked' && !isStillParked(intent) ? 'warn' : 'info', `effect ${status}`, {
    intentId: id,
    platform: order.platform,
    action,
    reason,
    returnId,
    requests,
  });
};

/** An intent waits behind another one of its order. A parked one keeps its reason. */
const held = (intent: Intent, now: string, dueAt: string): Intent =>
  intent.status === 'parked'
    ? stillParked(intent, now, dueAt)
    : postponed(intent, now, { reason: heldReason, dueAt, isRun: false });

/** Moves the due time of intents behind one that is parked or waits, so that no worker is started for them. */
const holdOthers = async (run: OrderRun, intents: readonly Intent[]): Promise<void> => {
  const now = run.now();
  const [first, ...others] = inTurn(intents);
  if (first === undefined || (first.dueAt !== undefined && first.dueAt <= now)) return;
  const dueAt = first.dueAt ?? after(now, heldMs);
  for (const intent of others)
    if (intent.dueAt !== undefined && intent.dueAt <= now)
      await storeIntent(run.session, undefined, held(intent, now, dueAt), undefined);
};

const runIntents = async (run: OrderRun, order: OrderRef): Promise<void> => {
  const { session, end } = run;
  const setting = await readWriteBackSetting(session, order.platform);
  for (let count = 0; count < maxIntents && Date.now() + intentMs < end; count += 1) {
    const intents = await readIntentsOf(session, order);
    const intent = nextIntent(intents, run.now());
    if (intent === undefined) {
      await holdOthers(run, intents);
      return;
    }
    const store: IntentRun['store'] = async (next, refund) => storeIntent(session, setting, next, refund);
    const others: IntentRun['readOthers'] = async (about) => readOthers(run, session, about, intents);
    const context = {
      ...run,
      setting,
      store,
      readOthers: others,
      isAskedAgain: isAskedAgain(intents, intent),
      deadline: end - intentMs / 2,
    };
    const next = await runIntent(context, intent);
    if (next === undefined) {
      await removeIntent(session, intent);
      continue;
    }
    await store(next);
    logIntent(next);
  }
};

/**
 * Asks the shop of an order what the open intents want, one by one. A worker that finds the lease taken does nothing: the
 * schedule finds what is left due.
 *
 * @returns whether this worker had the lease
 */
export const runOrder = async (run: OrderRun, order: OrderRef): Promise<boolean> => {
  const owner = newUlid();
  const taken = await takeWriteBackLease(run.session, order, { owner, until: run.end, now: Date.now() });
  if (!taken) return false;
  try {
    await runIntents(run, order);
  } finally {
    await endWriteBackLease(run.session, order, owner);
  }
  return true;
};
