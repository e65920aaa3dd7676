import {
  claimable,
  exchangedUnits,
  isLive,
  orderLine,
  paidUnits,
  refundable,
  sold,
  sum,
  worth,
  type Model,
  type ModelRefund,
} from './model.ts';

/* Price reductions of units that the customer keeps. Their money counts for claimed units until they are kept. */

type Which = (refund: ModelRefund) => boolean;

/** Returns the units of a line with a reduced price, those of them that the customer keeps, and their cents. */
export const keptOf = ({ lines, refunds }: Model, at: number, which: Which) => {
  const line = lines[at];
  const own = refunds.filter((one) => which(one) && one.reduced?.line === at);
  if (line === undefined || own.length === 0) return { units: 0, cents: 0 };
  const reduced = Math.min(line.requested, sum(own.map((one) => one.reduced?.units ?? 0)));
  const units = Math.min(reduced, line.requested - claimable(line));
  const all = sum(own.map(({ cents }) => cents));
  return { units, cents: Math.floor((2 * all * units + reduced) / (2 * reduced)) };
};

/** Returns the cents of reductions for units that the customer keeps. They lower the price of the order line. */
export const keptCents = (model: Model, which: Which = isLive): number =>
  sum(model.lines.map((_, at) => keptOf(model, at, which).cents));

/** Returns the cents of reductions for claimed units of lines. No fee takes them, only a new item for the units. */
export const agreedCents = (model: Model, which: Which = isLive): number =>
  sum(
    model.lines.map((_, at) => {
      const own = model.refunds.filter((one) => which(one) && one.reduced?.line === at);
      const payable = worth(model.lines.map((_line, index) => (index === at ? refundable(model, at) : 0)));
      return Math.min(payable, sum(own.map(({ cents }) => cents)) - keptOf(model, at, which).cents);
    }),
  );

/** Returns the kept units with a reduced price and their cents, by order line. */
export const reducedByLine = (model: Model) =>
  sold.map((_, wanted) => {
    const own = model.lines.flatMap((_line, at) => (orderLine(at) === wanted ? [keptOf(model, at, isLive)] : []));
    return { units: sum(own.map(({ units }) => units)), cents: sum(own.map(({ cents }) => cents)) };
  });

/**
 * Returns whether units with a reduced price may be paid for. The last units of an order line have the reduced price.
 * The model has one price for all units of a line, so it does not enter such a state.
 */
export const reachesReduced = (model: Model): boolean =>
  reducedByLine(model).some(({ units }, wanted) => {
    const own = model.lines.map((line, at) =>
      orderLine(at) === wanted ? Math.max(claimable(line), paidUnits(model, at) + exchangedUnits(model, at)) : 0,
    );
    return units > 0 && units + sum(own) > (sold[wanted] ?? 0);
  });
