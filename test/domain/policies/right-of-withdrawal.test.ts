import { describe, expect, it } from 'vitest';
import { isRightOfWithdrawal } from '../../../lib/domain/policies/law/statutory-rules.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';

type Sale = Pick<OrderFacts, 'country' | 'destination' | 'saleType' | 'buyerIsConsumer'>;

describe('isRightOfWithdrawal', () => {
  it.each<[string, Sale, boolean]>([
    ['Germany', { country: 'DE' }, true],
    ['Norway', { country: 'NO' }, true],
    ['the United Kingdom', { country: 'GB' }, true],
    ['Brazil', { country: 'BR' }, true],
    ['Australia, whose law covers defects only', { country: 'AU' }, false],
    ['the United States', { country: 'US' }, false],
    ['a destination in Portugal', { destination: { country: 'PT' } }, true],
    ['the United States with a destination in Portugal', { country: 'US', destination: { country: 'PT' } }, false],
    ['an unknown country', {}, false],
    ['a shop in Germany', { country: 'DE', saleType: 'in_store' }, false],
    ['a business in Germany', { country: 'DE', buyerIsConsumer: false }, false],
  ])('for a sale to %s', (_, sale, expected) => {
    expect(isRightOfWithdrawal(sale)).toBe(expected);
  });
});
