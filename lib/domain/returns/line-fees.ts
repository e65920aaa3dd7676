import type { LineFeeTerms, Terms } from './model/terms.ts';

/** Returns the most that an inspection may deduct from a unit of a line, in basis points. */
export const inspectionCapOf = ({ fees }: Pick<Terms, 'fees'>, lineId: string): number =>
  fees.byLine?.[lineId]?.inspectionCapBps ?? fees.inspectionCapBps;

/** Returns terms with the fees of more lines, by the ids of the lines. A line without fees has those of the return. */
export const withLineFees = (
  terms: Terms,
  lines: readonly { readonly lineId: string; readonly fees: LineFeeTerms | undefined }[],
): Terms => {
  const more = lines.flatMap(({ lineId, fees }) => (fees === undefined ? [] : [[lineId, fees] as const]));
  return more.length === 0
    ? terms
    : { ...terms, fees: { ...terms.fees, byLine: { ...terms.fees.byLine, ...Object.fromEntries(more) } } };
};

/** Returns fees without those that the law of a withdrawal forbids. Inspections may still deduct. */
export const feesOfWithdrawal = ({ byLine, promotion: __, ...fees }: Terms['fees']): Terms['fees'] => ({
  ...fees,
  restockingBps: 0,
  restockingCap: null,
  returnShipping: 0,
  ...(byLine && {
    byLine: Object.fromEntries(
      Object.entries(byLine).map(([lineId, { restockingBps: ___, restockingCap: ____, ...of }]) => [lineId, of]),
    ),
  }),
});
