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
 * Looks for whatever one half of a command would leave behind in a table that nobody writes to: a snapshot is the fold of
 * its history, whose chain holds; a ledger is the sum of what its returns hold and of refunds that belong to none; markers
 * and returns lead to one another; each answer that is kept is what the return was then.
 *
 * @returns what is wrong, in words
 */
export const audit = (stored: Stored): string[] => [
  ...[...stored.returns.values()].flatMap(returnFaults),
  ...[...stored.orders.values()].flatMap((order) => orderFaults(stored, order)),
  ...markerFaults(stored),
  ...orphans(stored),
  ...answerFaults(stored),
];
