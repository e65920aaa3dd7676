import { countryOf } from '../../../../runtime/country.ts';
import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { isSame } from '../../history/canonical-json.ts';
import type { ObservationTimes, Order, OrderFacts, OrderLine, OrderRef } from '../../model/order.ts';
import type { FieldError } from '../../model/status.ts';
import { fulfilled, takenOfKept } from '../../money/line-units.ts';
import { type Ledger } from '../../money/order-ledger.ts';
import { failOnCurrencyErrors } from '../../input-checks.ts';
import { currencyErrors, orderErrors } from './order-errors.ts';
import { differFromTotal } from './tax-errors.ts';

type FlatFacts = ReadonlyMap<string, unknown>;

/** Separates the parts of a fact name. No id can hold this character. */
const separator = '\n';

const lineFact = (lineId: string, fact: string): string => ['lines', lineId, fact].join(separator);

const flatten = ({ lines, customer, ...facts }: OrderFacts): Map<string, unknown> => {
  const flat = new Map<string, unknown>(Object.entries(facts));
  for (const [fact, value] of Object.entries(customer ?? {})) flat.set(`customer${separator}${fact}`, value);
  for (const { lineId, ...line } of lines) {
    for (const [fact, value] of Object.entries(line)) flat.set(lineFact(lineId, fact), value);
  }
  return flat;
};

const unflatten = (flat: FlatFacts): OrderFacts => {
  const facts: Record<string, unknown> = {};
  const customer: Record<string, unknown> = {};
  const lines = new Map<string, Record<string, unknown>>();
  for (const [name, value] of flat) {
    const [first = '', second = '', third = ''] = name.split(separator);
    if (first === 'lines') lines.set(second, { lineId: second, ...lines.get(second), [third]: value });
    else if (first === 'customer') customer[second] = value;
    else facts[first] = value;
  }
  const known = Object.keys(customer).length === 0 ? facts : { ...facts, customer };
  // Every fact came from an OrderFacts and returns to its place.
  return { ...known, lines: [...lines.values()] as unknown as OrderLine[] } as unknown as OrderFacts;
};

/** Returns the names of tax lines that do not add up to the tax: they are older than a total that came without any. */
const staleTaxes = (flat: FlatFacts, { lines }: OrderFacts): readonly string[] =>
  lines
    .map(({ lineId }) => ({ taxes: lineFact(lineId, 'taxes'), taxTotal: lineFact(lineId, 'taxTotal') }))
    .filter((names) =>
      // The facts came from an OrderFacts.
      differFromTotal(flat.get(names.taxes) as OrderLine['taxes'], flat.get(names.taxTotal) as OrderLine['taxTotal']),
    )
    .map(({ taxes }) => taxes);

/**
 * Merges two observations of an order fact by fact. The newer observation of each fact wins, and a fact that only one
 * of them has stays. Each line and the customer have facts of their own. Tax lines go with their total. At equal times
 * the arriving fact wins. Times have one format (`2026-11-21T08:00:00.000Z`), so they compare as text.
 */
const mergeObservations = (
  known: { readonly facts: OrderFacts; readonly observed: ObservationTimes },
  arriving: { readonly facts: OrderFacts; readonly at: string },
): { facts: OrderFacts; observed: ObservationTimes } => {
  const merged = flatten(known.facts);
  const times = new Map([...merged.keys()].map((fact) => [fact, known.observed.older[fact] ?? known.observed.at]));
  for (const [fact, value] of flatten(arriving.facts)) {
    const before = times.get(fact);
    if (before !== undefined && before > arriving.at) continue;
    merged.set(fact, value);
    times.set(fact, arriving.at);
  }
  for (const fact of staleTaxes(merged, arriving.facts)) {
    merged.delete(fact);
    times.delete(fact);
  }
  const at = known.observed.at > arriving.at ? known.observed.at : arriving.at;
  const older = Object.fromEntries([...times].filter(([, time]) => time !== at));
  return { facts: unflatten(merged), observed: { at, older } };
};

/** The price facts that proration uses. They are frozen with the first return. */
const frozenLineFacts = ['unitPrice', 'quantity', 'discountTotal', 'taxTotal', 'taxes', 'taxIncluded'] as const;
const frozenFacts = ['currency', 'charges', 'promotions'] as const;
const frozenShipping = ['paid', 'tax', 'taxes', 'standardCost'] as const;

const frozenError = (path: string): FieldError => ({
  path,
  code: 'frozen',
  message: 'must not change after the first return or refund of the order',
});

const minimumError = (path: string, minimum: number): FieldError => ({
  path,
  code: 'minimum',
  message: `must be at least ${minimum}, the units already returned or refunded`,
});

/** Returns the errors of units below what is returned or refunded. A value that is too low may be raised. */
const takenUnitErrors = (old: OrderLine, line: OrderLine, minimum: number, at: string): FieldError[] => {
  const { quantity } = line;
  if (quantity < minimum && quantity < old.quantity) return [minimumError(`${at}/quantity`, minimum)];
  return fulfilled(line) < minimum && fulfilled(line) < fulfilled(old)
    ? [minimumError(`${at}/fulfilledQuantity`, minimum)]
    : [];
};

/**
 * Lists changes of frozen facts. Prices are frozen once a return exists, and the currency once money moved. Units must
 * not fall below what is returned or refunded.
 */
const frozenFactErrors = (known: OrderFacts, merged: OrderFacts, ledger: Ledger): FieldError[] => {
  const returned = ledger.returns > 0;
  const paid = ledger.given.amount > 0 ? (['currency'] as const) : [];
  const whole = returned ? frozenFacts : paid;
  const shipping = returned ? frozenShipping : [];
  const errors = [
    ...whole.filter((fact) => !isSame(known[fact], merged[fact])).map((fact) => frozenError(`/${fact}`)),
    ...shipping
      .filter((fact) => !isSame(known.shipping?.[fact], merged.shipping?.[fact]))
      .map((fact) => frozenError(`/shipping/${fact}`)),
  ];
  const before = new Map(known.lines.map((line) => [line.lineId, line]));
  merged.lines.forEach((line, index) => {
    const old = before.get(line.lineId);
    if (old === undefined) return;
    const at = `/lines/${index}`;
    const prices = returned ? frozenLineFacts.filter((fact) => !isSame(old[fact], line[fact])) : [];
    errors.push(...prices.map((fact) => frozenError(`${at}/${fact}`)));
    errors.push(...takenUnitErrors(old, line, takenOfKept(ledger, line), at));
  });
  return errors;
};

/** Moves the field errors of a merged order to the paths of the input that caused them. */
const atInputPaths = (errors: readonly FieldError[], merged: OrderFacts, input: OrderFacts): readonly FieldError[] => {
  if (merged === input) return errors;
  return errors.map((fieldError) => {
    const [, index, rest = ''] = /^\/lines\/(\d+)(.*)$/.exec(fieldError.path) ?? [];
    if (index === undefined) return fieldError;
    const line = merged.lines[Number(index)];
    const at = input.lines.findIndex(({ lineId }) => lineId === line?.lineId);
    return { ...fieldError, path: at === -1 ? '/lines' : `/lines/${at}${rest}` };
  });
};

/** Rejects inconsistent order facts, both as sent and as merged. */
const checkFacts = (facts: OrderFacts, input: OrderFacts): Result<OrderFacts> => {
  const errors = atInputPaths(orderErrors(facts), facts, input);
  if (errors.length > 0) {
    return fail({ code: 'invalid_request', detail: 'The order facts are inconsistent.', errors });
  }
  const currencies = failOnCurrencyErrors(atInputPaths(currencyErrors(facts), facts, input));
  return currencies.ok ? ok(facts) : currencies;
};

const mergeOrder = (order: Order, ledger: Ledger, { facts, observedAt, now }: Registration): Result<Order> => {
  const next = { ...order, ...mergeObservations(order, { facts, at: observedAt }) };
  if (isSame(next, order)) return ok(order);
  const errors = atInputPaths(frozenFactErrors(order.facts, next.facts, ledger), next.facts, facts);
  if (errors.length > 0) {
    return fail({
      code: 'order_facts_frozen',
      detail: 'The order has returns or refunds, so these facts cannot change.',
      errors,
    });
  }
  const whole = checkFacts(next.facts, facts);
  return whole.ok ? ok({ ...next, version: order.version + 1, updatedAt: now }) : whole;
};

/** Replaces country codes by those of the statutory rules. An unknown code stays, so that validation rejects it. */
const normalizeCountries = (facts: OrderFacts): OrderFacts => {
  const { country, destination } = facts;
  return {
    ...facts,
    ...(country === undefined ? {} : { country: countryOf(country) ?? country }),
    ...(destination === undefined
      ? {}
      : { destination: { ...destination, country: countryOf(destination.country) ?? destination.country } }),
  };
};

type Registration = {
  readonly ref: OrderRef;
  readonly facts: OrderFacts;
  /** The time at which the facts were read at their source. */
  readonly observedAt: string;
  /** The latest accepted observation time: now plus the allowed clock skew. */
  readonly latest: string;
  /** The id of the order if it is new. */
  readonly id: string;
  readonly now: string;
};

/**
 * Registers the facts of an order, or merges them into the known ones.
 * The newer observation of each fact wins. Prices and quantities are frozen once a return exists, the currency once
 * money moved. Units never fall below what is returned or refunded.
 *
 * @param known the registered order and its ledger; only the ledger once the facts are removed
 * @returns the resulting order, which is `known.order` itself when nothing changes
 */
export const registerOrder = (
  known: { readonly order: Order | undefined; readonly ledger: Ledger } | undefined,
  registration: Registration,
): Result<Order> => {
  const { ref, observedAt, latest, id, now } = registration;
  const facts = normalizeCountries(registration.facts);
  if (observedAt > latest) {
    const errors = [{ path: '/observedAt', code: 'maximum', message: 'must not be in the future' }];
    return fail({ code: 'invalid_request', detail: '`observedAt` is in the future.', errors });
  }
  const valid = checkFacts(facts, facts);
  if (!valid.ok) return valid;
  if (known?.order !== undefined) return mergeOrder(known.order, known.ledger, { ...registration, facts });
  const observed = { at: observedAt, older: {} };
  return ok({ id, ...ref, facts, observed, version: 1, createdAt: now, updatedAt: now });
};
