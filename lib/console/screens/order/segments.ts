import type { Output } from '../../../contract/contract.ts';

type LedgerLine = Output<'getReturnable'>['lines'][number];

export type Segment = {
  readonly of: 'returnable' | 'held' | 'withdrawn' | 'refunded' | 'other' | 'notDelivered';
  readonly units: number;
};

/**
 * Divides the sold units of a line into parts that add up to them. A unit may be held and refunded at once, when the
 * shop refunded it outside: then the parts that come first count it.
 */
export const segmentsOf = ({
  quantity,
  fulfilled,
  held,
  refunded,
  withdrawn,
  returnable,
}: LedgerLine): readonly Segment[] => {
  let rest = quantity;
  const take = (of: Segment['of'], units: number): Segment => {
    const taken = Math.max(0, Math.min(rest, units));
    rest -= taken;
    return { of, units: taken };
  };
  const segments = [
    take('returnable', returnable),
    take('held', held),
    take('withdrawn', withdrawn),
    take('refunded', refunded),
    take('notDelivered', quantity - fulfilled),
  ];
  return [...segments, { of: 'other' as const, units: rest }].filter(({ units }) => units > 0);
};
