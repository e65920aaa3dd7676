import { externalRefKey, orderPartition, rmaKey } from '../../lib/store/engine/keys.ts';
import { orderFaults } from './audit/orders.ts';
import { answerFaults, returnFaults } from './audit/returns.ts';
import type { Stored } from './audit/stored.ts';

const markersOf = ({ returns }: Stored): ReadonlyMap<string, string> =>
  new Map(
    [...returns.values()].flatMap(({ snapshot }) => {
      if (snapshot === undefined) return [];
      const { id, rmaNumber, externalRefs } = snapshot.state;
      return [rmaKey(rmaNumber), ...externalRefs.map(externalRefKey)].map(({ pk }): [string, string] => [pk, id]);
    }),
  );

const markerFaults = (stored: Stored): string[] => {
  const wanted = markersOf(stored);
  return [
    ...[...wanted]
      .filter(([marker, id]) => stored.markers.get(marker) !== id)
      .map(([marker, id]) => `${marker}: does not lead to ${id}`),
    ...[...stored.markers]
      .filter(([marker]) => !wanted.has(marker))
      .map(([marker, id]) => `${marker}: leads to ${id}, which does not bear it`),
  ];
};

const orphans = ({ returns, orders }: Stored): string[] =>
  [...returns.values()]
    .filter(({ snapshot }) => snapshot !== undefined && !orders.has(orderPartition(snapshot.state.order)))
    .map(({ id }) => `${id}: a return of no order`);

/**
 * Finds the traces of half-written commands in a table without concurrent writes. A snapshot is the fold of its
 * history, whose chain is intact. A ledger is the sum of its returns and of refunds without a return. Markers and
 * returns refer to each other. Each stored response is the former state of the return.
 *
 * @returns the differences, as sentences
 */
export const audit = (stored: Stored): string[] => [
  ...[...stored.returns.values()].flatMap(returnFaults),
  ...[...stored.orders.values()].flatMap((order) => orderFaults(stored, order)),
  ...markerFaults(stored),
  ...orphans(stored),
  ...answerFaults(stored),
];
