import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer, Api } from './api.ts';
import { beginDraft, publishedPolicy } from './policies.ts';
import { orderPath, registerOrder, shirts, shopOrder } from './scenario.ts';

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

export const auto = { id: 'auto', phase: 'approval', text: 'No person reviews it.', approval: 'auto' };
export const manual = { ...auto, id: 'manual', text: 'A person reviews all of them.', approval: 'manual' };
export const window = (days: number) => ({
  id: 'window',
  phase: 'window',
  text: `Goods may come back for ${days} days.`,
  window: { anchor: 'delivered', days },
});
export const noFinalSale = {
  id: 'final-sale',
  phase: 'exclusion',
  text: 'What was sold for good stays sold.',
  when: { fact: 'line.finalSale', op: 'eq', value: true },
  deny: 'final_sale',
};

export const often = {
  id: 'often',
  phase: 'limit',
  text: 'One return a month.',
  when: { fact: 'customer.returnsLast30Days', op: 'gte', value: 1 },
  deny: 'limit_reached',
};

/**
 * Creates a policy for one seller, and that seller's orders. They are in the United States, without a statutory right.
 */
export const shop = (service: Api) => {
  const seller = randomUUID();
  const lines = (days: number, hat: object = {}) =>
    shopOrder().lines.map((line) => ({
      ...line,
      finalSale: false,
      deliveries: [{ quantity: line.quantity, at: daysAgo(days) }],
      ...(line.lineId === '12' ? hat : {}),
    }));
  type ReportedFacts = { readonly delivered?: number; readonly hat?: object; readonly [fact: string]: unknown };
  const reportedOrder = ({ delivered = 3, hat = {}, ...facts }: ReportedFacts) => ({
    country: 'US',
    seller,
    placedAt: daysAgo(delivered + 2),
    lines: lines(delivered, hat),
    ...facts,
  });
  return {
    seller,
    publish: async (rules: readonly object[], more: object = {}) =>
      publishedPolicy(service, { selectors: { sellers: [seller] }, rules, ...more }),
    /**
     * Publishes another version of the policy. It also decides for older orders where it is better for the customer.
     */
    publishBetter: async (path: string, rules: readonly object[]) => {
      const document = { selectors: { sellers: [seller] }, rules, favorable: true };
      const saved = await service.put(`${path}/draft`, { document }, beginDraft);
      expect(saved.status).toBe(201);
      const published = await service.post(`${path}/publish`);
      expect(published.status).toBe(200);
    },
    order: async (facts: ReportedFacts) => registerOrder(service, reportedOrder(facts)),
    /** Reports new facts of a known order, without customer data. */
    reportFacts: async (order: { platform: string; orderId: string }, facts: ReportedFacts) => {
      const observedAt = new Date().toISOString();
      return service.put(orderPath(order), shopOrder({ customer: undefined, ...reportedOrder(facts), observedAt }));
    },
  };
};

/** The shops whose policy no test changes, by service and rules. */
const shops = new WeakMap<Api, Map<string, Promise<ReturnType<typeof shop>>>>();

/**
 * Returns a shop whose policy has these rules. Other tests of the file get the same shop, because a service has at most
 * 100 policies. No test may publish another version.
 */
export const shopWith = async (service: Api, rules: readonly object[]): Promise<ReturnType<typeof shop>> => {
  const known = shops.get(service) ?? new Map<string, Promise<ReturnType<typeof shop>>>();
  shops.set(service, known);
  const open = async () => {
    const opened = shop(service);
    await opened.publish(rules);
    return opened;
  };
  const key = JSON.stringify(rules);
  const found = known.get(key) ?? open();
  known.set(key, found);
  return found;
};

export const hat = { orderLineId: '12', quantity: 1, reason: { code: 'preference.changed_mind' } };

/** Returns a request that a policy binds. */
export const ofCustomer = (order: object, lines: readonly object[] = [shirts(2)], more: object = {}) => ({
  order,
  lines,
  initiatedBy: 'customer',
  ...more,
});

export const returned = ({ body }: Answer) => body as unknown as Output<'getReturn'>;

type Decision = Output<'getDecision'>;

/** Returns the decision on the return of a response. */
export const decided = async (service: Api, answer: Answer): Promise<Decision> => {
  const { decision } = returned(answer);
  const read = await service.get(`/decisions/${decision?.decisionId}`);
  expect(read.status).toBe(200);
  return read.body as unknown as Decision;
};
