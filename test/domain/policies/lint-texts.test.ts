import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../lib/domain/policies/policy.ts';
import { standardPolicy } from '../../../lib/domain/policies/templates/standard.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import { fee, flat, found, is, window } from './linted.ts';

const large = is('order.currency', 'EUR');
const thirty = window('a');
const grace = window('a', { graceDays: 2, fallback: { anchor: 'shipped', days: 37 } });
const restocking = fee('a', { type: 'restocking', bps: 1500 });
const shipping: Rule = flat('a', 490, 'EUR', large);
const yen: Rule = flat('a', 490, 'JPY');
const shipBy: Rule = { id: 'a', phase: 'logistics', text: '', shipByDays: 10 };

const messages = (rule: Rule, text: string, texts: Rule['texts'] = {}) =>
  found([{ ...rule, text, texts }])
    .filter(({ code }) => code === 'text_contradicts_rule')
    .map(({ path, message, severity }) => `${severity} ${path} ${message}`);

describe('lint: text that contradicts its rule', () => {
  it.each<[string, Rule, string, string]>([
    ['days of a window', thirty, 'Return it within 14 days.', 'names 14 days, but the rule has 30 days'],
    ['days with a hyphen', thirty, 'A 14-day return.', 'names 14 days, but the rule has 30 days'],
    ['days to send the goods', shipBy, 'Send it within 14 days.', 'names 14 days, but the rule has 10 days'],
    ['no fee', restocking, 'Returns are free of charge.', 'says that it is free, but the rule has a fee'],
    ['no fee for some days', shipping, 'Returns are free for 30 days.', 'says that it is free, but the rule has a fee'],
    ['a percentage', restocking, 'We keep 10 % of the price.', 'names 10 %, but the rule has 15 %'],
    ['an amount', shipping, 'Shipping costs €5.90.', 'names 5.9 EUR, but the rule has 4.9 EUR'],
    ['an amount in JPY', yen, 'Shipping costs 590 JPY.', 'names 590 JPY, but the rule has 490 JPY'],
  ])('reports %s', (_, rule, text, message) => {
    expect(messages(rule, text)).toEqual([`warning /rules/0/text ${message}`]);
  });

  it.each([
    ['pt', 'Pode devolver até 14 dias depois da entrega.'],
    ['es', 'Puede devolverlo en 14 días.'],
    ['de', 'Rückgabe innerhalb von 14 Tagen.'],
    ['fr', 'Retour sous 14 jours.'],
  ] as const)('reports days of a window in %s', (language, text) => {
    expect(messages(thirty, 'Within 30 days.', { [language]: text })).toEqual([
      `warning /rules/0/texts/${language} names 14 days, but the rule has 30 days`,
    ]);
  });

  it.each<[string, Rule, string]>([
    ['the days of the window', thirty, 'Within 30 days of delivery.'],
    ['another number of days beside its own', thirty, 'Within 30 days; the law gives you 14 days anyway.'],
    ['the days with their grace', grace, 'Within 32 days.'],
    ['the days of the fallback', grace, 'Within 37 days of shipment.'],
    ['no number', thirty, 'Within a month.'],
    ['a number of another kind', thirty, 'Up to 14 items can be returned.'],
    ['no fee beside its fee', shipping, 'Free for 14 days, then 4,90 €.'],
    ['the fee with two decimals', shipping, 'Shipping costs 4.90 EUR.'],
    ['an amount of another currency', shipping, 'Shipping costs 5.90 USD.'],
    ['its percentage', restocking, 'We keep 15% of the price.'],
    ['a word that contains "free"', restocking, 'Freezers are heavy.'],
    ['a number with groups', shipping, 'Above 1.000,00 EUR.'],
  ])('does not report %s', (_, rule, text) => {
    expect(messages(rule, text)).toEqual([]);
  });

  it('does not report the standard policy', () => {
    const { rules } = standardPolicy;
    const codes = lint({ ...standardPolicy, rules }, { reasons: new Set(builtInReasons.keys()) }).map(
      ({ code }) => code,
    );
    expect(codes).not.toContain('text_contradicts_rule');
  });
});
