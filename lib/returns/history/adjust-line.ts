import type { Adjustment } from './entry.ts';
import type { Line, Quantities } from '../model/return.ts';

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
