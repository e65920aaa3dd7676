import type { Output } from '../../../contract/contract.ts';

type Return = Output<'getReturn'>;

/** A fact of a return before and after a command. */
export type Change =
  | { readonly of: 'status' | 'refund'; readonly before: string; readonly after: string }
  | {
      readonly of: 'unit';
      readonly lineId: string;
      readonly unit: string;
      readonly before: number;
      readonly after: number;
    }
  | { readonly of: 'unexpected'; readonly before: number; readonly after: number };

const units = ['received', 'missing', 'accepted', 'refused'] as const;

const undisposed = ({ unexpected }: Return): number =>
  unexpected.filter((item) => item.disposition === undefined).length;

/** Lists what the dry run of a command on goods would change. */
export const changesOf = (before: Return, after: Return): readonly Change[] => [
  ...(before.status === after.status ? [] : [{ of: 'status' as const, before: before.status, after: after.status }]),
  ...(before.refundStatus === after.refundStatus
    ? []
    : [{ of: 'refund' as const, before: before.refundStatus, after: after.refundStatus }]),
  ...after.lines.flatMap(({ lineId, quantities }) => {
    const known = before.lines.find((line) => line.lineId === lineId)?.quantities ?? quantities;
    return units
      .filter((unit) => known[unit] !== quantities[unit])
      .map((unit) => ({ of: 'unit' as const, lineId, unit, before: known[unit], after: quantities[unit] }));
  }),
  ...(undisposed(before) === undisposed(after)
    ? []
    : [{ of: 'unexpected' as const, before: undisposed(before), after: undisposed(after) }]),
];
