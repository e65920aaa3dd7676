import { addMacs } from '../../../lib/domain/returns/history/mac.ts';
import { writeOrder } from '../../../lib/store/orders/orders.ts';
import { writeMarkers, writeReturn } from '../../../lib/store/returns/returns.ts';
import type { Write } from '../../../lib/store/engine/transact.ts';
import type { Item } from '../../support/audit/stored.ts';
import { unitRing } from '../../support/history-keys.ts';
import type { Seed } from './seeds.ts';

/** Returns the item that a write puts. */
export const itemIn = ({ action }: Write): Item[] => (action.Put?.Item === undefined ? [] : [action.Put.Item as Item]);

/** Returns the items of an order and its returns, as commands would have written them. */
export const itemsOf = ({ order, ledger, returns }: Seed): Item[] =>
  [
    ...writeOrder(order, { order: undefined, ledger, ledgerVersion: 0 }),
    ...returns.flatMap(({ state, entries }) => [
      ...writeReturn(state, addMacs(entries, unitRing.current), undefined),
      ...writeMarkers(state),
    ]),
  ].flatMap(itemIn);
