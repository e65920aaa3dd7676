import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { contractApi } from '../support/contract-api.ts';
import { auto, decided, hat, ofCustomer, returned, shop, window } from '../support/decided-shop.ts';
import { eur } from '../support/orders.ts';
import { shirts } from '../support/scenario.ts';

const opened = {
  id: 'opened',
  phase: 'fee',
  text: 'Opened goods cost a tenth.',
  fee: { type: 'restocking', bps: 1000 },
  when: {
    and: [
      { fact: 'line.condition', op: 'exists', value: true },
      { fact: 'line.condition', op: 'eq', value: 'opened' },
    ],
  },
};
const fees = [{ type: 'restocking', rule: 'opened', bps: 1000 }];

// A service has at most 100 policies, and the connected mode calls the same one.
describe('fees by facts of a line', () => {
  const service = contractApi('standalone');
  const { publish, order } = shop(service);
  beforeAll(() => publish([window(30), opened, auto]));

  const accept = async (returnId: string, lines: Output<'getReturn'>['lines']) => {
    const units = lines.map(({ lineId, quantities }) => ({ lineId, quantity: quantities.requested }));
    await service.post(`/returns/${returnId}/receipts`, { lines: units });
    return service.post(`/returns/${returnId}/inspections`, {
      lines: units.map((line) => ({ ...line, outcome: 'accept' })),
    });
  };

  it('are in the quote, the return and the decision, also for two lines of one order line', async () => {
    const lines = [{ ...shirts(1), condition: 'opened' }, shirts(2), { ...hat, condition: 'opened' }];
    const request = ofCustomer(await order({}), lines);
    const quote = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
    expect(quote).toMatchObject({
      status: 200,
      body: {
        steps: [
          { rule: 'goods', amount: eur(1000) },
          { rule: 'goods', amount: eur(2000) },
          { rule: 'goods', amount: eur(2000) },
          { rule: 'restocking', amount: eur(-300) },
          { rule: 'shipping' },
        ],
        decision: { fees: [], lines: [{ fees }, { codes: [] }, { fees }] },
      },
    });
    const created = await service.post('/returns', request);
    const inspected = await accept(returned(created).returnId, returned(created).lines);
    expect(returned(inspected).fees).toMatchObject([{ type: 'restocking', amount: eur(300) }]);
    const decision = await decided(service, created);
    expect(decision).toMatchObject({ fees: [], lines: [{ fees }, {}, { fees }], reproduced: true });
    expect(decision.lines[1]).not.toHaveProperty('fees');
  });

  it('are those of its own condition for an added line, and stay for the others', async () => {
    const request = ofCustomer(await order({}), [{ ...shirts(1), condition: 'sealed' }]);
    const { returnId } = returned(await service.post('/returns', request));
    const amended = await service.post(`/returns/${returnId}/amendment`, { add: [{ ...hat, condition: 'opened' }] });
    const inspected = await accept(returnId, returned(amended).lines);
    expect(returned(inspected).fees).toMatchObject([{ type: 'restocking', amount: eur(200) }]);
  });

  it('take nothing where the law forbids them, and the quote says so', async () => {
    const request = ofCustomer(await order({ country: 'DE' }), [{ ...shirts(1), condition: 'opened' }]);
    const { body } = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
    const step = {
      rule: 'restocking',
      amount: eur(0),
      removed: { amount: eur(100), law: 'EU 2011/83' },
      detail: 'The law removes the processing fee of €1.00 (EU 2011/83).',
    };
    expect(body).toMatchObject({ total: eur(1000), decision: { verdict: 'approved', fees: [] } });
    expect(body['steps']).toContainEqual(step);
  });
});
