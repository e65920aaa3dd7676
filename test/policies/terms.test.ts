import { afterEach, describe, expect, it, vi } from 'vitest';
import { termsConfig } from '../../lib/config.ts';
import { defaultTerms, termsOf } from '../../lib/policies/default-terms.ts';
import { givenTerms } from '../../lib/policies/given-terms.ts';
import type { OrderFacts } from '../../lib/returns/order.ts';
import { order, orderLine } from '../support/orders.ts';

describe('the terms that a deployment is given', () => {
  it('are those without any, but for what is named', () => {
    expect(givenTerms(defaultTerms, '{}')).toEqual(defaultTerms);
    const given = { refundTiming: 'approved', fees: { returnShipping: 490 }, refundApprovalLimit: { EUR: 100 } };
    expect(givenTerms(defaultTerms, JSON.stringify(given))).toEqual({
      ...defaultTerms,
      refundTiming: 'approved',
      fees: { ...defaultTerms.fees, returnShipping: 490 },
      refundApprovalLimit: { EUR: 100 },
    });
  });

  it.each([
    ['{', 'must be JSON'],
    ['[]', '/ must be an object'],
    ['{"fee":{}}', '/fee is no such term'],
    ['{"policyVersion":"1"}', '/policyVersion is no such term'],
    ['{"__proto__":1}', '/__proto__ is no such term'],
    ['{"approval":"never"}', '/approval must be one of manual, auto'],
    ['{"fees":3}', '/fees must be an object'],
    ['{"fees":{"restockingBps":10001}}', '/fees/restockingBps must be a whole number from 0 to 10000'],
    ['{"fees":{"restockingCap":-1}}', '/fees/restockingCap must be a whole number'],
    ['{"deadlines":{"shipByDays":1.5}}', '/deadlines/shipByDays must be a whole number'],
    ['{"floor":{"law":"EU","fees":["restocking"]}}', '/floor must be null, or name a law'],
    ['{"refundApprovalLimit":{"eur":1}}', '/refundApprovalLimit must hold minor units by currency'],
  ])('cannot be %s', (given, fault) => {
    expect(() => givenTerms(defaultTerms, given)).toThrow(fault);
  });

  it.each(['{"floor":null}', '{"floor":{"law":"BR CDC 49","fees":[]}}', '{"fees":{"restockingCap":null}}'])(
    'can be %s',
    (given) => {
      expect(givenTerms(defaultTerms, given)).toMatchObject(JSON.parse(given) as object);
    },
  );

  describe('in the environment', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('stop the cold start with their name when they cannot be right', () => {
      vi.stubEnv('RETURN_TERMS', '{"shipping":"free"}');
      expect(() => termsConfig()).toThrow(
        'environment variable RETURN_TERMS: /shipping must be one of none, proportional, full_if_whole_order, statutory',
      );
    });

    it('may be left out', () => {
      vi.stubEnv('RETURN_TERMS', '');
      expect(termsConfig()).toEqual({ terms: defaultTerms });
    });
  });
});

describe('the floor of the law', () => {
  const now = '2026-11-21T08:00:00.000Z';
  const delivered = (...at: readonly string[]) => [
    orderLine({ deliveries: at.map((one) => ({ quantity: 1, at: one })) }),
  ];
  const of = (facts: Partial<OrderFacts>, request: Parameters<typeof termsOf>[2] = {}) =>
    termsOf(defaultTerms, order(facts), request, now);
  const floor = { law: 'EU 2011/83', fees: ['inspection', 'return_shipping'] };

  it('is pinned for a withdrawal of a consumer in the EU, and gives back the shipping', () => {
    expect(of({ country: 'DE' })).toEqual({ ...defaultTerms, floor, shipping: 'statutory' });
    expect(of({ destination: { country: 'PT' } }, { basis: 'withdrawal' })).toMatchObject({ floor });
    expect(of({ country: 'DE', saleType: 'off_premises' })).toMatchObject({ floor });
  });

  it.each([
    [{}],
    [{ country: 'US' }],
    [{ country: 'GB' }],
    [{ country: 'DE', buyerIsConsumer: false }],
    [{ country: 'DE', saleType: 'in_store' as const }],
  ])('is none for %j', (facts) => {
    expect(of(facts)).toBe(defaultTerms);
  });

  it('is none for another claim than a withdrawal', () => {
    expect(of({ country: 'DE' }, { basis: 'warranty' })).toBe(defaultTerms);
  });

  it.each([
    [['2026-11-06T08:00:00Z'], true],
    [['2026-11-06T07:59:59Z'], false],
    [['2026-10-01T00:00:00Z', '2026-11-20T00:00:00Z'], true],
    [[], true],
  ])('of an order delivered at %j is there: %s', (at, isThere) => {
    expect(of({ country: 'DE', lines: delivered(...at) }).floor !== null).toBe(isThere);
  });

  it('takes nothing away from who is given more', () => {
    const generous = { ...defaultTerms, shipping: 'full_if_whole_order' } as const;
    expect(termsOf(generous, order({ country: 'DE' }), {}, now)).toEqual({ ...generous, floor });
  });
});
