import type { Inspection, MissingUnits } from '../model/goods.ts';
import type { Observation } from '../model/order.ts';
import type { Amounts } from '../model/refund.ts';
import type { StatedPaymentsLeft } from '../money/payments.ts';
import type { Line, Quantities, UnversionedReturn } from '../model/return.ts';

/** The new amounts of a line after an event. */
export type LineAmounts = { readonly lineId: string; readonly amounts: Amounts };

/** The common data of events. */
export type CommonData = {
  /** The changed line amounts. */
  readonly amounts?: readonly LineAmounts[];
  /** What the payments of the order have left, if the order states it. */
  readonly paymentsLeft?: StatedPaymentsLeft;
  /** What the return takes back of promotions, if its order has any. */
  readonly promotion?: number;
  /** The platform that reported the event. */
  readonly observed?: Observation;
};

/** Units of an order line as a request adds them to a return. */
export type RequestedLine = Pick<
  Line,
  'id' | 'orderLineId' | 'sku' | 'reason' | 'condition' | 'evidenceRequired' | 'resolution' | 'eligibility' | 'amounts'
> & { readonly quantity: number };

const noUnits = {
  approved: 0,
  rejected: 0,
  cancelled: 0,
  returnless: 0,
  received: 0,
  missing: 0,
  accepted: 0,
  refused: 0,
  granted: 0,
  refunded: 0,
  exchanged: 0,
};

/** Returns the line of a return for requested units. */
export const newLine = ({ quantity, ...line }: RequestedLine): Line => ({
  ...line,
  quantities: { requested: quantity, ...noUnits },
  inspections: [],
  missing: [],
});

/** The change that an event of each type makes to a return. */
export type Appliers<Events> = {
  readonly [Type in keyof Events]: (
    state: UnversionedReturn,
    data: Events[Type] & CommonData,
  ) => Partial<UnversionedReturn>;
};

/** Applies a change to each line that an event names. A line that is named several times changes several times. */
export const changedLines = <Named extends { readonly lineId: string }>(
  { lines }: Pick<UnversionedReturn, 'lines'>,
  named: readonly Named[],
  change: (line: Line, named: Named) => Line,
): readonly Line[] => {
  const byLine = Map.groupBy(named, ({ lineId }) => lineId);
  return lines.map((line) => byLine.get(line.id)?.reduce(change, line) ?? line);
};

/** Adds differences to quantities. A difference may be negative. */
export const adjustQuantities = (quantities: Quantities, by: Partial<Quantities>): Quantities => ({
  ...quantities,
  ...Object.fromEntries(
    Object.entries(by).map(([name, units]) => [name, (quantities[name as keyof Quantities] ?? 0) + units]),
  ),
});

/** Applies an adjustment to a line. */
export const adjustLine = (line: Line, { quantities, inspections, missing }: Adjustment): Line => ({
  ...line,
  quantities: adjustQuantities(line.quantities, quantities),
  inspections: inspections ?? line.inspections,
  missing: missing ?? line.missing,
});
/** The adjustment of a line: differences of its units, and the resulting lists. */
export type Adjustment = {
  readonly lineId: string;
  readonly quantities: Partial<Quantities>;
  readonly inspections?: readonly Inspection[];
  readonly missing?: readonly MissingUnits[];
};
