import fc from 'fast-check';
import { defaultTerms } from '../../lib/domain/policies/terms/policy-terms.ts';
import { recordRefund } from '../../lib/domain/returns/commands/money/record-refund.ts';
import type { Order } from '../../lib/domain/returns/model/order.ts';
import type { Resolution } from '../../lib/domain/returns/model/return.ts';
import type { Terms } from '../../lib/domain/returns/model/terms.ts';
import { orderAmountLeft } from '../../lib/domain/returns/money/amounts.ts';
import { returnable } from '../../lib/domain/returns/money/line-units.ts';
import { type Command, commands } from '../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../lib/domain/returns/situation.ts';
import { forms } from './forms.ts';
import { type Account, beginReturn, refund } from './money.ts';
import { eur, order, orderLine } from './orders.ts';
import { afterwards, type Case, openCase, situationOf } from './return-case.ts';

/** An order of two lines. The price of the first one is not divisible by its units. */
export const facts = order({
  lines: [
    orderLine({ lineId: '1', quantity: 4, unitPrice: eur(600), discountTotal: eur(1) }),
    orderLine({ lineId: '2', quantity: 2 }),
  ],
});

/** Orders with arbitrary facts, apart from their lines. */
const orders: fc.Arbitrary<Order> = fc
  .record({ shipping: fc.constantFrom(0, 490), duty: fc.constantFrom(0, 50), isPartial: fc.boolean() })
  .map(({ shipping, duty, isPartial }) => ({
    ...facts,
    facts: {
      ...facts.facts,
      ...(shipping === 0 ? {} : { shipping: { paid: eur(shipping) } }),
      ...(duty === 0 ? {} : { charges: [{ type: 'duty' as const, paid: eur(duty) }] }),
      ...(isPartial ? { completeness: 'partial' as const } : {}),
    },
  }));

const terms: fc.Arbitrary<Terms> = fc
  .record({
    refundTiming: fc.constantFrom('approved', 'in_transit', 'received', 'inspected'),
    inspection: fc.constantFrom('required', 'skipped'),
    shipping: fc.constantFrom('none', 'none', 'proportional', 'statutory'),
    fees: fc.record({
      restockingBps: fc.constantFrom(0, 1000, 10_000),
      restockingCap: fc.constantFrom(null, 500),
      returnShipping: fc.constantFrom(0, 700),
      inspectionCapBps: fc.constant(10_000),
    }),
    refundApprovalLimit: fc.constantFrom<Terms['refundApprovalLimit'][]>(
      {},
      {},
      { EUR: 0 },
      { EUR: 450 },
      { EUR: 1300 },
    ),
    returnless: fc.boolean(),
    floor: fc.constantFrom<Terms['floor'][]>(
      null,
      { law: 'EU 2011/83', fees: [] },
      { law: 'EU 2011/83', fees: ['return_shipping'] },
      { law: 'EU 2011/83', fees: [], lines: ['1'] },
      { law: 'EU 2011/83', fees: [], lines: ['2'] },
    ),
  })
  .map(({ returnless, ...chosen }) => ({ ...defaultTerms, ...chosen, ...(returnless ? { returnless } : {}) }));

/** The fields that a line of the return adds to its order line. */
const lineOf = fc.record({
  resolution: fc.constantFrom<Resolution[]>('refund', 'exchange', 'none'),
  isProven: fc.constantFrom(true, true, false),
  isDenied: fc.constantFrom(false, false, true),
});

type Made = {
  readonly sold: Order;
  readonly given: Terms;
  readonly lines: readonly (typeof lineOf extends fc.Arbitrary<infer One> ? One : never)[];
};

const begin = ({ sold, given, lines }: Made): Case => {
  const asked = [
    { orderLineId: '1', quantity: 2 },
    { orderLineId: '2', quantity: 1 },
  ];
  const opened = openCase(asked, { facts: sold, terms: given });
  const created = opened.state.lines.map((line, index) => {
    const { resolution = 'refund', isProven = true, isDenied = false } = lines[index] ?? {};
    return {
      ...line,
      resolution,
      ...(isProven ? {} : { evidenceRequired: true as const }),
      ...(isDenied ? { eligibility: { verdict: 'ineligible', code: 'not_delivered' } as const } : {}),
    };
  });
  return { ...opened, state: { ...opened.state, lines: created } };
};

/** Records an external refund, for the return or for no return, with or without its lines. */
const paidOutside = (now: Case, dice: number, serial: number): Case => {
  const at = situationOf(now).now;
  const lines = dice % 3 === 0 ? { lines: [{ orderLineId: '1', quantity: 1 }] } : {};
  const moved = { amount: eur(1 + (dice % 7) * 150), method: 'manual', occurredAt: at, ...lines } as const;
  const ids = { id: `rfd_${serial}`, externalId: `${serial}`, now: at, latest: at };
  const decision = recordRefund(now.order, now.ledger, dice % 2 === 0 ? undefined : now.state, moved, ids);
  if (!decision.ok) return now;
  const [first, ...others] = decision.value.events;
  const { ledger } = decision.value;
  return first === undefined ? { ...now, ledger } : afterwards(now, { events: [first, ...others], ledger });
};

/** Adds another return of the order, which the service refunds. */
const paidElsewhere = (now: Case): Case => {
  const account: Account = { order: now.order, ledger: now.ledger, returns: [] };
  beginReturn(account, { '1': 1 });
  refund(account, {}, 0, true);
  return { ...now, ledger: account.ledger };
};

const mayPayElsewhere = ({ order: sold, ledger }: Case): boolean => {
  const [first] = sold.facts.lines;
  return first !== undefined && returnable(ledger, first) > 0 && orderAmountLeft(sold, ledger) >= 600n;
};

/** The events of a case, each in one of its possible forms. */
const steps = fc.array(
  fc.tuple(
    fc.constantFrom(
      ...commands,
      'refund' as const,
      'refund' as const,
      'paidOutside' as const,
      'paidElsewhere' as const,
    ),
    fc.nat(),
  ),
  { maxLength: 16, size: 'max' },
);

/** Returns the outcomes of the forms of a command that succeed. */
export const doneBy = (situation: Situation, command: Command, serial: number) =>
  forms[command](situation, serial).flatMap((form) => {
    const decision = form(situation);
    return decision.ok && decision.value !== undefined ? [decision.value] : [];
  });

/** A return with any terms and facts, and the commands and facts of its life. */
export const anyLife = fc.tuple(
  fc.record({ sold: orders, given: terms, lines: fc.array(lineOf, { minLength: 2, maxLength: 2 }) }),
  steps,
);

/** Leads a return through a life, and visits each state that a step reaches. */
export const visitLife = (
  [created, sequence]: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never,
  visit: (now: Case, serial: number) => void,
): void => {
  let now = begin(created);
  sequence.forEach(([step, dice], serial) => {
    if (step === 'paidOutside') now = paidOutside(now, dice, serial);
    else if (step === 'paidElsewhere') now = mayPayElsewhere(now) ? paidElsewhere(now) : now;
    else {
      const done = doneBy(situationOf(now), step, serial);
      const outcome = done[dice % Math.max(1, done.length)];
      if (outcome === undefined) return;
      now = afterwards(now, outcome);
    }
    visit(now, serial);
  });
};
