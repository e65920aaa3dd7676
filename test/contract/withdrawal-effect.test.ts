import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { auto, shop, window } from '../support/decided-shop.ts';
import { eur } from '../support/orders.ts';
import { orderPath, shopOrder } from '../support/scenario.ts';
import { inSoak } from '../support/samples.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

type Withdrawal = Output<'matchWithdrawal'>;

/** Three shirts, of which some are shipped, and some days ago they arrived. */
const shirtLine = (shipped: number, days = 2) => ({
  lineId: '11',
  sku: 'SHIRT-M',
  quantity: 3,
  fulfilledQuantity: shipped,
  unitPrice: eur(1000),
  ...(shipped > 0 && { deliveries: [{ quantity: shipped, at: daysAgo(days) }] }),
});
const hatLine = (changes: object = {}) => ({
  lineId: '12',
  sku: 'HAT',
  quantity: 1,
  fulfilledQuantity: 1,
  unitPrice: eur(2000),
  deliveries: [{ quantity: 1, at: daysAgo(2) }],
  ...changes,
});

describe.each(contractModes(import.meta.filename))('%s effect of a matched withdrawal', (mode) => {
  const service = contractApi(mode);

  const register = async (lines: readonly object[], facts: object = {}, known?: object) => {
    const order = (known ?? { platform: 'shopify', orderId: randomUUID() }) as { platform: string; orderId: string };
    const shipping = { paid: eur(490), standardCost: eur(490) };
    const body = shopOrder({ lines, placedAt: daysAgo(5), shipping, observedAt: new Date().toISOString(), ...facts });
    expect((await service.put(orderPath(order), body)).status).toBe(known === undefined ? 201 : 200);
    return order;
  };
  const declare = async (fact: object = {}) => {
    const own = randomUUID();
    const body = { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own, ...fact };
    const client = Object.keys(fact).length === 0 ? undefined : { client: 'returns-admin' };
    const answer = await service.post('/withdrawals', body, client);
    expect(answer.status).toBe(201);
    return `/withdrawals/${(answer.body as { withdrawalId?: string }).withdrawalId}`;
  };
  const matched = async (order: object, lines?: readonly object[], fact?: object) => {
    const path = await declare(fact);
    const answer = await service.post(`${path}/match`, { order, ...(lines && { lines }) });
    expect(answer.status).toBe(200);
    return { path, state: answer.body as unknown as Withdrawal };
  };
  const unitsOf = async (order: { platform: string; orderId: string }) =>
    (await service.get(`${orderPath(order)}/returnable`)).body['lines'];
  const readReturn = async (returnId: string | undefined) =>
    (await service.get(`/returns/${returnId}`)).body as unknown as Output<'getReturn'>;

  it('holds units before their shipment, so that no return takes them', async () => {
    const order = await register([shirtLine(0)]);
    const { state } = await matched(order, [{ orderLineId: '11', quantity: 2 }]);
    expect(state).toMatchObject({ status: 'matched', cancelled: [{ orderLineId: '11', quantity: 2 }] });
    expect(state).not.toHaveProperty('returns');
    await register([shirtLine(1)], {}, order);
    expect(await unitsOf(order)).toMatchObject([{ fulfilled: 1, withdrawn: 2, returnable: 1 }]);
    const lines = [{ orderLineId: '11', quantity: 2, reason: { code: 'other' } }];
    const taken = await service.post('/returns', { order, lines });
    expect(taken).toMatchObject({ status: 422, body: { code: 'quantity_exceeds_returnable' } });
  });

  it('has a time to pay for held units, until a refund without a return has paid for all of them', async () => {
    const order = await register([shirtLine(0)]);
    const { path, state } = await matched(order, [{ orderLineId: '11', quantity: 2 }]);
    expect(state.refund).toEqual({ status: 'due', dueBy: expect.any(String) });
    const days = (Date.parse(state.refund?.dueBy ?? '') - Date.now()) / dayMs;
    expect([days > 14, days < 15.1]).toEqual([true, true]);
    const occurredAt = new Date().toISOString();
    const pay = async () => {
      const refund = { amount: eur(1000), occurredAt, lines: [{ orderLineId: '11', quantity: 1 }] };
      expect((await service.put(`${orderPath(order)}/refunds/${randomUUID()}`, refund)).status).toBe(201);
      return (await service.get(path)).body as unknown as Withdrawal;
    };
    expect((await pay()).refund).toEqual(state.refund);
    const paid = await pay();
    expect(paid.refund).toEqual({ status: 'paid', dueBy: state.refund?.dueBy, paidAt: occurredAt });
    const { items } = (await service.get('/withdrawals?refund=paid')).body as unknown as Output<'listWithdrawals'>;
    expect(items.find(({ withdrawalId }) => withdrawalId === state.withdrawalId)).toMatchObject({
      refund: { status: 'paid', dueBy: state.refund?.dueBy },
    });
  });

  it('has a time to pay for held units of an unpaid order once the customer pays', async () => {
    const facts = (paid: readonly object[]) => ({ paymentsComplete: true, payments: paid });
    const order = await register([shirtLine(0)], facts([]));
    const { path, state } = await matched(order);
    expect(state).toMatchObject({ status: 'matched', cancelled: [{ orderLineId: '11', quantity: 3 }] });
    expect(state).not.toHaveProperty('refund');
    await register([shirtLine(0)], facts([{ id: 'late', method: 'card', paid: eur(3490) }]), order);
    const { body } = await service.get(path);
    expect(body).toMatchObject({ cancelled: state.cancelled, refund: { status: 'due', dueBy: expect.any(String) } });
  });

  it('makes an approved return of shipped units, with the deadlines of the law and without a fee', async () => {
    const order = await register([shirtLine(3), hatLine()]);
    const { path, state } = await matched(order);
    const [created, ...others] = state.returns ?? [];
    expect([others, state.cancelled, state.match?.denied]).toEqual([[], undefined, undefined]);
    const found = await readReturn(created?.returnId);
    expect(found).toMatchObject({
      status: 'approved',
      basis: 'withdrawal',
      withdrawalId: state.withdrawalId,
      initiatedBy: 'customer',
      fees: [],
      lines: [
        { orderLineId: '11', quantities: { approved: 3 }, reason: { code: 'unknown' } },
        { orderLineId: '12', quantities: { approved: 1 } },
      ],
    });
    // The last day to send the goods ends 14 days after the declaration, and the payment waits for the goods.
    const sendBy = Date.parse(found.deadlines.shipBy ?? '') - Date.now();
    expect(sendBy / dayMs).toBeGreaterThan(13);
    expect(found.deadlines).not.toHaveProperty('refundDueBy');
    const parcel = { carrier: 'dhl', trackingNumber: randomUUID().slice(0, 20), status: 'in_transit' };
    expect((await service.post(`/returns/${found.returnId}/parcels`, parcel)).status).toBe(200);
    const sent = await readReturn(found.returnId);
    // Proof of sending stops the waiting: the money is due 14 days after the declaration.
    expect(sent.status).toBe('in_transit');
    expect((Date.parse(sent.deadlines.refundDueBy ?? '') - Date.now()) / dayMs).toBeGreaterThan(13);
    const quote = await service.post('/quotes', { returnId: found.returnId }, { key: null });
    expect(quote).toMatchObject({ status: 200, body: { total: eur(5490) } });
    expect(await service.post(`${path}/withdraw`, { reason: 'mistake' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: `Cancel the return ${found.returnId} first.` },
    });
  });

  it('divides a line of which a part is shipped, and cancels what is not shipped first', async () => {
    const order = await register([shirtLine(1)]);
    const { state } = await matched(order);
    expect(state).toMatchObject({
      cancelled: [{ orderLineId: '11', quantity: 2 }],
      returns: [{ lines: [{ orderLineId: '11', quantity: 1 }] }],
    });
  });

  it('makes a return of held units that the shop ships anyway', async () => {
    const order = await register([shirtLine(0)]);
    const { path } = await matched(order);
    expect(await unitsOf(order)).toMatchObject([{ withdrawn: 3, returnable: 0 }]);
    await register([shirtLine(2, 0)], {}, order);
    const stateOf = async () => (await service.get(path)).body as unknown as Withdrawal;
    const first = { lines: [{ orderLineId: '11', quantity: 2 }], shippedAnyway: true };
    const state = await stateOf();
    expect(state).toMatchObject({ cancelled: [{ orderLineId: '11', quantity: 1 }], returns: [first] });
    const created = await readReturn(state.returns?.[0]?.returnId);
    expect(created).toMatchObject({
      status: 'approved',
      basis: 'withdrawal',
      lines: [{ quantities: { approved: 2 } }],
    });
    // The same facts again change nothing.
    await register([shirtLine(2, 0)], {}, order);
    expect((await stateOf()).version).toBe(state.version);
    expect(await unitsOf(order)).toMatchObject([{ held: 2, withdrawn: 1, returnable: 0 }]);
    await register([shirtLine(3, 0)], {}, order);
    const whole = await stateOf();
    expect(whole).toMatchObject({ returns: [first, { lines: [{ orderLineId: '11', quantity: 1 }] }] });
    expect(whole).not.toHaveProperty('cancelled');
    const last = await readReturn(whole.returns?.[1]?.returnId);
    expect(last).toMatchObject({ status: 'approved', lines: [{ quantities: { approved: 1 } }] });
    expect(await unitsOf(order)).toMatchObject([{ held: 3, withdrawn: 0, returnable: 0 }]);
  });

  it('counts the time to send the goods from a delivery after the declaration', async () => {
    const shippedLine = (days?: number) => ({
      ...shirtLine(0),
      shippedAt: daysAgo(12),
      ...(days !== undefined && { fulfilledQuantity: 3, deliveries: [{ quantity: 3, at: daysAgo(days) }] }),
    });
    const order = await register([shippedLine()]);
    const source = { platform: 'shopify', externalId: randomUUID() };
    const declaredAt = daysAgo(10);
    const { state } = await matched(order, undefined, { declaredAt, source });
    const returnId = state.returns?.[0]?.returnId;
    const before = await readReturn(returnId);
    expect(before.requestedAt).toBe(declaredAt);
    expect(before.deadlines).not.toHaveProperty('shipBy');
    await register([shippedLine(3)], {}, order);
    const arrived = await readReturn(returnId);
    const left = (Date.parse(arrived.deadlines.shipBy ?? '') - Date.now()) / dayMs;
    expect([left > 10, left < 15]).toEqual([true, true]);
    // The same facts again change nothing.
    await register([shippedLine(3)], {}, order);
    expect((await readReturn(returnId)).version).toBe(arrived.version);
    const { body } = await service.get(`/returns/${returnId}/history`);
    const { items } = body as unknown as Output<'getHistory'>;
    expect(items.at(-1)).toMatchObject({ type: 'return.refreshed', data: { sendBy: arrived.deadlines.shipBy } });
  });

  it('leaves a return of an uncertain right to staff, who cannot reject it', async () => {
    const unknown = { lineId: '11', quantity: 1, unitPrice: eur(1000) };
    const { state } = await matched(await register([unknown]));
    const created = await readReturn(state.returns?.[0]?.returnId);
    expect(created).toMatchObject({
      status: 'requested',
      basis: 'withdrawal',
      lines: [{ quantities: { requested: 1 } }],
    });
    // The payment waits for the goods.
    expect(created.deadlines).toEqual({});
    expect(await service.post(`/returns/${created.returnId}/reject`, { code: 'other' })).toMatchObject({
      status: 422,
      body: { code: 'statutory_floor_violation' },
    });
  });

  it('answers by the rule when the period has ended, and returns the other lines', async () => {
    const late = await register([shirtLine(3, 40), hatLine({ deliveries: [{ quantity: 1, at: daysAgo(40) }] })]);
    const { path, state: ended } = await matched(late);
    const rule = { law: 'EU 2011/83', rule: 'period_ended' };
    expect(ended).toMatchObject({
      status: 'answered',
      answer: { answer: 'no_right', ...rule, source: expect.stringContaining('Directive 2011/83/EU') },
      match: {
        denied: [
          { orderLineId: '11', quantity: 3, ...rule },
          { orderLineId: '12', ...rule },
        ],
      },
    });
    expect(ended).not.toHaveProperty('returns');
    // The shop corrects a wrong delivery, and the same match counts it.
    const again = async () => (await service.post(`${path}/match`, { order: late })).body as unknown as Withdrawal;
    expect((await again()).version).toBe(ended.version);
    await register([shirtLine(3), hatLine()], {}, late);
    const corrected = await again();
    expect(corrected).toMatchObject({ status: 'matched', returns: [{ lines: [{ quantity: 3 }, { quantity: 1 }] }] });
    expect(corrected).not.toHaveProperty('answer');
    const sealed = await register([shirtLine(3), hatLine({ withdrawalExemption: 'custom_made' })]);
    const { state: partly } = await matched(sealed);
    expect(partly).toMatchObject({
      status: 'matched',
      match: { denied: [{ orderLineId: '12', quantity: 1, rule: 'custom_made' }] },
      returns: [{ lines: [{ orderLineId: '11', quantity: 3 }] }],
    });
  });

  it('counts the declaration and not the match', async () => {
    const order = await register([shirtLine(3, 20)]);
    const source = { platform: 'shopify', externalId: randomUUID() };
    const { state } = await matched(order, undefined, { declaredAt: daysAgo(10), source });
    expect(state).toMatchObject({ status: 'matched', returns: [{ lines: [{ orderLineId: '11', quantity: 3 }] }] });
  });

  it('leaves units to staff where no law grants the right', async () => {
    const order = await register([shirtLine(3)], { country: 'US' });
    const { path, state } = await matched(order);
    expect(state).toMatchObject({ status: 'matched', match: { undecided: [{ orderLineId: '11', quantity: 3 }] } });
    const given = { answer: 'no_right', rule: 'none', source: 'our terms, section 4' };
    expect((await service.post(`${path}/answer`, given)).body).toMatchObject({ status: 'answered' });
  });

  it('matches again while no match had an effect', async () => {
    const order = await register([shirtLine(3)], { country: 'US' });
    const { path, state } = await matched(order);
    const again = async (ref: object) => service.post(`${path}/match`, { order: ref });
    expect((await again(order)).body.version).toBe(state.version);
    // The shop corrects the country, and the same match has its effect.
    await register([shirtLine(3)], {}, order);
    const corrected = (await again(order)).body as unknown as Withdrawal;
    expect(corrected).toMatchObject({ status: 'matched', returns: [{ lines: [{ quantity: 3 }] }] });
    expect(corrected.match).not.toHaveProperty('undecided');
    expect((await again(order)).body.version).toBe(corrected.version);
    const other = await register([shirtLine(3)]);
    expect(await again(other)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    const late = await register([shirtLine(3, 40)]);
    const { path: wrong } = await matched(late);
    const later = await register([shirtLine(3, 41)]);
    expect((await service.post(`${wrong}/match`, { order: later })).body).toMatchObject({
      status: 'answered',
      match: { order: later },
    });
  });

  it('keeps the deadlines of the law when new facts decide again', async () => {
    const { seller, publish } = shop(service);
    await publish([window(1), auto]);
    const order = await register([shirtLine(3), hatLine({ deliveries: undefined })], { seller });
    const { state } = await matched(order);
    const returnId = state.returns?.[0]?.returnId;
    const { withdrawalId } = state;
    expect(await readReturn(returnId)).toMatchObject({ status: 'requested', withdrawalId, deadlines: {} });
    await register([shirtLine(3), hatLine()], { seller }, order);
    const decided = await readReturn(returnId);
    expect(decided).toMatchObject({ status: 'approved', withdrawalId, fees: [] });
    expect((Date.parse(decided.deadlines.shipBy ?? '') - Date.now()) / dayMs).toBeGreaterThan(13);
  });

  it.each(inSoak('makes returns of 500 lines that the shop ships anyway'))('%s', async () => {
    const lines = (isShipped: boolean) =>
      Array.from({ length: 500 }, (_, index) => ({
        ...hatLine({ lineId: `line-${index}`, fulfilledQuantity: isShipped ? 1 : 0, deliveries: undefined }),
        unitPrice: eur(index % 2),
      }));
    const order = await register(lines(false));
    const { path, state } = await matched(order);
    expect(state.cancelled).toHaveLength(500);
    await register(lines(true), {}, order);
    const found = (await service.get(path)).body as unknown as Withdrawal;
    expect(found).not.toHaveProperty('cancelled');
    expect(found.returns?.map((created) => created.lines.length)).toEqual([200, 200, 100]);
  });

  it('makes a return of the units that were not refunded before they were shipped anyway', async () => {
    const order = await register([shirtLine(0)]);
    const { path } = await matched(order);
    const refund = {
      amount: eur(1000),
      method: 'original_payment',
      occurredAt: new Date().toISOString(),
      lines: [{ orderLineId: '11', quantity: 1 }],
    };
    expect((await service.put(`${orderPath(order)}/refunds/${randomUUID()}`, refund)).status).toBe(201);
    await register([shirtLine(3, 0)], {}, order);
    expect((await service.get(path)).body).toMatchObject({
      cancelled: [{ orderLineId: '11', quantity: 1 }],
      // The refund has paid for the unit that is left.
      refund: { status: 'paid' },
      returns: [{ lines: [{ orderLineId: '11', quantity: 2 }], shippedAnyway: true }],
    });
    expect(await unitsOf(order)).toMatchObject([{ held: 2, refunded: 1, withdrawn: 1, returnable: 0 }]);
  });

  it('leaves out units that a return holds already', async () => {
    const order = await register([shirtLine(3)]);
    const lines = [{ orderLineId: '11', quantity: 2, reason: { code: 'other' } }];
    expect((await service.post('/returns', { order, lines })).status).toBe(201);
    expect((await matched(order)).state.returns).toMatchObject([{ lines: [{ orderLineId: '11', quantity: 1 }] }]);
    const { state } = await matched(order);
    expect([state.status, state.returns, state.cancelled]).toEqual(['matched', undefined, undefined]);
  });

  it('releases held units when the declaration was a mistake', async () => {
    const order = await register([shirtLine(0)]);
    const { path } = await matched(order);
    expect((await service.post(`${path}/withdraw`, { reason: 'mistake' })).body).toMatchObject({ status: 'withdrawn' });
    await register([shirtLine(3)], {}, order);
    expect(await unitsOf(order)).toMatchObject([{ withdrawn: 0, returnable: 3 }]);
  });

  it('counts a refund of cancelled units once', async () => {
    const order = await register([shirtLine(1)]);
    await matched(order, [{ orderLineId: '11', quantity: 2 }]);
    const refund = {
      amount: eur(2000),
      method: 'original_payment',
      occurredAt: new Date().toISOString(),
      lines: [{ orderLineId: '11', quantity: 2 }],
    };
    const path = `${orderPath(order)}/refunds/${randomUUID()}`;
    expect((await service.put(path, refund)).status).toBe(201);
    expect(await unitsOf(order)).toMatchObject([{ withdrawn: 2, refunded: 2, returnable: 1 }]);
  });

  it.each(inSoak('makes one effect of concurrent matches of two declarations'))('%s', async () => {
    const order = await register([shirtLine(1)]);
    const paths = await Promise.all(Array.from({ length: 4 }, async () => declare()));
    const all = await Promise.all(paths.map(async (path) => service.post(`${path}/match`, { order })));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const states = all.map(({ body }) => body as unknown as Withdrawal);
    expect(states.flatMap(({ cancelled = [] }) => cancelled)).toEqual([{ orderLineId: '11', quantity: 2 }]);
    expect(states.flatMap(({ returns = [] }) => returns)).toHaveLength(1);
  });
});
