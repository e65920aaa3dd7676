import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn } from '../support/scenario.ts';

type Message = Output<'getMessage'>;

describe.each(contractModes(import.meta.filename))('%s getMessage', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });
  const reader = { client: 'returns-reader' };

  const read = async (resourceId: string, sequence: number, query = '') => {
    const { status, body } = await service.get(`/events/${resourceId}/${sequence}/message${query}`, reader);
    return { status, body: body as unknown as Message };
  };

  it('returns the receipt of a declaration in its language, for the address of the declaration', async () => {
    const email = `ada-${randomUUID()}@example.com`;
    const declared = await service.post('/withdrawals', {
      name: 'Visit www.example.net',
      email,
      contract: randomUUID(),
      language: 'fr',
    });
    const { withdrawalId } = declared.body as unknown as Output<'declareWithdrawal'>;
    const { status, body } = await read(withdrawalId, 2, '?language=de');
    expect([status, body.name, body.language, body.to]).toEqual([200, 'withdrawal_receipt', 'fr', { email }]);
    expect(body.text).toContain(withdrawalId);
    // Nothing typed becomes a link, and nothing typed is in the subject.
    expect(body.text).not.toContain('www.example.net');
    expect(body.text).toContain('www.\u2060example.\u2060net');
    expect(body.subject).toBe('Accusé de réception de votre rétractation');
  });

  it('returns an approval with what the customer does, in the asked language', async () => {
    const { id } = await createReturn(service);
    expect(await read(id, 1)).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
    const approved = await service.post(`/returns/${id}/approve`);
    const { rmaNumber } = approved.body as unknown as Output<'approve'>;
    const { status, body } = await read(id, 2, '?language=en');
    expect([status, body.name, body.subject]).toEqual([200, 'return_approved', `Your return ${rmaNumber} is approved`]);
    expect(body.text).toContain(`1. Write the number ${rmaNumber} on the parcel`);
    expect((await read(id, 2, '?language=pt')).body.subject).toBe(`A sua devolução ${rmaNumber} está aprovada`);
    expect((await service.get(`/events/${id}/2/message`, { client: 'returns-writer' })).status).toBe(403);
  });

  it('returns a rejection with the words of the shop', async () => {
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale', note: 'It was on sale.\nSorry.' });
    const { body } = await read(id, 2, '?language=en');
    expect(body).toMatchObject({ name: 'return_rejected', to: { email: expect.stringContaining('@') } });
    expect(body.text).toContain('The reason:\n  It was on sale.\n  Sorry.\n');
    const events = await service.get(`/returns/${id}/history`, reader);
    expect(JSON.stringify(events.body)).not.toContain('on sale');
  });

  it('rejects an event that does not exist, and the id of another resource', async () => {
    expect((await read('ret_00000000000000000000000000', 1)).body).toMatchObject({ code: 'message_not_found' });
    expect(await read('ord_00000000000000000000000000', 1)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/resourceId' }] },
    });
  });
});
