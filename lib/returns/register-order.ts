import { canonicalJson } from './canonical-json.ts';
import { decided, refused, type Decision, type Fault } from './failure.ts';
import { isUsed, taken, type Ledger } from './ledger.ts';
import { mergeObserved } from './observed.ts';
import { currencyFaults, orderFaults } from './order-faults.ts';
import type { Order, OrderFacts, OrderRef } from './order.ts';

/** What proration divides by and into: all of it is a price. */
const frozenLineFacts = ['unitPrice', 'quantity', 'discountTotal', 'taxTotal', 'taxIncluded'] as const;
const frozenFacts = ['currency', 'charges'] as const;
const frozenShipping = ['paid', 'tax', 'standardCost'] as const;

const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null);

const fixed = (path: string): Fault => ({
  path,
  code: 'frozen',
  message: 'must stay as it was when the order was first returned or refunded',
});

/** Price facts that would change, and units that would fall below what the returns of the order hold. */
const frozen = (known: OrderFacts, merged: OrderFacts, ledger: Ledger): Fault[] => {
  const faults = frozenFacts.filter((fact) => !same(known[fact], merged[fact])).map((fact) => fixed(`/${fact}`));
  const shipping = frozenShipping.filter((fact) => !same(known.shipping?.[fact], merged.shipping?.[fact]));
  faults.push(...shipping.map((fact) => fixed(`/shipping/${fact}`)));
  const before = new Map(known.lines.map((line) => [line.lineId, line]));
  merged.lines.forEach((line, index) => {
    const old = before.get(line.lineId);
    if (old === undefined) return;
    const least = taken(ledger, line.lineId);
    const { fulfilledQuantity } = line;
    const prices = frozenLineFacts.filter((fact) => !same(old[fact], line[fact]));
    faults.push(...prices.map((fact) => fixed(`/lines/${index}/${fact}`)));
    if (fulfilledQuantity !== undefined && fulfilledQuantity < least && fulfilledQuantity !== old.fulfilledQuantity) {
      const message = `must be at least ${least}, which are returned or refunded`;
      faults.push({ path: `/lines/${index}/fulfilledQuantity`, code: 'minimum', message });
    }
  });
  return faults;
};

/** Faults of a merged order, at the places of the input that brought them. */
const placed = (faults: readonly Fault[], merged: OrderFacts, input: OrderFacts): readonly Fault[] => {
  if (merged === input) return faults;
  return faults.map((fault) => {
    const [, index, rest = ''] = /^\/lines\/(\d+)(.*)$/.exec(fault.path) ?? [];
    if (index === undefined) return fault;
    const line = merged.lines[Number(index)];
    const at = input.lines.findIndex(({ lineId }) => lineId === line?.lineId);
    return { ...fault, path: at === -1 ? '/lines' : `/lines/${at}${rest}` };
  });
};

/** Refuses facts that cannot be right, whether as they came or as they are once merged. */
const checked = (facts: OrderFacts, input: OrderFacts): Decision<OrderFacts> => {
  const faults = placed(orderFaults(facts), facts, input);
  if (faults.length > 0) {
    return refused({ code: 'invalid_request', detail: 'The order cannot be right.', errors: faults });
  }
  const errors = placed(currencyFaults(facts), facts, input);
  return errors.length > 0
    ? refused({ code: 'currency_mismatch', detail: 'An order has one currency.', errors })
    : decided(facts);
};

const merge = (order: Order, ledger: Ledger, { facts, observedAt, now }: Registration): Decision<Order> => {
  const next = { ...order, ...mergeObserved(order, { facts, at: observedAt }) };
  if (same(next, order)) return decided(order);
  const errors = isUsed(ledger) ? placed(frozen(order.facts, next.facts, ledger), next.facts, facts) : [];
  if (errors.length > 0) {
    return refused({
      code: 'order_facts_frozen',
      detail: 'The order has returns or refunds: these facts are fixed.',
      errors,
    });
  }
  const whole = checked(next.facts, facts);
  return whole.ok ? decided({ ...next, version: order.version + 1, updatedAt: now }) : whole;
};

type Registration = {
  readonly ref: OrderRef;
  readonly facts: OrderFacts;
  /** When the facts were read at their source. */
  readonly observedAt: string;
  /** The latest time that can have been observed: now, by clocks that differ a little. */
  readonly latest: string;
  /** The id to give when the order is new. */
  readonly id: string;
  readonly now: string;
};

/**
 * Registers the facts of an order, or merges them into the known ones: of each fact the newer observation stands.
 * Once a return or a refund exists, prices and quantities are fixed, and what was fulfilled stays above what the returns hold.
 *
 * @param known the order and its ledger, when it was registered before
 * @returns the order as it is then: the very `known.order` when nothing changes
 */
export const registerOrder = (
  known: { readonly order: Order; readonly ledger: Ledger } | undefined,
  registration: Registration,
): Decision<Order> => {
  const { ref, facts, observedAt, latest, id, now } = registration;
  if (observedAt > latest) {
    const errors = [{ path: '/observedAt', code: 'maximum', message: 'must not lie in the future' }];
    return refused({ code: 'invalid_request', detail: 'Nothing can be observed before it is.', errors });
  }
  const valid = checked(facts, facts);
  if (!valid.ok) return valid;
  if (known !== undefined) return merge(known.order, known.ledger, registration);
  const observed = { at: observedAt, older: {} };
  return decided({ id, ...ref, facts, observed, version: 1, createdAt: now, updatedAt: now });
};
