type Line = { readonly quantities: Readonly<Record<string, number>> };

/** Returns the lines of a return with all of their requested units approved. */
export const approvedLines = (lines: readonly Line[]): readonly Line[] =>
  lines.map((line) => ({ ...line, quantities: { ...line.quantities, approved: line.quantities['requested'] ?? 0 } }));
