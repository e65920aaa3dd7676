import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn } from '../support/scenario.ts';

type Dated = {
  readonly deadlines: { readonly refundDueBy?: string };
  readonly partiallyReceivedAt: string;
  readonly items: readonly { readonly dueAt?: string }[];
};

describe.each(contractModes(import.meta.filename))('%s deadlines', (mode) => {
  const service = contractApi(mode);

  it('are shown on a return once they run, and lists show the first open one', async () => {
    const { id, order, answer } = await createReturn(service, 2);
    const { platform, orderId } = order as { platform: string; orderId: string };
    const list = async () =>
      ((await service.get(`/returns?platform=${platform}&orderId=${orderId}`)).body as unknown as Dated).items[0];
    expect(answer.body).toMatchObject({ deadlines: {} });
    expect(await list()).not.toHaveProperty('dueAt');
    await service.post(`/returns/${id}/approve`);
    const lines = [{ lineId: answer.body.lines[0]?.lineId, received: 1 }];
    const came = await service.post(`/returns/${id}/corrections`, { reason: 'it came', lines });
    const { deadlines, partiallyReceivedAt } = came.body as unknown as Dated;
    expect(Date.parse(deadlines.refundDueBy ?? '') - Date.parse(partiallyReceivedAt)).toBe(14 * 86_400_000);
    expect(await list()).toMatchObject({ dueAt: deadlines.refundDueBy });
  });
});
