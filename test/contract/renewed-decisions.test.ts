import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { announcementOf } from '../support/attachments.ts';
import {
  auto,
  decided,
  hat,
  manual,
  noFinalSale,
  ofCustomer,
  often,
  returned,
  shop,
  shopWith,
  window,
} from '../support/decided-shop.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { shirts, shopOrder } from '../support/scenario.ts';

const why = { reason: 'marker-note: by mistake' };
const undelivered = { deliveries: undefined };
const idOf = (answer: Answer) => returned(answer).returnId;
const decisionOf = (answer: Answer) => returned(answer).decision?.decisionId;

describe.each(contractModes(import.meta.filename))('%s renewed decisions', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });

  const create = async (request: object) => {
    const answer = await service.post('/returns', request);
    expect(answer.status).toBe(201);
    return answer;
  };
  const reopen = async (created: Answer) => service.post(`/returns/${idOf(created)}/reopen`, why);
  const read = async (created: Answer) => service.get(`/returns/${idOf(created)}`);
  const history = async (created: Answer) => (await service.get(`/returns/${idOf(created)}/history`)).body.items;

  // A service has at most 100 policies, and the connected mode calls the same one.
  describe.each(mode === 'standalone' ? ['of a reopened return'] : [])('%s', () => {
    it('need a review when the policy denies again, and can be overridden', async () => {
      const { publish, order } = shop(service);
      const { policyId } = await publish([window(30), auto]);
      const created = await create(ofCustomer(await order({ delivered: 40 })));
      expect(created.body).toMatchObject({ status: 'rejected', decision: { verdict: 'rejected' } });
      const reopened = await reopen(created);
      expect(reopened).toMatchObject({
        status: 200,
        body: {
          status: 'requested',
          decision: { verdict: 'rejected', policyVersion: `${policyId}/1`, overridden: false },
          lines: [{ eligibility: { verdict: 'ineligible', code: 'window_expired' }, quantities: { rejected: 0 } }],
        },
      });
      expect(decisionOf(reopened)).not.toBe(decisionOf(created));
      const [first, second] = [await decided(service, created), await decided(service, reopened)];
      expect(second).toMatchObject({
        returnId: idOf(created),
        verdict: 'rejected',
        reproduced: true,
        facts: first.facts,
      });
      expect((await history(created)).slice(2)).toMatchObject([
        {
          type: 'return.reopened',
          to: 'requested',
          policyVersion: `${policyId}/1`,
          data: { renewed: { judgement: { decisionId: second.decisionId, verdict: 'rejected' } } },
        },
      ]);
      const lines = [
        { lineId: returned(created).lines[0]?.lineId, quantity: 2, override: { reason: 'a good customer' } },
      ];
      expect(await service.post(`/returns/${idOf(created)}/approve`, { lines })).toMatchObject({
        status: 200,
        body: { status: 'approved', decision: { decisionId: second.decisionId, overridden: true } },
      });
    });

    it('approve the return when the current policy allows it, on its terms', async () => {
      const { publish, publishBetter, order } = shop(service);
      const { path, policyId } = await publish([window(30), auto]);
      const created = await create(ofCustomer(await order({ delivered: 40 })));
      const soon = { id: 'soon', phase: 'logistics', text: 'Goods are sent within a week.', shipByDays: 7 };
      await publishBetter(path, [window(60), soon, auto]);
      const reopened = await reopen(created);
      expect(reopened).toMatchObject({
        status: 200,
        body: {
          status: 'approved',
          decision: { verdict: 'approved', policyVersion: `${policyId}/2`, overridden: false },
          lines: [{ quantities: { approved: 2 } }],
          deadlines: { shipBy: expect.any(String) },
          version: 4,
        },
      });
      expect(returned(reopened).lines[0]).not.toHaveProperty('eligibility');
      const items = await history(created);
      expect(items.map(({ type, policyVersion }) => [type, policyVersion])).toEqual([
        ['return.requested', `${policyId}/1`],
        ['return.rejected', `${policyId}/1`],
        ['return.reopened', `${policyId}/2`],
        ['return.approved', `${policyId}/2`],
      ]);
      expect(await service.get(`/returns/${idOf(created)}/history/verification`)).toMatchObject({
        body: { valid: true },
      });
    });

    it('reject no line next to qualifying lines', async () => {
      const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
      const created = await create(
        ofCustomer(await order({ hat: { finalSale: true } }), [shirts(2), hat], { initiatedBy: 'agent' }),
      );
      await service.post(`/returns/${idOf(created)}/reject`, { code: 'worn' });
      expect(await reopen(created)).toMatchObject({
        body: {
          status: 'requested',
          decision: { verdict: 'approved' },
          lines: [
            { quantities: { rejected: 0 } },
            { eligibility: { code: 'final_sale' }, quantities: { rejected: 0 } },
          ],
        },
      });
    });

    it('are not made when the return was approved before', async () => {
      const { publish, publishBetter, order } = shop(service);
      const { path } = await publish([window(30), auto]);
      const created = await create(ofCustomer(await order({})));
      await service.post(`/returns/${idOf(created)}/cancel`);
      await publishBetter(path, [window(60), auto]);
      const reopened = await reopen(created);
      expect(reopened.body).toMatchObject({ status: 'approved', decision: returned(created).decision });
      expect((await history(created)).at(-1)?.data).not.toHaveProperty('renewed');
    });

    it('are first decisions when no policy applied at the request', async () => {
      const { publish, order } = shop(service);
      const created = await create(ofCustomer(await order({})));
      expect(created.body).not.toHaveProperty('decision');
      await service.post(`/returns/${idOf(created)}/cancel`);
      const { policyId } = await publish([window(30), manual]);
      expect(await reopen(created)).toMatchObject({
        body: { status: 'requested', decision: { verdict: 'needs_review', policyVersion: `${policyId}/1` } },
      });
    });

    it("do not count the return among the customer's earlier returns", async () => {
      const { publish, order } = shop(service);
      await publish([window(30), often, noFinalSale, auto]);
      const created = await create(ofCustomer(await order({ hat: { finalSale: true } }), [hat]));
      const reopened = await reopen(created);
      const { facts, lines } = await decided(service, reopened);
      expect(facts['customer']).toMatchObject({ returnsLast30Days: 0 });
      expect(lines).toMatchObject([{ codes: ['final_sale'] }]);
    });

    it('wait for the evidence that the reason requires, and then approve', async () => {
      const code = ownCode();
      await service.put(
        `/reasons/${code}`,
        { ...reasonFacts, evidenceRequired: true },
        { headers: { 'if-none-match': '*' } },
      );
      const { order } = await shopWith(service, [window(30), auto]);
      const created = await create(ofCustomer(await order({}), [{ ...hat, reason: { code } }]));
      await service.post(`/returns/${idOf(created)}/cancel`);
      expect(await reopen(created)).toMatchObject({ body: { status: 'requested', decision: { verdict: 'approved' } } });
      await service.post(`/returns/${idOf(created)}/attachments`, announcementOf(Buffer.from('a picture')));
      await service.post(`/returns/${idOf(created)}/cancel`);
      expect(await reopen(created)).toMatchObject({ body: { status: 'approved' } });
    });

    it('are not stored in a dry run', async () => {
      const { order } = await shopWith(service, [window(30), auto]);
      const created = await create(ofCustomer(await order({ delivered: 40 })));
      const tried = await service.post(`/returns/${idOf(created)}/reopen?dryRun=true`, why);
      expect(tried).toMatchObject({ status: 200, body: { status: 'requested' } });
      expect(await service.get(`/decisions/${decisionOf(tried)}`)).toMatchObject({ status: 404 });
      expect((await read(created)).body).toMatchObject({ status: 'rejected', decision: returned(created).decision });
    });
  });

  describe('of a return whose order facts change', () => {
    it('approve the return that awaited the facts, once', async () => {
      const { publish, order, reportFacts } = shop(service);
      const { policyId } = await publish([window(30), often, auto]);
      const ref = await order({ hat: undelivered });
      const created = await create(ofCustomer(ref, [hat]));
      expect(created.body).toMatchObject({ status: 'requested', decision: { verdict: 'needs_review' } });
      const answers = await Promise.all([reportFacts(ref, {}), reportFacts(ref, {})]);
      expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
      await reportFacts(ref, {});
      const now = await read(created);
      expect(now.body).toMatchObject({
        status: 'approved',
        version: 3,
        requestedAt: returned(created).requestedAt,
        decision: { verdict: 'approved', policyVersion: `${policyId}/1` },
      });
      expect(returned(now).lines[0]).not.toHaveProperty('eligibility');
      const decision = await decided(service, now);
      expect(decision).toMatchObject({
        reproduced: true,
        facts: { requestedAt: (await decided(service, created)).facts['requestedAt'] },
      });
      expect((await history(created)).slice(1)).toMatchObject([
        {
          type: 'decision.renewed',
          from: 'requested',
          to: 'requested',
          actor: { clientId: expect.any(String) },
          data: {
            changed: expect.arrayContaining(['lines']),
            judgement: { decisionId: decision.decisionId, verdict: 'approved' },
          },
        },
        { type: 'return.approved', from: 'requested', to: 'approved' },
      ]);
    });

    it('deny the return because of the facts, and need a review', async () => {
      const { publish, order, reportFacts } = shop(service);
      await publish([window(30), noFinalSale, manual]);
      const ref = await order({});
      const created = await create(ofCustomer(ref, [hat]));
      expect(created.body).toMatchObject({ status: 'requested', decision: { verdict: 'needs_review' } });
      await reportFacts(ref, { hat: { finalSale: true } });
      expect((await read(created)).body).toMatchObject({
        status: 'requested',
        version: 2,
        decision: { verdict: 'rejected' },
        lines: [{ eligibility: { verdict: 'ineligible', code: 'final_sale' }, quantities: { rejected: 0 } }],
      });
    });

    it('are not made for facts that the decision does not use', async () => {
      const { publish, order, reportFacts } = shop(service);
      await publish([window(30), manual]);
      const { lines } = shopOrder();
      const facts = { lines, placedAt: new Date().toISOString() };
      const ref = await order(facts);
      const created = await create(ofCustomer(ref, [hat], { initiatedBy: 'agent' }));
      expect(await reportFacts(ref, { ...facts, number: '#1002' })).toMatchObject({
        status: 200,
        body: { number: '#1002' },
      });
      expect((await read(created)).body).toMatchObject({
        status: 'requested',
        version: 1,
        decision: returned(created).decision,
      });
    });

    it.each([
      ['the return awaits an answer', [['request-info', { message: 'marker-note: worn?' }]], 'info_requested'],
      ['the return was approved', [['approve', {}]], 'approved'],
      ['the return was rejected', [['reject', { code: 'worn' }]], 'rejected'],
    ] as const)('are not made when %s', async (_, commands, status) => {
      const { order, reportFacts } = await shopWith(service, [window(30), auto]);
      const ref = await order({ hat: undelivered });
      const created = await create(ofCustomer(ref, [hat]));
      for (const [command, body] of commands) await service.post(`/returns/${idOf(created)}/${command}`, body);
      await reportFacts(ref, {});
      expect((await read(created)).body).toMatchObject({ status, version: 2, decision: { verdict: 'needs_review' } });
    });

    it('are made when the customer has answered and the order is registered again', async () => {
      const { order, reportFacts } = await shopWith(service, [window(30), auto]);
      const ref = await order({ hat: undelivered });
      const created = await create(ofCustomer(ref, [hat]));
      await service.post(`/returns/${idOf(created)}/request-info`, { message: 'marker-note: worn?' });
      await reportFacts(ref, {});
      await service.post(`/returns/${idOf(created)}/provide-info`, { message: 'marker-note: no' });
      await reportFacts(ref, {});
      expect((await read(created)).body).toMatchObject({ status: 'approved' });
    });

    it('approve no return that a platform manages', async () => {
      const { order, reportFacts } = await shopWith(service, [window(30), auto]);
      const ref = await order({ hat: undelivered });
      const created = await create(
        ofCustomer(ref, [hat], { managedBy: 'platform', externalRefs: [{ platform: 'shopify', id: randomUUID() }] }),
      );
      await reportFacts(ref, {});
      expect((await read(created)).body).toMatchObject({ status: 'requested', decision: { verdict: 'approved' } });
    });
  });
});
