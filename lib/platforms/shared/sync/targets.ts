import type { Output } from '../../../contract/contract.ts';
import { sum } from '../../../runtime/sum.ts';
import type { InspectionFinding, RemoteReturn } from './remote-return.ts';

type LocalReturn = Output<'getReturn'>;

/** Where a line of our return is to come to, in units. */
export type Target = {
  readonly line: LocalReturn['lines'][number];
  /** Still on the platform's return. */
  readonly kept: number;
  readonly received: number;
  readonly missing: number;
  readonly found: readonly InspectionFinding[];
};

/** Hands out the units of a line of the order, until there are none left. */
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

const allocatorsOf = (seen: RemoteReturn, orderLineId: string) => {
  const units = seen.units.find((one) => one.orderLineId === orderLineId);
  return {
    kept: allocator(unitsOf(seen, orderLineId)),
    received: allocator(units?.received ?? 0),
    missing: allocator(units?.missing ?? 0),
    found: (units?.found ?? []).map(({ quantity, ...kind }) => ({ kind, take: allocator(quantity) })),
  };
};

/**
 * Where each line of our return is to come to, so that it stands as the platform's does. A platform tells of lines of the
 * order: lines of the return that are of one of these share its units, the first before the next. Units that a return
 * ended without do not come any more.
 */
export const targetsOf = (ours: LocalReturn, seen: RemoteReturn): readonly Target[] => {
  const purses = new Map(
    ours.lines.map(({ orderLineId }): [string, ReturnType<typeof allocatorsOf>] => [
      orderLineId,
      allocatorsOf(seen, orderLineId),
    ]),
  );
  return ours.lines.flatMap((line) => {
    const of = purses.get(line.orderLineId);
    if (of === undefined) return [];
    const kept = of.kept(line.quantities.requested);
    const received = of.received(kept);
    const missing = seen.status === 'completed' ? kept - received : of.missing(kept - received);
    let unlooked = received;
    const found = of.found.map(({ kind, take }) => {
      const quantity = take(unlooked);
      unlooked -= quantity;
      return { ...kind, quantity };
    });
    return [{ line, kept, received, missing, found }];
  });
};
