import { canonicalJson } from './canonical-json.ts';
import { decided, refused, type Decision, type Fault } from './failure.ts';
import { ledgerLine, type Ledger } from './ledger.ts';
import { mergeObserved } from './observed.ts';
import { currencyFaults, orderFaults } from './order-faults.ts';
import type { Order, OrderFacts, OrderRef } from './order.ts';

const sealedLineFacts = ['unitPrice', 'discountTotal', 'taxTotal', 'taxIncluded'] as const;
const sealedFacts = ['currency', 'shipping', 'charges'] as const;

const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null);

const fixed = (path: string): Fault => ({
  path,
  code: 'frozen',
  message: 'must stay as it was when the return was made',
});

/** Price facts that would change, and quantities that would fall below what the returns of the order hold. */
const frozen = (known: OrderFacts, merged: OrderFacts, ledger: Ledger): Fault[] => {
  const faults = sealedFacts.filter((fact) => !same(known[fact], merged[fact])).map((fact) => fixed(`/${fact}`));
  const before = new Map(known.lines.map((line) => [line.lineId, line]));
  merged.lines.forEach((line, index) => {
    const old = before.get(line.lineId);
    if (old === undefined) return;
    const { held } = ledgerLine(ledger, line.lineId);
    const prices = sealedLineFacts.filter((fact) => !same(old[fact], line[fact]));
    faults.push(...prices.map((fact) => fixed(`/lines/${index}/${fact}`)));
    for (const fact of ['quantity', 'fulfilledQuantity'] as const) {
      const units = line[fact];
      if (units !== undefined && units < held && units !== old[fact]) {
        faults.push({
          path: `/lines/${index}/${fact}`,
          code: 'minimum',
          message: `must be at least ${held}, which returns hold`,
        });
      }
    }
  });
  return faults;
};

const checked = (facts: OrderFacts): Decision<OrderFacts> => {
  const faults = orderFaults(facts);
  if (faults.length > 0)
    return refused({ code: 'invalid_request', detail: 'The order cannot be right.', errors: faults });
  const errors = currencyFaults(facts);
  return errors.length > 0
    ? refused({ code: 'currency_mismatch', detail: 'An order has one currency.', errors })
    : decided(facts);
};

type Registration = {
  readonly ref: OrderRef;
  readonly facts: OrderFacts;
  /** When the facts were read at their source. */
  readonly observedAt: string;
  /** The id to give when the order is new. */
  readonly id: string;
  readonly now: string;
};

/**
 * Registers the facts of an order, or merges them into the known ones: of each fact the newer observation stands.
 * Once a return exists, price facts are fixed and quantities stay above what the returns hold.
 *
 * @param known the order and its ledger, when it was registered before
 * @returns the order as it is then: the very `known.order` when nothing changes
 */
export const registerOrder = (
  known: { readonly order: Order; readonly ledger: Ledger } | undefined,
  { ref, facts, observedAt, id, now }: Registration,
): Decision<Order> => {
  const valid = checked(facts);
  if (!valid.ok) return valid;
  if (known === undefined) {
    const observed = { at: observedAt, older: {} };
    return decided({ id, ...ref, facts, observed, version: 1, createdAt: now, updatedAt: now });
  }
  const { order, ledger } = known;
  const next = { ...order, ...mergeObserved(order, { facts, at: observedAt }) };
  if (same(next, order)) return decided(order);
  if (ledger.returns > 0) {
    const errors = frozen(order.facts, next.facts, ledger);
    if (errors.length > 0) {
      return refused({ code: 'order_facts_frozen', detail: 'The order has returns: these facts are fixed.', errors });
    }
  }
  const whole = checked(next.facts);
  return whole.ok ? decided({ ...next, version: order.version + 1, updatedAt: now }) : whole;
};
