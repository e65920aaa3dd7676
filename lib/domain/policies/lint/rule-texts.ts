import { exponent } from '../../money/currency.ts';
import type { Rule } from '../policy.ts';
import type { LintedRule, LintFinding } from './linted-rule.ts';

/*
 * Compares what a text tells customers with what its rule does. A text is free, so only plain contradictions count: a
 * number that the rule does not have, where the text has no other number of that kind.
 */

const number = String.raw`(?<![\d.,])(\d+(?:[.,]\d{1,2})?)(?![.,]?\d)`;
const days = new RegExp(String.raw`${number}[\s-](?:days?|dias?|días?|tage?n?|jours?)(?!\p{L})`, 'giu');
const percentages = new RegExp(String.raw`${number}\s?%`, 'gu');
const numbers = new RegExp(number, 'gu');
const free = /(?<!\p{L})(?:free|grátis|gratis|gratuit\p{L}*|kostenlos\p{L}*|kostenfrei\p{L}*)(?!\p{L})/iu;

const symbols: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', USD: '$', BRL: 'R$' };

const numbersIn = (text: string, pattern: RegExp): readonly number[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => Number(found.replace(',', '.')));

type Contradiction = Pick<LintFinding, 'message' | 'values'>;

/** Returns what a text names in place of what the rule has. */
const differing = (
  named: readonly number[],
  own: readonly (number | undefined)[],
  unit: string,
): Contradiction | undefined => {
  const [first] = named;
  if (first === undefined || named.some((value) => own.includes(value))) return undefined;
  const values = { named: first, own: own.find((value) => value !== undefined) ?? 0 };
  return { message: `names ${values.named}${unit}, but the rule has ${values.own}${unit}`, values };
};

const ofWindow = (text: string, { days: granted, graceDays = 0, fallback }: (Rule & { phase: 'window' })['window']) =>
  differing(numbersIn(text, days), [granted, granted + graceDays, fallback?.days], ' days');

const ofFee = (text: string, { bps, amount }: (Rule & { phase: 'fee' })['fee']): Contradiction | undefined => {
  const isCharged = (bps ?? 0) > 0 || (amount?.amount ?? 0) > 0;
  const withoutDays = text.replaceAll(days, '');
  if (isCharged && free.test(text) && !/\d/.test(withoutDays))
    return { message: 'says that it is free, but the rule has a fee' };
  if (bps !== undefined) return differing(numbersIn(text, percentages), [bps / 100], ' %');
  if (amount === undefined) return undefined;
  const { currency } = amount;
  if (!text.includes(currency) && !text.includes(symbols[currency] ?? currency)) return undefined;
  const named = numbersIn(withoutDays.replaceAll(percentages, ''), numbers);
  return differing(named, [amount.amount / 10 ** (exponent(currency) ?? 2)], ` ${currency}`);
};

const contradictionOf = (rule: Rule, text: string): Contradiction | undefined => {
  if (rule.phase === 'window') return ofWindow(text, rule.window);
  if (rule.phase === 'fee') return ofFee(text, rule.fee);
  return 'shipByDays' in rule ? differing(numbersIn(text, days), [rule.shipByDays], ' days') : undefined;
};

/** Finds texts for customers that contradict their rule, such as 14 days for a window of 30. */
export const contradictedTexts = (rules: readonly LintedRule[]): readonly LintFinding[] =>
  rules.flatMap(({ rule, path }) =>
    [
      [rule.text, '/text'] as const,
      ...Object.entries(rule.texts ?? {}).map(([language, text]) => [text, `/texts/${language}`] as const),
    ].flatMap(([text, place]): readonly LintFinding[] => {
      const found = contradictionOf(rule, text);
      if (found === undefined) return [];
      return [
        { code: 'text_contradicts_rule', severity: 'warning', path: `${path}${place}`, ...found, rules: [rule.id] },
      ];
    }),
  );
