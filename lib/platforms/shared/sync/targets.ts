import type { Output } from '../../../contract/contract.ts';
import { sum } from '../../../runtime/sum.ts';
import type { InspectionFinding, RemoteReturn } from './remote-return.ts';

type LocalReturn = Output<'getReturn'>;

/** The target quantities of a line of our return. */
export type Target = {
  readonly line: LocalReturn['lines'][number];
  /** Units that are still part of the platform's return. */
  readonly remaining: number;
  readonly received: number;
  readonly missing: number;
  readonly found: readonly InspectionFinding[];
};

/** Returns an allocator of the units of an order line, which returns at most the units left. */
const allocator = (units: number) => {
  let left = units;
  return (maximum: number): number => {
    const taken = Math.max(0, Math.min(left, maximum));
    left -= taken;
    return taken;
  };
};

const unitsOf = ({ lines }: RemoteReturn, orderLineId: string): number =>
  sum(lines.filter((line) => line.orderLineId === orderLineId).map(({ quantity }) => quantity));

const allocatorsOf = (remote: RemoteReturn, orderLineId: string) => {
  const units = remote.units.find((one) => one.orderLineId === orderLineId);
  return {
    remaining: allocator(unitsOf(remote, orderLineId)),
    received: allocator(units?.received ?? 0),
    missing: allocator(units?.missing ?? 0),
    found: (units?.found ?? []).map(({ quantity, ...kind }) => ({ kind, take: allocator(quantity) })),
  };
};

/**
 * Returns the target of each line of our return, so that it matches the platform's.
 * A platform reports lines of the order. Lines of our return with the same order line share its units, in their order.
 * Units that were outstanding when a return ended are no longer expected.
 */
export const targetsOf = (ours: LocalReturn, remote: RemoteReturn): readonly Target[] => {
  const purses = new Map(
    ours.lines.map(({ orderLineId }): [string, ReturnType<typeof allocatorsOf>] => [
      orderLineId,
      allocatorsOf(remote, orderLineId),
    ]),
  );
  return ours.lines.flatMap((line) => {
    const of = purses.get(line.orderLineId);
    if (of === undefined) return [];
    const remaining = of.remaining(line.quantities.requested);
    const received = of.received(remaining);
    const missing = remote.status === 'completed' ? remaining - received : of.missing(remaining - received);
    let unlooked = received;
    const found = of.found.map(({ kind, take }) => {
      const quantity = take(unlooked);
      unlooked -= quantity;
      return { ...kind, quantity };
    });
    return [{ line, remaining, received, missing, found }];
  });
};
