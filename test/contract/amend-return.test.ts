import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import {
  auto,
  daysAgo,
  hat,
  manual,
  noFinalSale,
  often,
  ofCustomer,
  returned,
  shop,
  shopWith,
  window,
} from '../support/decided-shop.ts';
import { approvedReturn, createReturn, orderPath, shirts, shopOrder } from '../support/scenario.ts';

const raise = (lineId: string | undefined, quantity = 1) => ({ raise: [{ lineId, quantity }] });
const addHat = { add: [hat] };
const quantitiesOf = (answer: Answer) =>
  returned(answer).lines.map(({ orderLineId, quantities }) => [orderLineId, quantities.requested, quantities.approved]);

describe.each(contractModes(import.meta.filename))('%s amendReturn', (mode) => {
  const service = contractApi(mode);
  const amend = async (id: string, body: object, options: object = {}) =>
    service.post(`/returns/${id}/amendment`, body, options);
  const held = async (order: object) => {
    const { body } = await service.get(`${orderPath(order as { platform: string; orderId: string })}/returnable`);
    return (body as unknown as { lines: { held: number }[] }).lines.map((line) => line.held);
  };

  it('returns 200 with the raised and the added lines, and holds their units', async () => {
    const { id, order, answer } = await createReturn(service);
    const [line] = answer.body.lines;
    const amended = await amend(id, { ...raise(line?.lineId), ...addHat });
    expect(amended).toMatchObject({
      status: 200,
      body: {
        status: 'requested',
        version: 2,
        lines: [
          { lineId: line?.lineId, amounts: { gross: { amount: 2000 } } },
          { orderLineId: '12', sku: 'HAT', amounts: { gross: { amount: 2000 } } },
        ],
        allowedActions: expect.arrayContaining([{ action: 'amendReturn', scope: 'returns:write', allowed: true }]),
      },
    });
    expect(quantitiesOf(amended)).toEqual([
      ['11', 2, 0],
      ['12', 1, 0],
    ]);
    expect(await held(order)).toEqual([2, 1]);
  });

  it('approves the units of an approved return at once, in a line of their own', async () => {
    const { id, lineId } = await approvedReturn(service, 1);
    const amended = await amend(id, raise(lineId, 2));
    expect(amended).toMatchObject({ status: 200, body: { status: 'approved', version: 3 } });
    expect(quantitiesOf(amended)).toEqual([
      ['11', 1, 1],
      ['11', 2, 2],
    ]);
    const { body } = await service.get(`/returns/${id}`);
    expect(body.lines[1]).toMatchObject({ reason: { note: 'marker-note: tight at the chest' } });
    const blocked = { action: 'amendReturn', scope: 'returns:write', allowed: true };
    expect(amended.body.allowedActions).toContainEqual(blocked);
    await amend(id, addHat);
    expect((await service.get(`/returns/${id}`)).body.allowedActions).toContainEqual({
      ...blocked,
      allowed: false,
      blockedBy: 'nothing_to_add',
    });
  });

  it('makes an unexpected item a received line', async () => {
    const { id, path, lineId } = await approvedReturn(service, 1);
    const receipt = { lines: [{ lineId, quantity: 1 }], unexpected: [{ quantity: 1, note: 'marker-note: a hat' }] };
    const came = await service.post(`${path}/receipts`, receipt);
    const unexpected = returned(came).unexpected.map((item) => ({ id: item.id, ...hat }));
    const amended = await amend(id, { unexpected });
    expect(amended).toMatchObject({ status: 200, body: { status: 'received', unexpected: [] } });
    expect(returned(amended).lines[1]?.quantities).toMatchObject({ approved: 1, received: 1 });
    expect((await service.get(`${path}/history`)).body.items.slice(-2)).toMatchObject([
      { type: 'return.amended', data: { unexpected: [{ id: unexpected[0]?.id, quantity: 1 }] } },
      { type: 'items.received' },
    ]);
  });

  it('has a history that verifies, and shows the texts of added lines to readers only', async () => {
    const { id } = await createReturn(service);
    const note = { code: 'fit.too_small', note: 'marker-note: also too small' };
    await amend(id, { add: [{ ...hat, reason: note }] });
    expect(await service.get(`/returns/${id}/history/verification`)).toMatchObject({ body: { valid: true } });
    expect((await service.get(`/returns/${id}`)).body.lines[1]).toMatchObject({ reason: note });
  });

  it('repeats its response for the same Idempotency-Key, and stores nothing in a dry run', async () => {
    const { id } = await createReturn(service);
    const key = randomUUID();
    expect(await service.post(`/returns/${id}/amendment?dryRun=true`, addHat)).toMatchObject({
      status: 200,
      body: { version: 2, lines: [{}, { orderLineId: '12' }] },
    });
    const first = await amend(id, addHat, { key });
    const again = await amend(id, addHat, { key });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { version: 2 } });
    expect(await amend(id, raise(returned(first).lines[0]?.lineId), { key })).toMatchObject({ status: 422 });
  });

  it('returns 412 for another version', async () => {
    const { id } = await createReturn(service);
    const stale = { headers: { 'if-match': '"2"' } };
    expect(await amend(id, addHat, stale)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
    expect(await amend(id, addHat, { headers: { 'if-match': '"1"' } })).toMatchObject({ status: 200 });
  });

  it('gives the last unit to one of two amendments, of one return or of two', async () => {
    const { id, order } = await createReturn(service);
    const other = await service.post('/returns', { order, lines: [shirts(1)] });
    const answers = await Promise.all([amend(id, addHat), amend(returned(other).returnId, addHat), amend(id, addHat)]);
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 422)).toMatchObject([
      { body: { code: 'quantity_exceeds_returnable' } },
      { body: { code: 'quantity_exceeds_returnable' } },
    ]);
    expect(await held(order)).toEqual([2, 1]);
  });

  it('returns 409 after the end of a return, and for items of an undecided one', async () => {
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale' });
    expect(await amend(id, addHat)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    const receipt = { unexpected: [{ quantity: 1 }] };
    const came = await service.post(`/returns/${id}/receipts`, receipt);
    await service.post(`/returns/${id}/reopen`, { reason: 'marker-note: a mistake' });
    const unexpected = returned(came).unexpected.map((item) => ({ id: item.id, ...hat }));
    expect(await amend(id, { unexpected })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', errors: [{ path: '/unexpected', code: 'status' }] },
    });
  });

  // A service has at most 100 policies, and the connected mode calls the same one.
  describe.each(mode === 'standalone' ? ['with a policy'] : [])('%s', () => {
    it('judges the added units alone, and names the decision', async () => {
      const { publish, order } = shop(service);
      // A rule about the customer reads the customer's other returns.
      const rare = { ...often, when: { ...often.when, value: 50 } };
      const { policyId } = await publish([window(30), noFinalSale, rare, manual]);
      const created = await service.post('/returns', ofCustomer(await order({ hat: { finalSale: true } })));
      const amended = await amend(returned(created).returnId, addHat);
      expect(amended).toMatchObject({ status: 200, body: { status: 'requested' } });
      const { lines, decision } = returned(amended);
      expect(decision).toEqual(returned(created).decision);
      expect(lines[0]).not.toHaveProperty('decisionId');
      expect(lines[1]).toMatchObject({ eligibility: { verdict: 'ineligible', code: 'final_sale' } });
      expect(await service.get(`/decisions/${lines[1]?.decisionId}`)).toMatchObject({
        status: 200,
        body: {
          returnId: returned(created).returnId,
          policyVersion: `${policyId}/1`,
          verdict: 'rejected',
          lines: [{ orderLineId: '12', codes: ['final_sale'] }],
          reproduced: true,
        },
      });
    });

    it('is overridden by an admin only, with a reason, on an approved return', async () => {
      const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
      const created = await service.post('/returns', ofCustomer(await order({ hat: { finalSale: true } })));
      const { returnId, status } = returned(created);
      expect(status).toBe('approved');
      expect(await amend(returnId, addHat)).toMatchObject({
        status: 422,
        body: { code: 'not_eligible', errors: [{ path: '/add/0/override/reason', code: 'final_sale' }] },
      });
      const overridden = { add: [{ ...hat, override: { reason: 'marker-note: a good customer' } }] };
      expect(await amend(returnId, overridden, { client: 'returns-writer' })).toMatchObject({
        status: 403,
        body: { code: 'override_requires_admin' },
      });
      const amended = await amend(returnId, overridden);
      const [, line] = returned(amended).lines;
      expect(amended).toMatchObject({
        body: { decision: { overridden: true, overrides: [{ lineId: line?.lineId }] } },
      });
      expect(await service.get(`/returns/${returnId}`)).toMatchObject({
        body: { decision: { overrides: [{ reason: 'marker-note: a good customer' }] } },
      });
    });

    it('does not bind a platform, whose units are added with a discrepancy', async () => {
      const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
      const managed = ofCustomer(await order({ hat: { finalSale: true } }), [shirts(2)], { managedBy: 'platform' });
      const created = await service.post('/returns', managed);
      const observed = { platform: 'shopify', externalId: randomUUID(), occurredAt: new Date().toISOString() };
      const amended = await amend(returned(created).returnId, { ...addHat, observed });
      expect(amended).toMatchObject({
        status: 200,
        body: { status: 'approved', discrepancies: [{ code: 'not_eligible' }], lines: [{}, { orderLineId: '12' }] },
      });
    });

    it('does not decide again on the request when facts are registered that did not change', async () => {
      const { publish, order, reportFacts } = shop(service);
      await publish([window(30), noFinalSale, manual]);
      const facts = {
        placedAt: daysAgo(5),
        lines: shopOrder().lines.map((line) => ({
          ...line,
          deliveries: [{ quantity: line.quantity, at: daysAgo(3) }],
        })),
      };
      const ref = await order(facts);
      const created = await service.post('/returns', ofCustomer(ref));
      const { returnId } = returned(created);
      const amended = await amend(returnId, { ...raise(returned(created).lines[0]?.lineId), ...addHat });
      await reportFacts(ref, facts);
      const ofHat = facts.lines.map((line) => (line.lineId === '12' ? { ...line, finalSale: true } : line));
      await reportFacts(ref, { ...facts, lines: ofHat });
      expect(await service.get(`/returns/${returnId}`)).toMatchObject({ body: { version: 2 } });
      const ofShirts = ofHat.map((line) => (line.lineId === '11' ? { ...line, finalSale: true } : line));
      await reportFacts(ref, { ...facts, lines: ofShirts });
      const renewed = await service.get(`/returns/${returnId}`);
      expect(renewed).toMatchObject({ body: { version: 3 } });
      expect(returned(renewed).lines).toMatchObject([
        { eligibility: { code: 'final_sale' } },
        { eligibility: { code: 'final_sale' } },
      ]);
      expect(returned(renewed).lines.map(({ decisionId }) => decisionId)).toEqual([undefined, undefined]);
      expect(returned(amended).lines[1]?.decisionId).toBeDefined();
    });
  });
});
