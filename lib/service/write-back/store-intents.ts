import type { Call } from '../../contract/port.ts';
import type { Entry } from '../../domain/returns/history/entry.ts';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { Intent } from '../../domain/write-back/intent.ts';
import { plannedEffects } from '../../domain/write-back/plan-intents.ts';
import { writeBackConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { newUlid } from '../../runtime/new-ids.ts';
import type { Write } from '../../store/engine/transact.ts';
import { writeIntent } from '../../store/write-back/intents.ts';

const config = configured(writeBackConfig);

type NewIntent = Pick<Intent, 'action' | 'order' | 'plannedAt' | 'traceId'> & Partial<Intent>;

const writeNewIntent = (intent: NewIntent): Write =>
  writeIntent({
    ...intent,
    id: `wbi_${newUlid()}`,
    version: 1,
    status: 'planned',
    updatedAt: intent.plannedAt,
    dueAt: intent.plannedAt,
    runs: 0,
    requests: 0,
  });

/**
 * Returns what the entries of a command want at the shop of the order, to write in the transaction of the command.
 * The worker decides whether the action is enabled there. So a command reads nothing more.
 *
 * @param state the return after the entries
 */
export const storeIntents = (
  state: Return,
  entries: readonly Entry[],
  { traceId }: Pick<Call, 'traceId'>,
): readonly Write[] => {
  const { platform, orderId } = state.order;
  if (!config().platforms.has(platform)) return [];
  const about = { order: { platform, orderId }, returnId: state.id, returnVersion: state.version };
  return plannedEffects(state, entries).map((effect) =>
    writeNewIntent({ ...effect, ...about, plannedAt: state.updatedAt, traceId }),
  );
};

/** A withdrawal of a whole order before its shipment, and whether a signed-in person matched it. */
type Cancellation = { readonly withdrawalId: string; readonly isByPerson: boolean; readonly at: string };

/** Returns the intent to cancel an order at its shop, to write in the transaction of the match. */
export const storeCancellation = (
  { platform, orderId }: OrderRef,
  { at, ...withdrawal }: Cancellation,
  { traceId }: Pick<Call, 'traceId'>,
): readonly Write[] =>
  config().platforms.has(platform)
    ? [
        writeNewIntent({
          ...withdrawal,
          action: 'cancel_order',
          order: { platform, orderId },
          plannedAt: at,
          traceId,
        }),
      ]
    : [];
