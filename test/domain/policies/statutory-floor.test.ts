import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineFacts, Right } from '../../../lib/domain/policies/facts.ts';
import {
  applyStatutoryLimits,
  raiseToLawOfAdded,
  withStatutoryFloor,
} from '../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { order, orderLine } from '../../support/orders.ts';
import { runs } from '../../support/samples.ts';

const now = '2026-11-21T08:00:00.000Z';
type Claim = Parameters<typeof withStatutoryFloor>[3];
const unfit = [{ orderLineId: '1', reason: { code: 'fit.too_small' } }];
const of = (facts: Partial<OrderFacts>, claim: Partial<Claim> = {}, at = now, terms: Terms = defaultTerms) =>
  withStatutoryFloor(statutoryRules, terms, order(facts), { lines: unfit, ...claim }, at);
const lineFacts: Omit<LineFacts, 'rights'> = {
  orderLineId: '1',
  quantity: 1,
  value: 1_000,
  reason: 'fit.too_small',
  reasonGroup: 'fit',
  resolution: 'refund',
  hasNote: false,
  hasEvidence: false,
};
const delivered = (...at: readonly string[]) => [
  orderLine({ quantity: at.length, deliveries: at.map((one) => ({ quantity: 1, at: one })) }),
];
const dueFrom = (refundDueFrom: 'request' | 'receipt', refundDueDays = 14) => ({
  deadlines: { ...defaultTerms.deadlines, refundDueDays, refundDueFrom },
});
const withdrawal = { law: 'EU 2011/83', fees: ['inspection', 'return_shipping'] };

describe('statutory floor', () => {
  it('applies to a consumer in the EU with a distance sale, and refunds shipping', () => {
    expect(of({ country: 'DE' })).toEqual({
      ...defaultTerms,
      floor: withdrawal,
      shipping: 'statutory',
      ...dueFrom('request'),
    });
    expect(of({ destination: { country: 'PT' } }, { basis: 'withdrawal' })).toMatchObject({ floor: withdrawal });
    expect(of({ country: 'DE', saleType: 'off_premises' })).toMatchObject({ floor: withdrawal });
  });

  it.each([
    [{}],
    [{ country: 'US' }],
    [{ country: 'CA' }],
    [{ country: 'AU' }],
    [{ country: 'DE', buyerIsConsumer: false }],
    [{ country: 'DE', saleType: 'in_store' as const }],
  ])('does not apply to %j', (facts) => {
    expect(of(facts)).toBe(defaultTerms);
  });

  it.each([
    ['GB', 'UK CCR 2013', ['inspection', 'return_shipping'], 'statutory'],
    ['BR', 'BR CDC art. 49', [], 'full_if_whole_order'],
  ])('follows the country: %s', (country, law, fees, shipping) => {
    expect(of({ country })).toMatchObject({ floor: { law, fees }, shipping });
  });

  it('includes every applicable rule, for any basis of the request', () => {
    expect(of({ country: 'DE' }, { basis: 'goodwill' })).toMatchObject({ floor: withdrawal });
    const both = { law: 'EU 2011/83, EU 2019/771', fees: ['inspection'] };
    expect(of({ country: 'DE' }, { basis: 'warranty' })).toMatchObject({ floor: both });
    const broken = { lines: [{ orderLineId: '1', reason: { code: 'condition.defective' } }] };
    expect(of({ country: 'DE' }, broken)).toMatchObject({ floor: both });
    expect(of({ country: 'AU', saleType: 'in_store' }, broken)).toMatchObject({ floor: { law: 'AU ACL', fees: [] } });
  });

  it.each([
    // The last day is a Friday, 14 days after the delivery on the 6th in Berlin.
    ['2026-11-06T22:59:59Z', '2026-11-20T22:59:59.999Z', '2026-11-20T23:00:00.000Z'],
    // The last day would be a Saturday, so the right ends on Monday.
    ['2026-11-06T23:00:00Z', '2026-11-23T22:59:59.999Z', '2026-11-23T23:00:00.000Z'],
    // 25 and 26 December are holidays, and a weekend follows.
    ['2026-12-11T12:00:00Z', '2026-12-28T22:59:59.999Z', '2026-12-28T23:00:00.000Z'],
    // Good Friday to Easter Monday of 2027, with a clock change in between.
    ['2027-03-12T12:00:00Z', '2027-03-30T21:59:59.999Z', '2027-03-30T22:00:00.000Z'],
  ])('ends after the local last day for a delivery at %s', (at, last, after) => {
    const facts = { country: 'DE', lines: delivered(at) };
    expect(of(facts, {}, last)).toMatchObject({ floor: withdrawal });
    expect(of(facts, {}, after)).toBe(defaultTerms);
  });

  it('runs from the last delivery, and not before it', () => {
    const facts = { country: 'DE', lines: delivered('2026-10-01T00:00:00Z', '2026-11-20T00:00:00Z') };
    expect(of(facts)).toMatchObject({ floor: withdrawal });
    expect(of({ country: 'DE' })).toMatchObject({ floor: withdrawal });
    expect(
      of({ country: 'DE', lines: [...delivered('2026-01-01T00:00:00Z'), orderLine({ lineId: '2' })] }),
    ).toMatchObject({ floor: withdrawal });
  });

  it('uses days of the order’s time zone, or of the country’s when the order has none', () => {
    // Still the 6th in the Azores and already the 7th in Lisbon. So the last day is a Friday or a Monday.
    const facts = { country: 'PT', lines: delivered('2026-11-07T00:30:00Z') };
    expect(of({ ...facts, timeZone: 'Atlantic/Azores' }, {}, '2026-11-21T02:00:00.000Z')).toBe(defaultTerms);
    expect(of({ ...facts, timeZone: 'Europe/Lisbon' }, {}, '2026-11-21T02:00:00.000Z').floor).not.toBeNull();
    expect(of({ ...facts, timeZone: 'Europe/Atlantis' }, {}, '2026-11-21T00:59:00.000Z').floor).not.toBeNull();
  });

  it('counts calendar years', () => {
    const facts = { country: 'DE', lines: delivered('2024-02-29T12:00:00Z') };
    expect(of(facts, { basis: 'defect' }, '2026-03-02T22:59:59.999Z').floor).toMatchObject({ law: 'EU 2019/771' });
    expect(of(facts, { basis: 'defect' }, '2026-03-02T23:00:00.000Z')).toBe(defaultTerms);
  });

  it('does not reduce terms that give more', () => {
    const generous = { ...defaultTerms, shipping: 'full_if_whole_order' } as const;
    expect(of({ country: 'DE' }, {}, now, generous)).toEqual({
      ...generous,
      floor: withdrawal,
      ...dueFrom('request'),
    });
    const own: Terms = { ...defaultTerms, floor: { law: 'ours', fees: [] } };
    expect(of({ country: 'DE' }, {}, now, own).floor).toEqual({ law: 'ours, EU 2011/83', fees: [] });
    const quick = { ...defaultTerms, deadlines: { ...defaultTerms.deadlines, refundDueDays: 3 } };
    expect(of({ country: 'DE' }, {}, now, quick).deadlines.refundDueDays).toBe(3);
    const slow = { ...defaultTerms, deadlines: { ...defaultTerms.deadlines, refundDueDays: null } };
    expect(of({ country: 'DE' }, {}, now, slow).deadlines.refundDueDays).toBe(14);
  });

  it('protects the lines with a right, and names them when other lines have none', () => {
    const lines = [orderLine({ withdrawalExemption: 'custom_made' }), orderLine({ lineId: '2' })];
    const both = { lines: [...unfit, { orderLineId: '2', reason: { code: 'fit.other' } }] };
    expect(of({ country: 'DE', lines }, both).floor).toEqual({ ...withdrawal, lines: ['2'] });
    expect(of({ country: 'DE', lines }, { ...both, basis: 'defect' }).floor).toEqual({
      law: 'EU 2011/83, EU 2019/771',
      fees: ['inspection'],
    });
    expect(of({ country: 'DE', lines })).toBe(defaultTerms);
    // A floor of the deployment applies to every line.
    const own: Terms = { ...defaultTerms, floor: { law: 'ours', fees: [] } };
    expect(of({ country: 'DE', lines }, both, now, own).floor).toEqual({ law: 'ours, EU 2011/83', fees: [] });
  });

  it.each([
    ['DE', {}, 'request'],
    ['GB', {}, 'receipt'],
    ['GB', { basis: 'defect' as const }, 'receipt'],
    ['BR', {}, 'receipt'],
    ['AU', { basis: 'defect' as const }, 'receipt'],
  ] as const)('sets the start of the refund deadline: in %s, of %j, from the %s', (country, claim, from) => {
    expect(of({ country }, claim)).toMatchObject(dueFrom(from));
  });

  it('limits the refund deadline to that of the law or the deployment', () => {
    const early: Terms = { ...defaultTerms, ...dueFrom('request', 30) };
    expect(of({ country: 'GB' }, {}, now, early)).toMatchObject(dueFrom('request', 14));
    const late: Terms = { ...defaultTerms, ...dueFrom('receipt', 30) };
    expect(of({ country: 'DE' }, {}, now, late)).toMatchObject(dueFrom('request', 14));
    expect(of({ country: 'BR' }, {}, now, late)).toMatchObject(dueFrom('receipt', 30));
    // A floor of the deployment counts from the request by default.
    const own: Terms = { ...defaultTerms, floor: { law: 'ours', fees: [] } };
    expect(of({ country: 'GB' }, {}, now, own)).toMatchObject(dueFrom('request', 14));
  });

  it('allows no deduction for wear when the shop did not inform the consumer in time', () => {
    const fees = (country: string, withdrawalInformation: OrderFacts['withdrawalInformation']) =>
      of({ country, ...(withdrawalInformation && { withdrawalInformation }) }).floor?.fees;
    for (const country of ['DE', 'GB']) {
      expect(fees(country, { given: true })).toEqual(withdrawal.fees);
      expect(fees(country, { given: false })).toEqual(['return_shipping']);
      expect(fees(country, { given: true, at: '2026-11-01T08:00:00Z' })).toEqual(['return_shipping']);
    }
    const placedAt = '2026-11-01T08:00:00Z';
    const informed = (at: string) => of({ country: 'DE', placedAt, withdrawalInformation: { given: true, at } });
    expect(informed(placedAt).floor?.fees).toEqual(withdrawal.fees);
    expect(informed('2026-11-01T08:00:01Z').floor?.fees).toEqual(['return_shipping']);
    // The law has no rule about it.
    expect(fees('BR', { given: false })).toEqual([]);
    const right = { law: 'EU 2011/83', claim: 'withdrawal', until: null, certain: true } as const;
    const evaluation = {
      verdict: 'approved',
      approval: 'auto',
      lines: [],
      fees: { inspection: { rule: 'wear', bps: 5000 }, return_shipping: { rule: 'label', amount: 490 } },
      settings: {},
      trace: [],
    } as const;
    const held = (rights: readonly Right[]) =>
      applyStatutoryLimits(evaluation, { lines: [{ ...lineFacts, rights }] }, statutoryRules, null).fees;
    expect(Object.keys(held([right]))).toEqual(['inspection', 'return_shipping']);
    expect(Object.keys(held([{ ...right, uninformed: true }]))).toEqual(['return_shipping']);
    const said = { orderLineId: '1', verdict: 'eligible', codes: [], missing: [], resolutions: [] } as const;
    const ofLine = { restocking: { rule: 'opened', bps: 1000 }, inspection: { rule: 'wear', bps: 5000 } };
    const lines = [{ ...said, fees: ofLine }, said];
    const limited = applyStatutoryLimits(
      { ...evaluation, lines },
      { lines: [{ ...lineFacts, rights: [right] }] },
      statutoryRules,
      null,
    );
    const removedFees = { restocking: { ...ofLine.restocking, law: 'EU 2011/83' } };
    expect(limited.lines).toEqual([{ ...said, fees: { inspection: ofLine.inspection }, removedFees }, said]);
    expect(limited).not.toHaveProperty('removedFees');
  });

  it('marks a law that a deployment overrides', () => {
    const rules = statutoryRules.map((rule) =>
      rule.countries.includes('DE') ? { ...rule, overridden: true as const } : rule,
    );
    const terms = (country: string) =>
      withStatutoryFloor(rules, defaultTerms, order({ country }), { lines: unfit }, now);
    expect(terms('DE').floor).toEqual({ ...withdrawal, overridden: true });
    expect(terms('GB').floor).not.toHaveProperty('overridden');
  });

  it('names the source of every rule', () => {
    for (const { law, source, countries } of statutoryRules)
      expect([law.length > 3, source.length > 20, countries.length > 0]).toEqual([true, true, true]);
    expect(new Set(statutoryRules.map(({ law }) => law)).size).toBe(statutoryRules.length);
  });
});

describe('terms of a return with added units', () => {
  const facts = order({
    country: 'DE',
    lines: [orderLine(), orderLine({ lineId: '2' }), orderLine({ lineId: '3', withdrawalExemption: 'custom_made' })],
  });
  const claimOf = (...ids: readonly string[]) => ({
    lines: ids.map((orderLineId) => ({ orderLineId, reason: { code: 'fit.too_small' } })),
  });
  const termsOf = (...ids: readonly string[]) =>
    withStatutoryFloor(statutoryRules, defaultTerms, facts, claimOf(...ids), now);
  const raised = (
    own: readonly string[],
    added: readonly string[],
    terms = termsOf(...own),
    configured: Terms['floor'] = null,
  ) => raiseToLawOfAdded(statutoryRules, { terms, own }, { order: facts, claim: claimOf(...added), configured }, now);

  it('stay the same when no law protects the units, or the same law does', () => {
    expect(raised(['3'], ['3'])).toEqual(defaultTerms);
    expect(raised(['1'], ['2'])).toEqual(termsOf('1'));
    expect(raised(['1'], ['1'])).toEqual(termsOf('1'));
  });

  it('get the law of the units for their lines, with its shipping and its time to pay', () => {
    const { approval: _, ...law } = termsOf('1');
    expect(raised(['3'], ['1'])).toEqual({ ...law, approval: 'manual', floor: { ...law.floor, lines: ['1'] } });
  });

  it('do not protect an added line without a right, unless the deployment protects every line', () => {
    expect(raised(['1'], ['3']).floor).toEqual({ ...withdrawal, lines: ['1'] });
    expect(raised(['1', '3'], ['2']).floor).toEqual({ ...withdrawal, lines: ['1', '2'] });
    const floor = { law: 'shop', fees: [] };
    expect(raised(['1'], ['3'], { ...defaultTerms, floor }, floor).floor).toEqual(floor);
  });

  it('name each law once, and allow a fee only if all of them do', () => {
    const defective = { lines: [{ orderLineId: '2', reason: { code: 'condition.defective' } }] };
    const terms = termsOf('1');
    const context = { order: facts, claim: defective, configured: null };
    expect(raiseToLawOfAdded(statutoryRules, { terms, own: ['1'] }, context, now).floor).toEqual({
      law: 'EU 2011/83, EU 2019/771',
      fees: ['inspection'],
    });
  });

  it('never count a due date later than before', () => {
    const floor = { law: 'shop', fees: [] };
    const own = { ...defaultTerms, floor, deadlines: { ...defaultTerms.deadlines, refundDueDays: 7 } };
    expect(raised(['3'], ['1'], own, floor).deadlines).toMatchObject({ refundDueDays: 7, refundDueFrom: 'request' });
  });
});

it('the statutory floor never reduces a right, for any country and time of request', () => {
  const moments = fc
    .date({ min: new Date('2024-01-01'), max: new Date('2036-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const ranks = ['none', 'statutory', 'proportional', 'full_if_whole_order'] as const;
  const requests = fc.record({
    country: fc.constantFrom('DE', 'ES', 'GB', 'BR', 'AU', 'US', 'XX'),
    saleType: fc.constantFrom('distance', 'off_premises', 'in_store'),
    basis: fc.constantFrom('withdrawal', 'defect', 'goodwill'),
    shipping: fc.constantFrom(...ranks),
    days: fc.constantFrom(null, 0, 7, 30),
    came: moments,
    requestedAt: moments,
  });
  fc.assert(
    fc.property(requests, ({ country, saleType, basis, shipping, days, came, requestedAt }) => {
      const configured: Terms = {
        ...defaultTerms,
        shipping,
        deadlines: { ...defaultTerms.deadlines, refundDueDays: days },
      };
      const facts = { country, saleType, lines: delivered(came) };
      const terms = of(facts, { basis }, requestedAt, configured);
      expect(ranks.indexOf(terms.shipping)).toBeGreaterThanOrEqual(ranks.indexOf(shipping));
      expect(terms.deadlines.refundDueDays ?? Infinity).toBeLessThanOrEqual(days ?? Infinity);
      // An earlier request never has a lesser right.
      const earlier = of(facts, { basis }, came < requestedAt ? came : requestedAt, configured);
      expect(earlier.floor === null && terms.floor !== null).toBe(false);
    }),
    { numRuns: runs(500), seed: 20261121 },
  );
});
