import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { applyRetention } from '../../../lib/service/schedules/retention/apply-retention.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { inSoak } from '../../support/samples.ts';
import { contextWith } from '../../support/time.ts';
import { workers } from '../jobs/worker.ts';
import { startSchedules } from '../schedules/support.ts';

setEnvironment({ PERSONAL_RETENTION_DAYS: '30', ORDER_RETENTION_DAYS: '20' });
const { engines, backendWith } = await startSchedules();
const backend = backendWith({});
const { workOff } = workers(engines.jobsUrl, jobRunner(backend));
afterEach(() => void vi.useRealTimers());

const dayMs = 86_400_000;
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const bracketed = 'customer.bracketedReturnsLast365Days';

const asking = { id: 'sizes', phase: 'approval', text: 'Sizes.', approval: 'manual' };
const document = {
  rules: [
    { id: 'auto', phase: 'approval', text: 'All.', approval: 'auto' },
    { ...asking, when: { fact: bracketed, op: 'gte', value: 1 } },
    { ...asking, id: 'many', when: { fact: 'customer.returnsLast365Days', op: 'gte', value: 1_000 } },
  ],
};

beforeAll(async () => {
  const created = await backend.createPolicy({ name: 'Conduct', document }, backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  const published = await backend.publish({ policyId: created.value.body.policyId }, backendCall());
  if (!published.ok) throw new Error(published.failure.code);
});

/** Registers an order of two sizes for a customer. */
const buy = async (customerId: string, { platform = 'web', country = 'US' } = {}) => {
  const order = { platform, orderId: randomUUID() };
  const line = (lineId: string) => ({ lineId, sku: lineId, productId: 'shirt', quantity: 1, unitPrice: eur(1_000) });
  const customer = { id: customerId, name: 'Ada', email: 'ada@example.com' };
  const facts = {
    currency: 'EUR',
    country,
    customer,
    lines: [line('S'), line('L')],
    observedAt: new Date().toISOString(),
  };
  expect(await backend.registerOrder({ ...order, ...facts }, backendCall())).toMatchObject({ ok: true });
  return order;
};

const lines = ['S', 'L'].map((orderLineId) => ({ orderLineId, quantity: 1, reason: { code: 'fit.too_small' } }));

/** Requests the return of both sizes of a new order. */
const sendBack = async (customerId: string, bought: { readonly platform?: string; readonly country?: string } = {}) => {
  const order = await buy(customerId, bought);
  const created = await backend.createReturn({ order, lines, initiatedBy: 'customer' }, backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  return { order, returnId: created.value.body.returnId };
};

/** Returns the facts of the customer for one more return. */
const factsFor = async (customerId: string, bought: { readonly country?: string } = {}) => {
  const request = { order: await buy(customerId, bought), lines: lines.slice(0, 1) };
  const quoted = await backend.quoteReturn({ request }, backendCall());
  if (!quoted.ok) throw new Error(quoted.failure.code);
  const facts = quoted.value.body.decision?.facts;
  if (facts === undefined) throw new Error('no policy decided');
  return facts['customer'];
};

const newCustomer = (): string => `customer-${randomUUID()}`;

describe('facts about conduct', () => {
  it('come from the returns of the same customer at the same shop', async () => {
    const customer = newCustomer();
    await sendBack(customer);
    await sendBack(customer, { platform: 'shopify' });
    await sendBack(newCustomer());
    expect(await factsFor(customer)).toMatchObject({
      bracketedReturnsLast365Days: 1,
      valueBoughtLast365Days: 2_000,
      valueReturnedLast365Days: 0,
      historyComplete: true,
    });
  });

  it('are not read where the law gives a right', async () => {
    const customer = newCustomer();
    await sendBack(customer);
    const facts = await factsFor(customer, { country: 'DE' });
    expect(facts).toMatchObject({ returnsLast365Days: 1 });
    expect(facts).not.toHaveProperty('bracketedReturnsLast365Days');
  });

  it('count an imported return from its request in the other system', async () => {
    const customer = newCustomer();
    for (const days of [10, 400]) {
      const order = await buy(customer);
      const requestedAt = new Date(Date.now() - days * dayMs).toISOString();
      const imported = { source: 'loop', externalId: randomUUID(), status: 'completed' as const, requestedAt };
      expect(await backend.importReturn({ ...imported, order, lines }, backendCall())).toMatchObject({ ok: true });
    }
    expect(await factsFor(customer)).toMatchObject({
      returnsLast30Days: 1,
      returnsLast365Days: 1,
      bracketedReturnsLast365Days: 1,
      valueReturnedLast365Days: 2_000,
    });
  });

  it.each(inSoak('come from the newest hundred returns, and say so'))('%s', async () => {
    const customer = newCustomer();
    for (let count = 0; count < 101; count += 1) await sendBack(customer);
    expect(await factsFor(customer)).toMatchObject({
      bracketedReturnsLast365Days: 100,
      returnsLast365Days: 101,
      historyComplete: false,
    });
  });

  it('leave out the returns of an erased customer', async () => {
    const customer = newCustomer();
    await sendBack(customer);
    expect(await backend.eraseCustomer({ platform: 'web', customerId: customer }, backendCall())).toMatchObject({
      ok: true,
    });
    await workOff();
    expect(await factsFor(customer)).toMatchObject({ bracketedReturnsLast365Days: 0, returnsLast365Days: 0 });
  });

  it('leave out orders, and then returns, whose retention is over', async () => {
    const customer = newCustomer();
    const { returnId } = await sendBack(customer);
    expect(await backend.cancel({ returnId }, backendCall())).toMatchObject({ ok: true });
    const factsAfter = async (days: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
      for (let runs = 0; runs < 2; runs += 1) await applyRetention({}, contextWith());
      return factsFor(customer);
    };
    const withoutOrder = await factsAfter(22);
    expect(withoutOrder).toMatchObject({ returnsLast365Days: 1 });
    expect(withoutOrder).not.toHaveProperty('valueBoughtLast365Days');
    expect(await factsAfter(10)).toMatchObject({ returnsLast365Days: 0 });
  });
});
