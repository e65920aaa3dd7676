import { type Intent, isStillParked } from '../../domain/write-back/intent.ts';
import { dailyLimitOf, type WriteBackSetting } from '../../domain/write-back/setting.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { intentStream } from '../../store/engine/keys.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact, type Write } from '../../store/engine/transact.ts';
import { writeUnlisted } from '../../store/events/outbox.ts';
import { writeIntent } from '../../store/write-back/intents.ts';
import { countDailyRefund, dailyRefundsCondition } from '../../store/write-back/settings.ts';
import type { Wanted } from '../../shops/platforms/effect.ts';

/** Another writer has changed the intent: staff has resolved it, for example. */
class IntentChanged extends Error {
  override readonly name = 'IntentChanged';
}

/** The changes of an intent that others learn of. What is only compared is shown by the setting of the shop. */
const eventTypes = {
  confirmed: 'write_back.confirmed',
  parked: 'write_back.parked',
  cancelled: 'write_back.cancelled',
} as const;

/**
 * Returns the writes of the event of an intent that has ended or is parked since. The version of the intent is the
 * sequence of its events.
 */
export const writeIntentEvent = (
  intent: Intent,
  cause: Pick<DomainEvent, 'actor' | 'causationId' | 'correlationId'>,
): readonly Write[] => {
  const { status, id, order, action, returnId, refundId, externalId, by, reason, shadow } = intent;
  if (shadow !== undefined || (status !== 'confirmed' && status !== 'parked' && status !== 'cancelled')) return [];
  if (isStillParked(intent)) return [];
  const data = {
    intentId: id,
    order,
    action,
    ...(returnId !== undefined && { returnId }),
    ...(refundId !== undefined && { refundId }),
    ...(externalId !== undefined && { externalId }),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
  const event = { ...cause, sequence: intent.version, type: eventTypes[status], at: intent.updatedAt, data };
  return writeUnlisted(intentStream(id), event);
};

/**
 * Stores the next version of an intent with its event. A refund that the shop is about to pay counts for the limit of
 * its day.
 *
 * @returns false when the day has no room for the refund; nothing is stored then
 * @throws {IntentChanged} when another writer was faster
 */
export const storeIntent = async (
  session: Session,
  setting: WriteBackSetting | undefined,
  intent: Intent,
  refund: Wanted['refund'],
): Promise<boolean> => {
  const limit = refund === undefined ? 0 : dailyLimitOf(setting, refund.amount.currency);
  if (refund !== undefined && refund.amount.amount > limit) return false;
  const cause = { actor: { clientId: 'write-back' }, causationId: intent.id, correlationId: intent.traceId };
  const outcome = await transact(session, [
    writeIntent(intent),
    ...(refund === undefined ? [] : [countDailyRefund(intent.order.platform, refund.amount, intent.updatedAt, limit)]),
    ...writeIntentEvent(intent, cause),
  ]);
  if (outcome.written) return true;
  if (outcome.failed.includes(dailyRefundsCondition)) return false;
  throw new IntentChanged('another writer has changed the intent');
};
