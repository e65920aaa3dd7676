import type { Facts, LineFacts } from '../facts.ts';
import type { GoldenCase } from '../lifecycle/golden.ts';

const shirt: LineFacts = {
  orderLineId: '1',
  quantity: 1,
  unitPrice: 2900,
  value: 2900,
  sku: 'SHIRT-M',
  categories: ['shirts'],
  finalSale: false,
  reason: 'fit.too_small',
  reasonGroup: 'fit',
  fault: 'none',
  resolution: 'refund',
  hasNote: false,
  hasEvidence: false,
  delivered: true,
  deliveredAt: '2026-03-05T11:00:00Z',
  shippedAt: '2026-03-03T11:00:00Z',
  rights: [],
};

/** A faulty item with a picture as evidence. */
const broken: Partial<LineFacts> = {
  reason: 'condition.defective',
  reasonGroup: 'condition',
  fault: 'merchant',
  hasEvidence: true,
};

/** Returns the facts of a return of one shirt. By default it is delivered on 5 March and requested on the 20th. */
const oneShirt = (
  line: Partial<LineFacts> = {},
  {
    requestedAt = '2026-03-20T09:00:00Z',
    order = {},
    customer = {},
  }: Partial<Pick<Facts, 'requestedAt'>> & {
    readonly order?: Partial<Facts['order']>;
    readonly customer?: Facts['customer'];
  } = {},
): Facts => {
  const returned = { ...shirt, ...line };
  const { value, quantity, reason, sku = '', categories = [] } = returned;
  return {
    requestedAt,
    order: {
      platform: 'web',
      currency: 'EUR',
      placedAt: '2026-03-02T18:00:00Z',
      completeness: 'full',
      timeZone: 'UTC',
      value: 30_000,
      ...order,
    },
    customer,
    return: { initiatedBy: 'customer', isGift: false, quantity, value, reasons: [reason], skus: [sku], categories },
    lines: [returned],
  };
};

const withBasis = (facts: Facts, basis: string): Facts => ({ ...facts, return: { ...facts.return, basis } });

/** The shirt without a known delivery. */
const { deliveredAt: _, ...sent } = shirt;

const rejectedWith = (code: string): GoldenCase['expect'] => ({
  verdict: 'rejected',
  lines: [{ verdict: 'ineligible', code }],
});
const approved: GoldenCase['expect'] = { verdict: 'approved', lines: [{ verdict: 'eligible' }] };

/** The expected decisions of the standard policy, case by case. */
export const standardCases: readonly GoldenCase[] = [
  {
    name: 'A shirt that does not fit comes back within thirty days',
    facts: oneShirt(),
    // The thirtieth day is a Saturday, and the Monday after it is Easter Monday. So the window ends with Tuesday, plus
    // two days of grace.
    expect: { ...approved, approval: 'auto', returnableUntil: '2026-04-10T00:00:00.000Z' },
  },
  {
    name: 'A shirt comes too late',
    facts: oneShirt({}, { requestedAt: '2026-04-20T09:00:00Z' }),
    expect: rejectedWith('window_expired'),
  },
  {
    name: 'A Christmas present comes back in January',
    facts: oneShirt(
      { deliveredAt: '2026-11-20T11:00:00Z', shippedAt: '2026-11-18T11:00:00Z' },
      { requestedAt: '2027-01-25T09:00:00Z', order: { placedAt: '2026-11-15T18:00:00Z' } },
    ),
    expect: approved,
  },
  {
    name: 'The day of delivery is unknown, but the shipment is known',
    facts: { ...oneShirt(), lines: [sent] },
    expect: approved,
  },
  { name: 'A final sale does not fit', facts: oneShirt({ finalSale: true }), expect: rejectedWith('final_sale') },
  { name: 'A final sale is broken', facts: oneShirt({ finalSale: true, ...broken }), expect: approved },
  { name: 'A gift card', facts: oneShirt({ categories: ['gift_cards'] }), expect: rejectedWith('excluded') },
  { name: 'A download', facts: oneShirt({ categories: ['digital'] }), expect: rejectedWith('excluded') },
  { name: 'A toothbrush', facts: oneShirt({ categories: ['hygiene', 'bathroom'] }), expect: rejectedWith('excluded') },
  {
    name: 'A shirt fails after a year',
    facts: oneShirt(broken, { requestedAt: '2027-03-20T09:00:00Z' }),
    expect: approved,
  },
  {
    name: 'Nothing shows the damage',
    facts: oneShirt({ ...broken, hasEvidence: false }),
    expect: { verdict: 'needs_review', lines: [{ verdict: 'needs_review', code: 'evidence_required' }] },
  },
  {
    name: 'A person reviews a return of high value',
    facts: oneShirt({ unitPrice: 20_000, value: 20_000 }),
    expect: { verdict: 'needs_review', approval: 'manual', lines: [{ verdict: 'eligible' }] },
  },
  {
    name: 'A person reviews amounts in another currency',
    facts: oneShirt({}, { order: { currency: 'JPY' } }),
    expect: { verdict: 'needs_review', approval: 'manual' },
  },
  {
    name: 'A person reviews a customer with many returns',
    facts: oneShirt({}, { customer: { returnsLast365Days: 21 } }),
    expect: { verdict: 'needs_review', approval: 'manual' },
  },
  {
    name: 'The whole order is another one than was ordered',
    facts: withBasis(
      oneShirt({ reason: 'fulfilment.wrong_item', reasonGroup: 'fulfilment', fault: 'merchant' }),
      'wrong_item',
    ),
    expect: { ...approved, settings: { shipping: 'full_if_whole_order', shipByDays: 14 } },
  },
  ...['GBP', 'USD', 'BRL'].map((currency) => ({
    name: `A shirt that was sold in ${currency} needs no review`,
    facts: oneShirt({}, { order: { currency } }),
    expect: { ...approved, approval: 'auto' as const },
  })),
];
