import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { auto, daysAgo, decided, ofCustomer, returned, shopWith, window } from '../support/decided-shop.ts';
import { eur } from '../support/orders.ts';
import { orderPath, registerOrder, shopOrder } from '../support/scenario.ts';

const asking = (id: string, fact: string, value: number) => ({
  id,
  phase: 'approval',
  text: `You have too many: ${id}.`,
  when: { fact: `customer.${fact}Last365Days`, op: 'gte', value },
  approval: 'manual',
});
const asked = [
  asking('sizes', 'bracketedReturns', 1),
  asking('worn', 'lateUsedReturns', 1),
  asking('boxes', 'emptyBoxReturns', 1),
  asking('share', 'returnedShare', 9_000),
  { ...asking('score', '', 0), when: { fact: 'customer.externalScore', op: 'gte', value: 800 } },
];
const rules = [window(100), auto, ...asked];
const askingIds = new Set(asked.map(({ id }) => id));

const line = (size: string, days: number) => ({
  lineId: size,
  sku: `SHIRT-${size}`,
  productId: 'shirt',
  quantity: 1,
  unitPrice: eur(1000),
  deliveries: [{ quantity: 1, at: daysAgo(days) }],
});
const wanted = (...sizes: readonly string[]) =>
  sizes.map((orderLineId) => ({ orderLineId, quantity: 1, reason: { code: 'fit.too_small' } }));

describe.each(contractModes(import.meta.filename))('%s conduct of a customer', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });

  /** A shop with the rules, whose orders have one customer. */
  const opened = async () => {
    const { seller } = await shopWith(service, rules);
    const customer = { id: `customer-${randomUUID()}`, email: 'ada@example.com', name: 'Ada' };
    type Bought = { readonly days?: number; readonly country?: string; readonly id?: string };
    const factsOf = ({ days = 20, country = 'US', id = customer.id }: Bought = {}) => ({
      country,
      seller,
      placedAt: daysAgo(days + 1),
      customer: { ...customer, id },
      lines: ['S', 'M', 'L'].map((size) => line(size, days)),
    });
    const order = async (bought: Bought = {}) => registerOrder(service, factsOf(bought));
    const request = async (of: object, ...sizes: readonly string[]) => {
      const answer = await service.post('/returns', ofCustomer(of, wanted(...sizes)));
      expect(answer.status).toBe(201);
      return answer;
    };
    /** Returns the verdict on one more shirt of a new order, with the rules that asked for a person. */
    const next = async (bought: Bought = {}) => {
      const answer = await request(await order(bought), 'M');
      const decision = await decided(service, answer);
      const matched = decision.trace.filter(({ rule, result }) => result === 'matched' && askingIds.has(rule));
      return { answer, decision, asked: matched.map(({ rule, inputs }) => [rule, inputs]) };
    };
    return { customer, factsOf, order, request, next };
  };

  /** Sends a command on a return. */
  const command = async (id: string, path: string, body: object) => {
    const answer = await service.post(`/returns/${id}/${path}`, body);
    expect(answer).toMatchObject({ status: 200 });
    return returned(answer);
  };

  it('asks for a person after two sizes of a product, and a person may approve', async () => {
    const { order, request, next } = await opened();
    expect(returned(await request(await order(), 'S', 'L'))).toMatchObject({ status: 'approved' });
    const { answer, decision, asked } = await next();
    expect(returned(answer)).toMatchObject({ status: 'requested', decision: { verdict: 'needs_review' } });
    expect(asked).toEqual([['sizes', { 'customer.bracketedReturnsLast365Days': 1, 'customer.historyComplete': true }]]);
    expect(decision.lines).toMatchObject([{ verdict: 'eligible', codes: [] }]);
    expect(decision.explanation.at(-1)).toBe('A person examines this return.');
    expect(decision.explanation.join(' ')).not.toContain('too many');
    expect(await command(returned(answer).returnId, 'approve', {})).toMatchObject({ status: 'approved' });
  });

  it('counts late and used goods, an empty box, and the share of what was bought', async () => {
    const { order, request, next } = await opened();
    const worn = returned(await request(await order(), 'M'));
    const units = { lineId: worn.lines[0]?.lineId, quantity: 1 };
    await command(worn.returnId, 'receipts', { lines: [units] });
    const found = { ...units, outcome: 'accept', disposition: 'refurbish', deductionBps: 2_000 };
    await command(worn.returnId, 'inspections', { lines: [found] });
    const inputs = (name: string, value: number) => ({
      [`customer.${name}Last365Days`]: value,
      'customer.historyComplete': true,
    });
    const { answer, asked, decision } = await next();
    expect(asked).toEqual([['worn', inputs('lateUsedReturns', 1)]]);
    expect(decision.facts).toMatchObject({
      customer: { valueReturnedLast30Days: 1_000, valueBoughtLast30Days: 3_000, returnedShareLast30Days: 3_333 },
    });
    const { returnId } = returned(answer);
    await command(returnId, 'approve', {});
    await command(returnId, 'receipts/close', { cause: 'not_in_parcel' });
    expect((await next()).asked).toContainEqual(['boxes', inputs('emptyBoxReturns', 1)]);
  });

  it('is read by a quote, an amendment, new facts of the order, and a reopening', async () => {
    const { factsOf, order, request } = await opened();
    await request(await order(), 'S', 'L');
    const of = await order();
    const quote = await service.post('/quotes', { request: ofCustomer(of, wanted('M')) });
    expect(quote.body).toMatchObject({ decision: { verdict: 'needs_review' } });
    const waiting = await request(of, 'M');
    const { returnId } = returned(waiting);
    expect(await command(returnId, 'amendment', { add: wanted('S') })).toMatchObject({ status: 'requested' });
    const observedAt = new Date().toISOString();
    const facts = shopOrder({ ...factsOf({ days: 19 }), observedAt });
    expect(await service.put(orderPath(of), facts)).toMatchObject({ status: 200 });
    const renewed = await service.get(`/returns/${returnId}`);
    expect(returned(renewed)).toMatchObject({ status: 'requested', decision: { verdict: 'needs_review' } });
    expect(returned(renewed).decision?.decisionId).not.toBe(returned(waiting).decision?.decisionId);
    await command(returnId, 'reject', { code: 'worn' });
    expect(await command(returnId, 'reopen', { reason: 'by mistake' })).toMatchObject({
      status: 'requested',
      decision: { verdict: 'needs_review' },
    });
  });

  it('includes a score of another service that the request has, with its source', async () => {
    const { order } = await opened();
    const scored = async (value: number) => {
      const externalScore = { source: 'risk-service', value };
      return service.post('/returns', ofCustomer(await order(), wanted('M'), { externalScore }));
    };
    expect(returned(await scored(799))).toMatchObject({ status: 'approved' });
    const answer = await scored(800);
    expect(returned(answer)).toMatchObject({ status: 'requested' });
    const { trace, explanation } = await decided(service, answer);
    const inputs = { 'customer.externalScore': 800, 'customer.externalScoreSource': 'risk-service' };
    expect(trace).toContainEqual(expect.objectContaining({ rule: 'score', result: 'matched', inputs }));
    expect(explanation.at(-1)).toBe('A person examines this return.');
    expect(await scored(1_001)).toMatchObject({ status: 400, body: { errors: [{ path: '/externalScore/value' }] } });
  });

  it('reads no conduct where the law gives a right, and decides as without the rules', async () => {
    const { order, request, next } = await opened();
    await request(await order(), 'S', 'L');
    const { answer, decision } = await next({ country: 'DE', days: 3 });
    expect(returned(answer)).toMatchObject({ status: 'approved' });
    expect(decision.trace).toContainEqual(expect.objectContaining({ rule: 'sizes', result: 'skipped', inputs: {} }));
    expect(JSON.stringify(decision.facts)).not.toContain('bracketed');
  });

  it('does not mix customers, and has no facts of an order without one', async () => {
    const { order, request, next } = await opened();
    await request(await order(), 'S', 'L');
    expect((await next({ id: `customer-${randomUUID()}` })).asked).toEqual([]);
  });

  it('counts nothing of a customer who was erased', async () => {
    const { customer, order, request, next } = await opened();
    const first = await order();
    await request(first, 'S', 'L');
    const started = await service.post('/erasures', { platform: first.platform, customerId: customer.id });
    expect(started.status).toBe(201);
    await vi.waitFor(
      async () => expect((await service.get(`/jobs/${started.body.jobId}`)).body).toMatchObject({ status: 'done' }),
      { timeout: 120_000, interval: 250 },
    );
    const { answer, decision } = await next();
    expect(returned(answer)).toMatchObject({ status: 'approved' });
    expect(decision.facts).toMatchObject({ customer: { bracketedReturnsLast365Days: 0 } });
  });
});
