import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../../lib/domain/policies/law/statutory-rules.ts';
import type { Condition, Policy, Rule } from '../../../../lib/domain/policies/policy.ts';
import { toGoogle } from '../../../../lib/domain/policies/published/formats/google.ts';
import { toSchemaOrg } from '../../../../lib/domain/policies/published/formats/schema-org.ts';
import { toShopify } from '../../../../lib/domain/policies/published/formats/shopify.ts';
import { toUcp } from '../../../../lib/domain/policies/published/formats/ucp.ts';
import { statementsOf } from '../../../../lib/domain/policies/published/statements.ts';
import { standardPolicy } from '../../../../lib/domain/policies/templates/standard.ts';
import { defaultTerms } from '../../../../lib/domain/policies/terms/policy-terms.ts';
import { languages } from '../../../../lib/domain/returns/input-checks.ts';
import { omissionSentences, policySentences } from '../../../../lib/domain/texts/policy-text/sentences.ts';

const published = (policy: Policy, country = 'PT') =>
  statementsOf(
    policy,
    { country, from: '2026-11-30T00:00:00Z', to: '2026-11-30T23:59:59Z' },
    { statutoryRules, terms: defaultTerms },
  );

const window = (id: string, days: number, when?: Condition): Rule => ({
  id,
  phase: 'window',
  text: id,
  window: { anchor: 'delivered', days },
  ...(when === undefined ? {} : { when }),
});
const vip: Condition = { fact: 'customer.segment', op: 'eq', value: 'vip' };
const shoes: Condition = { fact: 'line.categories', op: 'hasAny', value: ['shoes'] };

const windowsOf = (...rules: readonly Rule[]) => {
  const { statements, omitted } = published({ rules });
  return { windows: statements.filter(({ kind }) => kind === 'window'), omitted };
};

describe('statementsOf the standard policy', () => {
  const { statements, omitted } = published(standardPolicy);

  it('states its windows, seasons and exclusions, and the laws of the country', () => {
    expect(policySentences(statements, 'en')).toEqual([
      'You can return items within 30 days of the delivery of the item. If that date is unknown, you have 37 days from the shipment of the item. If the last day is a weekend day or a holiday, the next working day counts. Orders placed from 1 November 2026 to 24 December 2026 can be returned at least until 31 January 2027. Not for: liable party “carrier” or “shop”.',
      'You can return items within 730 days of the delivery of the item. If that date is unknown, you have 737 days from the shipment of the item. If the last day is a weekend day or a holiday, the next working day counts. Only for: liable party “carrier” or “shop”.',
      'You cannot return these items. Only for: liable party other than “carrier” or “shop” and product category “digital”.',
      'You cannot return these items. Only for: liable party other than “carrier” or “shop” and items from a final sale.',
      'You cannot return these items. Only for: liable party other than “carrier” or “shop” and product category “gift_cards”.',
      'You cannot return these items. Only for: liable party other than “carrier” or “shop” and product category “hygiene”.',
      'Add a photo or other evidence when you request the return. Only for: kind of reason “condition”.',
      'You can choose: refund, exchange, store credit or repair.',
      'Nothing is deducted for return shipping.',
      'There is no processing fee.',
      'Up to 100% may be deducted if the item has lost value.',
      'The discount of a promotion is not deducted.',
      'As a consumer, you can also withdraw from the contract by law within 14 days of the delivery (EU 2011/83).',
      'As a consumer, you also have rights for faulty goods by law within 2 years of the delivery (EU 2019/771).',
      'As a consumer, you also have rights for faulty goods by law within 3 years of the delivery (PT DL 84/2021).',
      'We may examine single returns, and decide differently.',
    ]);
  });

  it('lists what it omits, and tells no threshold and no days of grace', () => {
    expect(omitted).toEqual([
      { kind: 'window', why: 'undisclosed' },
      { kind: 'examination', why: 'threshold' },
      { kind: 'examination', why: 'individual' },
    ]);
    expect(JSON.stringify(statements)).not.toMatch(/15000|13000|80000|graceDays|customer\./);
  });

  it.each(languages)('has a sentence for each omission in %s', (language) => {
    const sentences = omissionSentences(omitted, language);
    expect(new Set(sentences).size).toBe(omitted.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.+: .+\.$/u);
  });

  it.each(languages)('has a sentence for each statement in %s', (language) => {
    const sentences = policySentences(statements, language);
    expect(sentences).toHaveLength(statements.length);
    expect(sentences.join(' ')).not.toMatch(/undefined|null|\{n\}/);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

describe('statementsOf', () => {
  it('states a general window as a minimum when single customers have longer', () => {
    const { windows, omitted } = windowsOf(window('all', 30), window('vip', 60, vip));
    expect(windows).toEqual([{ kind: 'window', window: { anchor: 'delivered', days: 30 } }]);
    expect(omitted).toContainEqual({ kind: 'window', why: 'individual' });
  });

  it('omits a window when single customers have a shorter one', () => {
    const { windows, omitted } = windowsOf(window('all', 30), window('risky', 7, vip));
    expect(windows).toEqual([]);
    expect(omitted).toContainEqual({ kind: 'window', why: 'individual' });
  });

  it('says that single returns may be examined when a rule that is omitted may decide', () => {
    const block: Rule = { id: 'block', phase: 'list', text: 'No', block: 'blocked', when: vip };
    const auto: Rule = { id: 'auto', phase: 'approval', text: 'Yes', approval: 'auto' };
    const examined = { kind: 'examination', of: 'single' };
    expect(published({ rules: [auto, block] }).statements).toContainEqual(examined);
    expect(published({ rules: [auto] }).statements).not.toContainEqual(examined);
    expect(published({ rules: [] }).statements).toContainEqual({ kind: 'examination', of: 'each' });
  });

  it('states rules on the country and the time of the order without their conditions', () => {
    const { windows } = windowsOf(
      window('other', 10, { fact: 'order.country', op: 'eq', value: 'DE' }),
      window('here', 20, { fact: 'order.country', op: 'in', value: ['PT', 'ES'] }),
      window('later', 40, { fact: 'order.placedAt', op: 'gte', value: '2026-12-01T00:00:00Z' }),
    );
    expect(windows).toEqual([{ kind: 'window', window: { anchor: 'delivered', days: 20 } }]);
  });

  it('states at most 24 exceptions, and omits the rest', () => {
    const rules = Array.from({ length: 40 }, (_, index) =>
      window(`w${index}`, index + 1, { fact: 'line.sku', op: 'eq', value: `SKU-${index}` }),
    );
    const { windows, omitted } = windowsOf(...rules, window('all', 30));
    expect(windows).toHaveLength(25);
    expect(omitted).toContainEqual({ kind: 'window', why: 'not_expressible' });
  });
});

describe('the formats of a policy', () => {
  const fee = (terms: Extract<Rule, { phase: 'fee' }>['fee']): Rule => ({
    id: terms.type,
    phase: 'fee',
    text: 'Fee',
    fee: terms,
  });
  const exclusion: Rule = { id: 'x', phase: 'exclusion', text: 'No shoes', when: shoes, deny: 'excluded' };
  const rules: readonly Rule[] = [
    {
      ...window('all', 30),
      window: {
        anchor: 'delivered',
        days: 30,
        seasonal: [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }],
      },
    } as Rule,
    fee({ type: 'return_shipping', amount: { amount: 495, currency: 'EUR' } }),
    fee({ type: 'restocking', bps: 1_500 }),
    fee({ type: 'inspection', bps: 0 }),
    { id: 'r', phase: 'resolution', text: 'Two', resolutions: ['refund', 'exchange'] },
    exclusion,
  ];

  it('say no amount of an unknown currency, whose digits are unknown', () => {
    const unknown = fee({ type: 'return_shipping', amount: { amount: 495, currency: 'XQQ' } });
    const { statements } = published({ rules: [window('all', 30), unknown] }, 'US');
    for (const { document, omitted } of [toSchemaOrg(statements, 'US'), toGoogle(statements, 'US')]) {
      expect(JSON.stringify(document)).not.toMatch(/XQQ|ReturnShippingFees|returnShippingFee/);
      expect(omitted).toContain('fee');
    }
  });

  it('say fees, seasons and exclusions where no law removes them', () => {
    const { statements } = published({ rules }, 'US');
    const when = [[{ fact: 'line.categories', is: ['shoes'] }]];
    const base = { '@context': 'https://schema.org', '@type': 'MerchantReturnPolicy', applicableCountry: 'US' };
    expect(toSchemaOrg(statements, 'US')).toEqual({
      document: {
        ...base,
        returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
        merchantReturnDays: 30,
        returnPolicySeasonalOverride: [
          {
            '@type': 'MerchantReturnPolicySeasonalOverride',
            startDate: '2026-11-01',
            endDate: '2026-12-24',
            returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
            merchantReturnDays: [30, '2027-01-31'],
          },
        ],
        restockingFee: 15,
        returnFees: 'https://schema.org/ReturnShippingFees',
        returnShippingFeesAmount: { '@type': 'MonetaryAmount', value: '4.95', currency: 'EUR' },
        refundType: ['https://schema.org/ExchangeRefund'],
      },
      exceptions: [
        { when, document: { ...base, returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted' } },
      ],
      omitted: ['resolutions', 'fee', 'examination'],
    });
    expect(toGoogle(statements, 'US')).toEqual({
      document: {
        countries: ['US'],
        policy: { type: 'NUMBER_OF_DAYS_AFTER_DELIVERY', days: '30' },
        restockingFee: { microPercent: 15_000_000 },
        returnShippingFee: { type: 'FIXED', fixedFee: { amountMicros: '4950000', currencyCode: 'EUR' } },
        acceptExchange: true,
      },
      exceptions: [{ when, document: { countries: ['US'], policy: { type: 'NO_RETURNS' } } }],
      omitted: ['window', 'resolutions', 'fee', 'examination'],
    });
    const sentences = policySentences(statements, 'en');
    expect(toUcp(statements, sentences)).toMatchObject({
      document: {
        type: 'dev.ucp.shopping.policy.return',
        description: { plain: sentences.join('\n') },
        window: { days: 30, anchor: 'delivered' },
        supported_resolutions: ['exchange'],
        restocking_fee: { percentage_bps: 1_500 },
      },
      exceptions: [{ when, document: { final_sale: true } }],
    });
  });

  it('omit fees and exclusions that a law removes in part', () => {
    const { statements } = published({ rules }, 'DE');
    const { document, exceptions, omitted } = toSchemaOrg(statements, 'DE');
    expect(document).toMatchObject({
      customerRemorseReturnFees: 'https://schema.org/ReturnShippingFees',
      customerRemorseReturnShippingFeesAmount: { value: '4.95' },
    });
    expect(document).not.toHaveProperty('restockingFee');
    expect(document).not.toHaveProperty('returnFees');
    expect(exceptions).toEqual([]);
    expect(omitted).toEqual(['exclusion', 'resolutions', 'fee', 'right', 'examination']);
    expect(toGoogle(statements, 'DE').document).not.toHaveProperty('returnShippingFee');
  });

  it('omit a window that is shorter for some goods, or shorter than the right of withdrawal', () => {
    const shorter = published({ rules: [window('all', 30), window('shoes', 14, shoes)] }, 'US');
    const longer = published({ rules: [window('all', 30), window('shoes', 60, shoes)] }, 'US');
    const unlawful = published({ rules: [window('all', 7)] }, 'DE');
    expect(toGoogle(shorter.statements, 'US').document).not.toHaveProperty('policy');
    expect(toGoogle(longer.statements, 'US').document).toHaveProperty('policy.days', '30');
    expect(toUcp(unlawful.statements, []).document).not.toHaveProperty('window');
    expect(toSchemaOrg(unlawful.statements, 'DE').document['returnPolicyCategory']).toBe(
      'https://schema.org/MerchantReturnUnspecified',
    );
  });

  describe('of Shopify', () => {
    const others = ['resolutions', 'fee', 'examination'];
    const shopify = (days: Extract<Rule, { phase: 'window' }>['window'], country = 'US', ...more: readonly Rule[]) =>
      toShopify(published({ rules: [{ ...window('all', 1), window: days } as Rule, ...more] }, country).statements);

    it('has the days, their start and the move to a working day', () => {
      expect(shopify({ anchor: 'last_item_delivered', days: 30, roll: 'next_working_day' })).toEqual({
        document: {
          canAcceptReturns: true,
          returnWindowDays: 30,
          returnWindowStartingFrom: 'LAST_ITEM_DELIVERY_DATE',
          extendWindowToBusinessDay: true,
        },
        exceptions: [],
        omitted: others,
      });
      expect(toShopify(published({ rules: [] }, 'US').statements).document).toEqual({
        canAcceptReturns: true,
        returnWindowDays: -1,
      });
    });

    it('omits starts, seasons, exclusions and short windows that it cannot say', () => {
      const seasonal = [{ from: '2026-11-01', to: '2026-12-24', until: '2027-01-31' }];
      expect(shopify({ anchor: 'shipped', days: 30 })).toMatchObject({ document: {}, omitted: ['window', ...others] });
      expect(shopify({ anchor: 'delivered', days: 30, seasonal })).toMatchObject({
        document: { returnWindowDays: 30 },
        omitted: ['window', ...others],
      });
      expect(shopify({ anchor: 'delivered', days: 30 }, 'US', exclusion).omitted).toEqual(['exclusion', ...others]);
      expect(shopify({ anchor: 'delivered', days: 7 }, 'DE').document).toEqual({});
    });

    it('accepts no returns only where no law gives a right', () => {
      const never: Rule = { id: 'never', phase: 'exclusion', text: 'No returns', deny: 'excluded' };
      expect(shopify({ anchor: 'delivered', days: 30 }, 'US', never, exclusion)).toEqual({
        document: { canAcceptReturns: false },
        exceptions: [],
        omitted: ['window', ...others],
      });
      expect(shopify({ anchor: 'delivered', days: 30 }, 'PT', never).document).toEqual({});
    });
  });
});
