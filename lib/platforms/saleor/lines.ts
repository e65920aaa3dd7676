type Part = { readonly quantity: number; readonly orderLine: { readonly id: string } | null };

/** Units by line of the order; Saleor has a line of a fulfillment for each warehouse. */
export const unitsByLine = (parts: readonly Part[] | null): ReadonlyMap<string, number> => {
  const units = new Map<string, number>();
  for (const { quantity, orderLine } of parts ?? [])
    if (orderLine !== null && quantity > 0) units.set(orderLine.id, (units.get(orderLine.id) ?? 0) + quantity);
  return units;
};
