import type { Quantities, Line } from '../model/return.ts';
import type { Inspection, MissingUnits } from '../model/goods.ts';

/** Quantities by so many units more, or fewer. */
export const adjusted = (quantities: Quantities, by: Partial<Quantities>): Quantities => ({
  ...quantities,
  ...Object.fromEntries(
    Object.entries(by).map(([name, units]) => [name, quantities[name as keyof Quantities] + units]),
  ),
});

/** A line as an event adjusts it. */
export const adjustLine = (line: Line, { quantities, inspections, missing }: Adjustment): Line => ({
  ...line,
  quantities: adjusted(line.quantities, quantities),
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
