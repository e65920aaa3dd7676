import { describe, expect, it } from 'vitest';
import { rightsOf } from '../../../lib/domain/policies/law/rights.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import { order, orderLine } from '../../support/orders.ts';

type Claim = Parameters<typeof rightsOf>[2];

const now = '2026-11-12T08:00:00.000Z';
const came = '2026-11-09T12:00:00Z';
const line = (lineId: string, more: object = {}, at = came) =>
  orderLine({ lineId, quantity: 1, deliveries: [{ quantity: 1, at }], ...more });
const requestedLines = (code: string, ...ids: readonly string[]) =>
  ids.map((orderLineId) => ({ orderLineId, reason: { code } }));
const unfit = (...ids: readonly string[]): Claim => ({ lines: requestedLines('fit.too_small', ...ids) });
const of = (facts: Partial<OrderFacts>, claim: Claim = unfit('1'), at = now) =>
  Object.fromEntries(rightsOf(statutoryRules, order({ lines: [line('1')], ...facts }), claim, at));
const laws = (facts: Partial<OrderFacts>, claim?: Claim, at?: string) =>
  Object.values(of(facts, claim, at)).flatMap((rights) => rights.map(({ law }) => law));

describe('statutory rights of a line', () => {
  it('have an end, and are certain when country and delivery are known', () => {
    const right = { law: 'EU 2011/83', claim: 'withdrawal', until: '2026-11-23T23:00:00.000Z', certain: true };
    expect(of({ country: 'DE' })).toEqual({ '1': [right] });
    expect(of({ country: 'DE', saleType: 'distance', buyerIsConsumer: true })).toEqual({ '1': [right] });
    expect(of({})).toEqual({ '1': [] });
    expect(of({ country: 'DE', buyerIsConsumer: false })).toEqual({ '1': [] });
  });

  it('have no known end and are uncertain while goods of the order are outstanding', () => {
    const open = { '1': [{ law: 'EU 2011/83', claim: 'withdrawal', until: null, certain: false }] };
    expect(of({ country: 'DE', lines: [orderLine()] })).toEqual(open);
    const longAgo = line('1', {}, '2026-01-01T00:00:00Z');
    expect(of({ country: 'DE', lines: [longAgo] })).toEqual({ '1': [] });
    expect(of({ country: 'DE', lines: [longAgo, line('2', { deliveries: [] })] })).toEqual(open);
    expect(of({ country: 'DE', lines: [{ ...longAgo, quantity: 2 }] })).toEqual(open);
    expect(of({ country: 'DE', lines: [longAgo], completeness: 'partial' })).toEqual(open);
  });

  it('are certain before the delivery for a declared withdrawal, and for no other request', () => {
    const declared = { ...unfit('1'), basis: 'withdrawal' } as const;
    const right = { law: 'EU 2011/83', claim: 'withdrawal', until: null };
    for (const lines of [[line('1', { deliveries: [] })], [orderLine({ fulfilledQuantity: 0 })]]) {
      expect(of({ country: 'DE', lines }, declared)).toEqual({ '1': [{ ...right, certain: true }] });
      expect(of({ country: 'DE', lines })).toEqual({ '1': [{ ...right, certain: false }] });
    }
    // A parcel without a report of its delivery may have arrived long ago.
    const sent = [orderLine({ shippedAt: '2025-01-01T00:00:00Z' })];
    expect(of({ country: 'DE', lines: sent }, declared)).toEqual({ '1': [{ ...right, certain: false }] });
    const faulty = { ...unfit('1'), basis: 'defect' } as const;
    expect(of({ country: 'IT', lines: [orderLine({ fulfilledQuantity: 0 })] }, faulty)['1']).toMatchObject([
      { law: 'EU 2011/83', certain: false },
      { law: 'EU 2019/771', certain: false },
    ]);
  });

  it('last longer when the shop states that it did not inform the consumer', () => {
    const facts = { country: 'DE', lines: [line('1', {}, '2026-01-05T12:00:00Z')] };
    expect(laws(facts)).toEqual([]);
    expect(laws({ ...facts, withdrawalInformation: { given: true } })).toEqual([]);
    expect(laws({ ...facts, withdrawalInformation: { given: false } })).toEqual(['EU 2011/83']);
    expect(laws({ ...facts, withdrawalInformation: { given: true, at: '2026-11-01T08:00:00Z' } })).toEqual([
      'EU 2011/83',
    ]);
    expect(laws({ ...facts, withdrawalInformation: { given: true, at: '2026-10-01T08:00:00Z' } })).toEqual([]);
  });

  it('run from the last delivery of the whole order, whatever line is returned', () => {
    const lines = [line('1', {}, '2026-10-01T00:00:00Z'), line('2', {}, '2026-11-10T00:00:00Z')];
    const [right] = of({ country: 'DE', lines })['1'] ?? [];
    expect(right?.until).toBe('2026-11-24T23:00:00.000Z');
  });

  it('are those of the requested lines, each by its own reason', () => {
    const lines = [line('1'), line('2'), line('3')];
    const claim = { lines: [...requestedLines('condition.defective', '1'), ...requestedLines('fit.other', '2')] };
    expect(of({ country: 'AU', lines }, claim)).toEqual({
      '1': [{ law: 'AU ACL', claim: 'fault', until: null, certain: true }],
      '2': [],
    });
    const twice = { lines: [...requestedLines('fit.other', '1'), ...requestedLines('condition.defective', '1')] };
    expect(laws({ country: 'AU' }, twice)).toEqual(['AU ACL']);
    expect(laws({ country: 'AU', lines }, { ...unfit('1', '2'), basis: 'wrong_item' })).toEqual(['AU ACL', 'AU ACL']);
    expect(of({ country: 'DE', lines }, unfit('4'))).toEqual({});
  });

  it('end at the same instant in any notation', () => {
    const facts = { country: 'DE', timeZone: 'Europe/Berlin' };
    expect(laws(facts, unfit('1'), '2026-11-24T00:59:59+02:00')).toEqual(['EU 2011/83']);
    expect(laws(facts, unfit('1'), '2026-11-23T23:00:00Z')).toEqual([]);
  });
});

describe('exempt goods', () => {
  const marked = (country: string, withdrawalExemption: string, claim?: Claim) =>
    of({ country, lines: [line('1', { withdrawalExemption })] }, claim)['1'];

  it.each(
    statutoryRules.flatMap(({ countries, exemptions }) =>
      exemptions.map(({ code, decidedAt }) => [countries[0] ?? '', code, decidedAt] as const),
    ),
  )('cannot be withdrawn from: in %s %s, decided at %s', (country, code, decidedAt) => {
    expect(marked(country, code)).toMatchObject(
      decidedAt === 'request' ? [] : [{ claim: 'withdrawal', certain: true }],
    );
    expect(marked(country, code, { ...unfit('1'), basis: 'defect' })).toContainEqual(
      expect.objectContaining({ claim: 'fault' }),
    );
  });

  it('are only those of the law, for each line separately', () => {
    const lines = [line('1', { withdrawalExemption: 'custom_made' }), line('2')];
    expect(of({ country: 'DE', lines }, unfit('1', '2'))).toMatchObject({ '1': [], '2': [{ law: 'EU 2011/83' }] });
  });

  it('leave an uncertain right when the exemption is unknown', () => {
    expect(marked('DE', 'costum_made')).toMatchObject([{ law: 'EU 2011/83', certain: false }]);
  });

  it('do not exist in Brazil', () => {
    expect(marked('BR', 'custom_made')).toMatchObject([{ law: 'BR CDC art. 49', certain: true }]);
  });

  it('are named once by each law, with a source', () => {
    for (const { exemptions } of statutoryRules) {
      expect(new Set(exemptions.map(({ code }) => code)).size).toBe(exemptions.length);
      for (const { source } of exemptions) expect(source).toMatch(/ (article|regulation) \d+/);
    }
  });
});

describe('statutory rule', () => {
  const withdrawal = unfit('1');
  const defect = { ...unfit('1'), basis: 'defect' } as const;

  it.each([
    // A Tuesday. The clock changes on 25 October, and days are local days.
    ['EU 2011/83', 'DE', withdrawal, '2026-10-13T10:00:00Z', '2026-10-27T23:00:00.000Z'],
    // The last day would be a Saturday, so the right ends on Monday.
    ['EU 2011/83', 'FR', withdrawal, '2026-07-11T10:00:00Z', '2026-07-27T22:00:00.000Z'],
    // 1 May, a Friday, is a holiday in Norway.
    ['EU 2011/83', 'NO', withdrawal, '2026-04-17T10:00:00Z', '2026-05-04T22:00:00.000Z'],
    ['EU 2011/83', 'IS', withdrawal, '2026-11-09T10:00:00Z', '2026-11-24T00:00:00.000Z'],
    ['EU 2011/83', 'LI', withdrawal, '2026-11-09T10:00:00Z', '2026-11-23T23:00:00.000Z'],
    ['EU 2019/771', 'IT', defect, '2024-07-01T10:00:00Z', '2026-07-01T22:00:00.000Z'],
    // Two years would end on a Wednesday, and three years on a Thursday.
    ['ES TRLGDCU art. 120', 'ES', defect, '2023-07-27T10:00:00Z', '2026-07-27T23:00:00.000Z'],
    ['PT DL 84/2021', 'PT', defect, '2023-07-27T10:00:00Z', '2026-07-28T00:00:00.000Z'],
    ['SE KKL 2022', 'SE', defect, '2023-07-27T10:00:00Z', '2026-07-27T22:00:00.000Z'],
    // A Sunday is a valid last day in Britain, and the clock changes on it.
    ['UK CCR 2013', 'GB', withdrawal, '2026-03-15T10:00:00Z', '2026-03-29T23:00:00.000Z'],
    ['UK CRA 2015', 'GB', defect, '2026-03-14T10:00:00Z', '2026-04-13T23:00:00.000Z'],
    // 12 October is a holiday, and a Monday.
    ['BR CDC art. 49', 'BR', withdrawal, '2026-10-05T15:00:00Z', '2026-10-14T05:00:00.000Z'],
    ['BR CDC art. 26', 'BR', defect, '2026-07-06T15:00:00Z', '2026-10-06T05:00:00.000Z'],
  ])('%s ends in %s after the last day', (law, country, claim, delivered, until) => {
    const lines = [line('1', {}, delivered)];
    const last = new Date(Date.parse(until) - 1).toISOString();
    expect(of({ country, lines }, claim, last)['1']).toContainEqual(expect.objectContaining({ law, until }));
    expect(laws({ country, lines }, claim, until)).not.toContain(law);
  });

  it('applies to its sale types and its claim only', () => {
    for (const { law, countries, saleTypes, claim } of statutoryRules)
      for (const saleType of ['distance', 'off_premises', 'in_store'] as const)
        for (const request of [withdrawal, defect]) {
          const country = countries[0] ?? '';
          const holds = saleTypes.includes(saleType) && (claim === 'any' || request === defect);
          expect([law, saleType, laws({ country, saleType }, request).includes(law)]).toEqual([law, saleType, holds]);
        }
  });
});
