import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { lambda } from '../../support/lambda.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ returnTerms: { deadlines: { shipByDays: 0, refundDueDays: 2 } } });
});
afterAll(async () => stack.close());

describe.each(modes)('schedules of the %s mode', (mode) => {
  const due = { time: '2026-11-22T12:00:00Z' };

  it('expire returns by the public operations', async () => {
    const service = api(mode, stack.info);
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    const { reply } = await lambda(mode, stack.info)('expireReturns', due);
    expect(reply).toMatchObject({ done: 1, passed: 0, failed: 0, through: true });
    const { body } = await service.get(`/returns/${id}/history`);
    const self = 'schedule:expire-returns';
    const actor = {
      standalone: { clientId: self },
      connected: { clientId: 'returns-integration', onBehalfOf: encodeURIComponent(self) },
    }[mode];
    expect(body.items.at(-1)).toMatchObject({ type: 'return.expired', actor });
  });

  it('remind of due refunds', async () => {
    const service = api(mode, stack.info);
    const { id, answer } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    const lines = answer.body.lines.map((line) => ({ lineId: line.lineId, quantity: 1 }));
    await service.post(`/returns/${id}/receipts`, { lines });
    const { reply } = await lambda(mode, stack.info)('remindRefunds', due);
    expect(reply).toMatchObject({ done: 1, failed: 0, through: true });
    const { body } = await service.get(`/returns/${id}`);
    expect(body).toMatchObject({ refundReminders: { dueSoon: expect.any(String) } });
    expect((await lambda(mode, stack.info)('remindRefunds', due)).reply).toMatchObject({ done: 0, failed: 0 });
  });

  it('emit one daily summary', async () => {
    expect((await lambda(mode, stack.info)('dailySummary', due)).reply).toEqual({ emitted: 1 });
    expect((await lambda(mode, stack.info)('dailySummary', due)).reply).toEqual({ emitted: 0 });
  });

  it('verify histories of returns and withdrawals', async () => {
    const service = api(mode, stack.info);
    await createReturn(service);
    const declaration = { name: 'Ada', email: 'ada@example.com', contract: mode };
    expect(await service.post('/withdrawals', declaration)).toMatchObject({ status: 201 });
    const { reply } = await lambda(mode, stack.info)('verifyChains', due);
    expect(reply).toMatchObject({ failed: 0, through: true, broken: 0, withdrawals: { failed: 0, through: true } });
    expect(reply).not.toMatchObject({ done: 0 });
    expect(reply).not.toMatchObject({ withdrawals: { done: 0 } });
  });

  it('delete expired deliveries', async () => {
    const { reply } = await lambda(mode, stack.info)('purgeInbox', due);
    expect(reply).toEqual({ purged: 0, through: true });
  });
});

it('anchor histories once a day in the standalone mode', async () => {
  const anchor = async () => (await lambda('standalone', stack.info)('anchorChains', {})).reply;
  // The returns of this stack are too recent for the first tree.
  expect(await anchor()).toMatchObject({ added: 0, published: { size: 0 } });
  expect(await anchor()).toEqual({ added: 0 });
});

it('emit policy events in the standalone mode', async () => {
  const { reply } = await lambda('standalone', stack.info)('activatePolicies', {});
  expect(reply).toEqual({ emitted: 0 });
});
