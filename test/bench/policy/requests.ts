import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Facts } from '../../../lib/domain/policies/facts.ts';
import { seeded } from '../../support/seeded.ts';
import { policy } from './rules.ts';

/** The facts of one line for engines of conditions, and for each window whether it has ended. */
export type AlternativeFacts = Omit<Facts, 'lines'> & {
  readonly line: Facts['lines'][number];
  readonly over: Readonly<Record<string, boolean>>;
};

export type BenchRequest = { readonly ours: Facts; readonly alternatives: AlternativeFacts };

const day = 24 * 60 * 60 * 1000;

const factsFrom = (random: () => number): Facts => {
  const upTo = (maximum: number) => Math.floor(random() * (maximum + 1));
  const one = <Item>(...items: readonly [Item, ...Item[]]): Item => items[upTo(items.length - 1)] ?? items[0];
  const seldom = <Item>(usual: Item, ...others: readonly [Item, ...Item[]]): Item =>
    random() < 0.85 ? usual : one(...others);
  const requestedAt = Date.parse('2026-11-21T08:00:00Z') + upTo(365 * 24) * 3_600_000;
  const value = upTo(300_000);
  const reason = one('fit.too_small', 'fit.too_large', 'preference.changed', 'condition.damaged', 'other');
  return {
    requestedAt: new Date(requestedAt).toISOString(),
    order: {
      platform: 'web',
      country: one('DE', 'BR', 'US', 'FR'),
      channel: one('web', 'web', 'app', 'marketplace'),
      saleType: seldom('distance', 'in_store'),
      currency: 'EUR',
      placedAt: new Date(requestedAt - 70 * day).toISOString(),
      completeness: 'full',
      timeZone: one('Europe/Berlin', 'America/Sao_Paulo'),
      value: value + upTo(700_000),
    },
    customer: {
      segment: one('vip', 'new', 'regular'),
      lists: seldom([], ['blocked'], ['trusted'], ['fraud', 'reseller']),
      returnsLast30Days: upTo(9),
      returnsLast90Days: upTo(18),
      returnsLast365Days: upTo(50),
    },
    return: {
      initiatedBy: one('customer', 'agent'),
      isGift: seldom(false, true),
      quantity: 1 + upTo(9),
      value,
      reasons: [reason],
      skus: ['SHIRT-M'],
    },
    lines: [
      {
        orderLineId: '1',
        quantity: 1 + upTo(6),
        unitPrice: 1_999,
        value,
        sku: seldom('SHIRT-M', 'KEY-2', 'DEMO-3', 'MUG'),
        brand: seldom('acme', 'excluded'),
        categories: [one('shirts', 'shoes', 'electronics', 'toys'), seldom('summer', 'underwear', 'food', 'tickets')],
        tags: seldom([], ['clearance'], ['no_return']),
        finalSale: seldom(false, true),
        withdrawalExemption: seldom('none', 'sealed_goods', 'custom_made'),
        reason,
        reasonGroup: reason.split('.')[0] ?? reason,
        fault: one('customer', 'merchant', 'carrier', 'none'),
        condition: seldom('new', 'opened', 'used', 'damaged'),
        resolution: seldom('refund', 'exchange', 'repair', 'none'),
        hasNote: random() < 0.5,
        hasEvidence: random() < 0.5,
        delivered: true,
        deliveredAt: new Date(requestedAt - upTo(50) * day).toISOString(),
        rights: [],
      },
    ],
  };
};

const windows = policy.rules.filter(({ phase }) => phase === 'window');

/** Returns whether each window has ended. Engines of conditions cannot calculate it, so they get it free of cost. */
const overIn = (facts: Facts): AlternativeFacts['over'] =>
  Object.fromEntries(
    windows.map((rule) => {
      const { when: _, ...always } = rule;
      const [line] = evaluate(compilePolicy({ rules: [always] }), facts).lines;
      return [rule.id, line?.codes.includes('window_expired') === true];
    }),
  );

/** Returns this number of requests of one line, the same for the same seed, without missing facts. */
export const requestsFrom = (seed: number, count: number): readonly BenchRequest[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const ours = factsFrom(random);
    const { lines, ...whole } = ours;
    const [line] = lines;
    if (line === undefined) throw new Error('a request without a line');
    return { ours, alternatives: { ...whole, line, over: overIn(ours) } };
  });
};
