import type { Inspection, MissingUnits } from '../model/goods.ts';
import type { Observation } from '../model/order.ts';
import type { Amounts } from '../model/refund.ts';
import type { Line, Quantities, UnversionedReturn } from '../model/return.ts';

/** What a line of the return is worth after an event. */
export type LineAmounts = { readonly lineId: string; readonly amounts: Amounts };

/** What the data of every event may hold: the lines whose worth it changed, and the platform that reported it. */
export type CommonData = { readonly amounts?: readonly LineAmounts[]; readonly observed?: Observation };

/** What an event of each type changes in a return. */
export type Appliers<Events> = {
  readonly [Type in keyof Events]: (
    state: UnversionedReturn,
    data: Events[Type] & CommonData,
  ) => Partial<UnversionedReturn>;
};

/** The lines of a return, those changed that an event names; one that it names several times as often. */
export const changedLines = <Named extends { readonly lineId: string }>(
  { lines }: Pick<UnversionedReturn, 'lines'>,
  named: readonly Named[],
  change: (line: Line, named: Named) => Line,
): readonly Line[] => lines.map((line) => named.filter(({ lineId }) => lineId === line.id).reduce(change, line));

/** Quantities by so many units more, or fewer. */
export const adjustQuantities = (quantities: Quantities, by: Partial<Quantities>): Quantities => ({
  ...quantities,
  ...Object.fromEntries(
    Object.entries(by).map(([name, units]) => [name, quantities[name as keyof Quantities] + units]),
  ),
});

/** A line as an event adjusts it. */
export const adjustLine = (line: Line, { quantities, inspections, missing }: Adjustment): Line => ({
  ...line,
  quantities: adjustQuantities(line.quantities, quantities),
  inspections: inspections ?? line.inspections,
  missing: missing ?? line.missing,
});
/** What is changed in a line: by how many units, and the lists that follow, as they are then. */
export type Adjustment = {
  readonly lineId: string;
  readonly quantities: Partial<Quantities>;
  readonly inspections?: readonly Inspection[];
  readonly missing?: readonly MissingUnits[];
};
