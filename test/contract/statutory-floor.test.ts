import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Api } from '../support/api.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';
import { contractModes } from '../support/samples.ts';

let stack: OwnStack;
beforeAll(async () => {
  // Orders of the scenario were delivered longer ago than the law protects.
  const statutoryRules = { 'EU 2011/83': { window: { within: { days: 3650 } } } };
  stack = await startOwnStack({ ways: contractModes(import.meta.filename), returnTerms: { statutoryRules } });
});
afterAll(async () => stack.close());

type Deadlines = { readonly requestedAt: string; readonly deadlines: { readonly refundDueBy?: string } };

const [shirt, hat] = shopOrder().lines;
const dayMs = 24 * 3600 * 1000;

describe.each(contractModes(import.meta.filename))('%s statutory floor', (way) => {
  let service: Api;
  beforeAll(() => {
    service = api(way, stack.info);
  });

  const create = async (facts: object, ...lines: readonly object[]) => {
    const { status, body } = await service.post('/returns', {
      ...returnOf(await registerOrder(service, facts)),
      lines,
    });
    expect(status).toBe(201);
    return { path: `/returns/${body.returnId}`, body, ids: body.lines.map(({ lineId: id }) => id) };
  };
  const hats = { orderLineId: '12', quantity: 1, reason: { code: 'fit.other' } };

  it('keeps a line from being rejected for as long as the deployment says, beside one that is exempt', async () => {
    const lines = [{ ...shirt, withdrawalExemption: 'custom_made' }, hat];
    const { path, ids } = await create({ lines }, shirts(2), hats);
    const approved = (first: number, second: number) => ({
      lines: [
        { lineId: ids[0], quantity: first },
        { lineId: ids[1], quantity: second },
      ],
    });
    const violation = { status: 422, body: { code: 'statutory_floor_violation' } };
    expect(await service.post(`${path}/reject`, { code: 'final_sale' })).toMatchObject(violation);
    expect(await service.post(`${path}/approve`, approved(2, 0))).toMatchObject(violation);
    expect(await service.post(`${path}/approve`, approved(0, 1))).toMatchObject({
      status: 200,
      body: { lines: [{ quantities: { rejected: 2 } }, { quantities: { approved: 1 } }] },
    });
  });

  it('is none for a return of exempt goods alone', async () => {
    const { path } = await create({ lines: [{ ...shirt, withdrawalExemption: 'perishable' }, hat] }, shirts(1));
    expect(await service.post(`${path}/reject`, { code: 'final_sale' })).toMatchObject({ status: 200 });
  });

  it('lets the time to pay begin with the request, or with receipt, as the law has it', async () => {
    const { body } = await create({}, shirts(1));
    const { requestedAt, deadlines } = body as unknown as Deadlines;
    expect(Date.parse(deadlines.refundDueBy ?? '') - Date.parse(requestedAt)).toBe(14 * dayMs);
    const british = await create({ country: 'GB', lines: [{ ...shirt, deliveries: [] }] }, shirts(1));
    expect((british.body as unknown as Deadlines).deadlines).toEqual({});
    expect(await service.post(`${british.path}/reject`, { code: 'final_sale' })).toMatchObject({ status: 422 });
  });

  it('records with the return which lines are protected, and that the deployment has changed the law', async () => {
    const { path } = await create({ lines: [{ ...shirt, withdrawalExemption: 'custom_made' }, hat] }, shirts(1), hats);
    const { body } = await service.get(`${path}/history`);
    expect(body.items[0]).toMatchObject({
      data: { terms: { floor: { law: 'EU 2011/83', lines: ['12'], overridden: true } } },
    });
  });
});
