import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import {
  obligations,
  refundClock,
  sendBackEnd,
  withdrawalWindows,
} from '../../../lib/domain/policies/law/withdrawal-window.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import { order, orderLine } from '../../support/orders.ts';

const now = '2026-11-12T08:00:00.000Z';
const line = (more: object = {}, at = '2026-11-09T12:00:00Z') =>
  orderLine({ quantity: 1, deliveries: [{ quantity: 1, at }], ...more });
const windows = (facts: Partial<OrderFacts>, at = now, rules = statutoryRules) =>
  withdrawalWindows(rules, order({ country: 'DE', lines: [line()], ...facts }), at);
const window = (facts: Partial<OrderFacts>, at = now) => windows(facts, at)[0];
const ruleOf = (country: string) => {
  const found = statutoryRules.find((rule) => rule.countries.includes(country) && rule.claim === 'any');
  if (found === undefined) throw new Error(country);
  return found;
};

describe('withdrawalWindows', () => {
  it('returns the law, its source, the contract time and the end for each line', () => {
    expect(windows({ placedAt: '2026-11-05T10:00:00Z' })).toEqual([
      {
        orderLineId: '1',
        right: 'open',
        law: 'EU 2011/83',
        source: ruleOf('DE').source,
        since: '2026-11-05T10:00:00Z',
        until: '2026-11-23T23:00:00.000Z',
        certain: true,
      },
    ]);
  });

  it('is open to the last second of the last day, and then ended', () => {
    const until = '2026-11-23T23:00:00.000Z';
    expect(window({}, '2026-11-23T22:59:59.999Z')).toMatchObject({ right: 'open', until });
    expect(window({}, until)).toMatchObject({ right: 'ended', until, certain: true });
    // An hour later in the Azores than in Lisbon, in any notation of the instant.
    const azores = { country: 'PT', timeZone: 'Atlantic/Azores' };
    expect(window(azores, '2026-11-23T23:59:59-01:00')).toMatchObject({ right: 'open' });
    expect(window(azores, '2026-11-24T01:00:00Z')).toMatchObject({ right: 'ended' });
    expect(window({ country: 'PT', timeZone: 'Europe/Lisbon' }, '2026-11-24T00:00:00Z')).toMatchObject({
      right: 'ended',
    });
  });

  it.each([
    // The last day would be a Saturday before the clock change of 29 March, and then a Sunday.
    ['DE', '2026-03-14T12:00:00Z', '2026-03-30T22:00:00.000Z'],
    ['GB', '2026-03-14T12:00:00Z', '2026-03-29T00:00:00.000Z'],
    ['GB', '2026-03-15T12:00:00Z', '2026-03-29T23:00:00.000Z'],
    // Good Friday to Easter Monday of 2027.
    ['DE', '2027-03-12T12:00:00Z', '2027-03-30T22:00:00.000Z'],
    ['GB', '2027-03-12T12:00:00Z', '2027-03-27T00:00:00.000Z'],
    // 12 October is a holiday in Brazil, and a Monday.
    ['BR', '2026-10-05T15:00:00Z', '2026-10-14T05:00:00.000Z'],
    ['IS', '2026-11-09T10:00:00Z', '2026-11-24T00:00:00.000Z'],
  ])('moves to a working day where the law says so: %s, delivered at %s', (country, delivered, until) => {
    expect(window({ country, lines: [line({}, delivered)] }, delivered)).toMatchObject({ right: 'open', until });
  });

  it('is open and certain before the delivery of the line', () => {
    const open = { right: 'open', until: null, certain: true };
    expect(window({ lines: [line({ deliveries: [] })] })).toMatchObject(open);
    expect(window({ lines: [orderLine({ fulfilledQuantity: 0 })] })).toMatchObject(open);
    expect(window({ lines: [orderLine({ fulfilledQuantity: 0, shippedAt: '2026-11-01T08:00:00Z' })] })).toMatchObject(
      open,
    );
    // The other line is outstanding, so the period of the delivered one has not begun, as far as the facts say.
    const both = [line({}, '2026-01-01T00:00:00Z'), line({ lineId: '2', deliveries: [] })];
    expect(windows({ lines: both })).toMatchObject([
      { orderLineId: '1', right: 'open', until: null, certain: false },
      { orderLineId: '2', ...open },
    ]);
  });

  it.each([
    ['without a report of deliveries', orderLine()],
    ['shipped, without a report of deliveries', orderLine({ shippedAt: '2025-01-01T00:00:00Z', fulfilledQuantity: 3 })],
    ['with a part delivered', orderLine({ deliveries: [{ quantity: 2, at: '2025-01-01T00:00:00Z' }] })],
    ['with a part fulfilled', orderLine({ fulfilledQuantity: 2 })],
    ['with facts that contradict each other', orderLine({ deliveries: [], fulfilledQuantity: 3 })],
  ])('is open and uncertain %s', (_, unclear) => {
    expect(window({ lines: [unclear] })).toMatchObject({ right: 'open', until: null, certain: false });
  });

  it('is certain for a period from the delivery of the line, whatever else is outstanding', () => {
    // The last delivery of the order starts the period, so it ends no earlier.
    const windowAfter = (days: number, facts: object = {}) => {
      const own = new Date(Date.parse(now) - days * 86_400_000).toISOString();
      return windows({ lines: [line({}, own), line({ lineId: '2', deliveries: [] })], ...facts })[0];
    };
    expect(windowAfter(1)).toMatchObject({ right: 'open', until: null, certain: true });
    expect(windowAfter(30)).toMatchObject({ right: 'open', until: null, certain: false });
    expect(windowAfter(1, { completeness: 'partial' })).toMatchObject({ right: 'open', certain: false });
  });

  it('is uncertain for a partial order, which may lack the facts that end the right', () => {
    const facts = { completeness: 'partial', lines: [line({ deliveries: [] })] } as const;
    expect(window(facts)).toMatchObject({ right: 'open', until: null, certain: false });
  });

  it('names an exemption with its source, line by line', () => {
    const lines = [
      line({ withdrawalExemption: 'custom_made' }),
      line({ lineId: '2', withdrawalExemption: 'sealed_media' }),
      line({ lineId: '3', withdrawalExemption: 'costum_made' }),
      line({ lineId: '4' }),
    ];
    const [custom, sealed, typo, usual] = windows({ lines, placedAt: '2026-11-05T10:00:00Z' });
    const source = 'Directive 2011/83/EU, article 16(c)';
    expect(custom).toEqual({
      orderLineId: '1',
      right: 'exempt',
      law: 'EU 2011/83',
      source,
      until: null,
      certain: true,
      exemption: { code: 'custom_made', source, decidedAt: 'request' },
    });
    expect(sealed).toMatchObject({ right: 'open', certain: true, exemption: { decidedAt: 'inspection' } });
    expect(typo).toMatchObject({ right: 'open', certain: false });
    expect(typo).not.toHaveProperty('exemption');
    expect(usual).toMatchObject({ right: 'open', certain: true });
  });

  it('returns no right where no law grants one, and is uncertain for an unknown country only', () => {
    const none = { orderLineId: '1', right: 'none', until: null };
    expect(window({ country: 'US' })).toEqual({ ...none, certain: true });
    expect(window({ country: 'AU' })).toEqual({ ...none, certain: true });
    expect(window({ saleType: 'in_store' })).toEqual({ ...none, certain: true });
    expect(window({ buyerIsConsumer: false })).toEqual({ ...none, certain: true });
    const unknown = order({ lines: [line()] });
    expect(withdrawalWindows(statutoryRules, unknown, now)).toEqual([{ ...none, certain: false }]);
  });

  it('returns the better of two laws', () => {
    const better = { ...ruleOf('DE'), law: 'ours', window: { within: { days: 30 }, roll: 'none' } } as const;
    for (const rules of [
      [...statutoryRules, better],
      [better, ...statutoryRules],
    ])
      expect(windows({}, now, rules)[0]).toMatchObject({ law: 'ours', until: '2026-12-09T23:00:00.000Z' });
  });
});

describe('extension for a consumer without information', () => {
  const until = (country: string, withdrawalInformation: OrderFacts['withdrawalInformation']) =>
    window({ country, ...(withdrawalInformation && { withdrawalInformation }) })?.until;

  it.each([
    // Usually the last day is 23 November 2026. A year later it is a Tuesday.
    ['DE', '2026-11-23T23:00:00.000Z', '2027-11-23T23:00:00.000Z'],
    ['NO', '2026-11-23T23:00:00.000Z', '2027-11-23T23:00:00.000Z'],
    ['GB', '2026-11-24T00:00:00.000Z', '2027-11-24T00:00:00.000Z'],
    ['BR', '2026-11-17T05:00:00.000Z', '2026-11-17T05:00:00.000Z'],
  ])('is 12 months after the usual end in %s', (country, usual, extended) => {
    expect(until(country, undefined)).toBe(usual);
    expect(until(country, { given: true })).toBe(usual);
    expect(until(country, { given: false })).toBe(extended);
  });

  it.each([
    // Before or with the delivery, the usual end counts.
    ['2026-11-01T08:00:00Z', '2026-11-23T23:00:00.000Z'],
    ['2026-11-09T20:00:00Z', '2026-11-23T23:00:00.000Z'],
    // 14 days from the information. The last day would be a Saturday.
    ['2027-02-06T08:00:00Z', '2027-02-22T23:00:00.000Z'],
    // The last day on which information still counts is 12 months after the delivery.
    ['2027-11-09T22:59:59Z', '2027-11-23T23:00:00.000Z'],
    ['2027-11-09T23:00:00Z', '2027-11-23T23:00:00.000Z'],
    ['2029-01-01T00:00:00Z', '2027-11-23T23:00:00.000Z'],
  ])('ends early after information at %s', (at, end) => {
    expect(until('DE', { given: true, at })).toBe(end);
    expect(until('DE', { given: false, at })).toBe('2027-11-23T23:00:00.000Z');
  });

  it('applies to no other right, and not to goods that are not delivered', () => {
    const lines = [line({ deliveries: [] })];
    expect(window({ lines, withdrawalInformation: { given: false } })).toMatchObject({ until: null, certain: true });
  });

  it('has a source in each law that grants it', () => {
    const sources = statutoryRules.flatMap(({ extension }) => extension?.source ?? []);
    expect(sources).toEqual([
      'Directive 2011/83/EU, articles 10 and 14(2)',
      'Consumer Contracts Regulations 2013, regulations 31 and 34(11)',
    ]);
  });
});

describe('sendBackEnd', () => {
  const declaredAt = '2026-11-07T12:00:00Z';

  it.each([
    // The last day would be a Saturday.
    ['DE', '2026-11-23T23:00:00.000Z'],
    ['GB', '2026-11-22T00:00:00.000Z'],
    ['BR', null],
  ])('is 14 days after the declaration, if the law sets a time: %s', (country, end) => {
    expect(sendBackEnd(ruleOf(country), order({ country }), { declaredAt })).toBe(end);
  });

  it('counts from a delivery after the declaration', () => {
    const goods = { declaredAt, deliveredAt: '2026-11-10T12:00:00Z' };
    expect(sendBackEnd(ruleOf('DE'), order({ country: 'DE' }), goods)).toBe('2026-11-24T23:00:00.000Z');
    const earlier = { declaredAt, deliveredAt: '2026-11-01T12:00:00Z' };
    expect(sendBackEnd(ruleOf('DE'), order({ country: 'DE' }), earlier)).toBe('2026-11-23T23:00:00.000Z');
  });
});

describe('refundClock', () => {
  const declaredAt = '2026-11-07T12:00:00Z';
  const clock = (country: string) => refundClock(ruleOf(country), order({ country }), declaredAt);

  it('counts 14 days from the declaration in the EU, and may wait for the goods or proof of sending', () => {
    expect(clock('DE')).toEqual({
      payment: 'may_wait',
      due: '2026-11-21T23:00:00.000Z',
      days: 14,
      timeZone: 'Europe/Berlin',
    });
  });

  it('counts from the goods or proof of sending in the United Kingdom', () => {
    expect(clock('GB')).toEqual({
      payment: 'from_goods',
      due: '2026-11-22T00:00:00.000Z',
      days: 14,
      timeZone: 'Europe/London',
    });
  });

  it('exists for each law of withdrawal, with a source', () => {
    const laws = statutoryRules.flatMap(({ law, claim }) => (claim === 'any' ? [law] : []));
    expect([...obligations.keys()]).toEqual(laws);
    for (const { source, receipt } of obligations.values()) {
      expect(source).toMatch(/ (articles|regulations|artigo) \d+/);
      expect(receipt.source).toMatch(/ (article|regulation|artigo) \d+/);
    }
  });

  it('is due at once in Brazil, and not set by other laws', () => {
    expect(clock('BR')).toEqual({ payment: 'at_once', due: declaredAt, days: 0, timeZone: 'America/Rio_Branco' });
    expect(refundClock({ ...ruleOf('DE'), law: 'ours' }, order(), declaredAt)).toBeUndefined();
    expect(refundClock({ ...ruleOf('DE'), refund: null }, order(), declaredAt)).toBeUndefined();
  });
});
