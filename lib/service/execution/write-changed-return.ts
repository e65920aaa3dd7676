import type { Call } from '../../contract/port.ts';
import type { Entry } from '../../domain/returns/history/entry.ts';
import { addMacs, type HistoryKey } from '../../domain/returns/history/mac.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { Write } from '../../store/engine/transact.ts';
import { writeReturn } from '../../store/returns/returns.ts';
import { storeIntents } from '../write-back/store-intents.ts';

/**
 * Returns the writes of a new or changed return: its state, its new entries, and what they want at the shop.
 *
 * @param before the return before the entries; undefined for a new one
 * @param key the key of the history
 */
export const writeChangedReturn = (
  { state, entries }: { readonly state: Return; readonly entries: readonly Entry[] },
  before: Return | undefined,
  key: HistoryKey,
  call: Pick<Call, 'traceId'>,
): readonly Write[] => [...writeReturn(state, addMacs(entries, key), before), ...storeIntents(state, entries, call)];
