import {
  booked,
  entitled,
  claimable,
  isLive,
  outstanding,
  sum,
  undecided,
  uninspected,
  worth,
  type Model,
  type ModelExchange,
  type World,
} from './model.ts';

/** Returns the worth of exchanged units less the price of the new item. A known price only. */
const differenceOf = (model: Model, { line, units, price }: ModelExchange): number =>
  price === undefined ? 0 : worth(model.lines.map((_, at) => (at === line ? units : 0))) - price;

/** Returns the sum of differences, where written-off ones of the customer count as paid. */
const total = (model: Model, which: (exchange: ModelExchange) => boolean): number => {
  const each = model.exchanges.filter((one) => isLive(one) && which(one)).map((one) => differenceOf(model, one));
  const dearer = -sum(each.filter((cents) => cents < 0));
  return sum(each) + Math.min(dearer, model.writtenOff.differences);
};

const isOrdered = ({ status }: ModelExchange) => status === 'ordered' || status === 'fulfilled';

/** The differences of ordered items. */
export const differences = (model: Model): number => total(model, isOrdered);

/** The differences that lower a debt: the shop's also before their item is ordered. */
export const loweringDebt = (model: Model): number =>
  total(model, (one) => isOrdered(one) || differenceOf(model, one) > 0);

/** The differences of all live exchanges. */
export const reserved = (model: Model): number => total(model, () => true);

/** The differences that money has settled. */
export const settledDifferences = (model: Model): number => sum(booked(model).map((one) => one.differences));

/** The differences that the shop would pay or deduct now: it pays once it would pay for the exchanged units. */
export const payableNow = ({ now, inAdvance }: World): number => {
  const covered = new Set<ModelExchange>();
  now.lines.forEach((line, at) => {
    let left = inAdvance ? claimable(line) - undecided(line) : entitled(line);
    const isOver = undecided(line) + outstanding(line) + uninspected(line) === 0;
    for (const one of now.exchanges.filter((exchange) => isLive(exchange) && exchange.line === at)) {
      left -= one.units;
      if (isOver || left >= 0) covered.add(one);
    }
  });
  return total(now, (one) => isOrdered(one) && (differenceOf(now, one) <= 0 || covered.has(one)));
};
