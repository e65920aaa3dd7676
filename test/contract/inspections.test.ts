import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { expectManners } from '../support/manners.ts';
import { approvedReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s inspections', (mode) => {
  const service = contractApi(mode);

  const receivedReturn = async (quantity = 3, unexpected: readonly object[] = []) => {
    const created = await approvedReturn(service, quantity);
    const came = { lines: [{ lineId: created.lineId, quantity }], ...(unexpected.length === 0 ? {} : { unexpected }) };
    const { body } = await service.post(`${created.path}/receipts`, came);
    return { ...created, itemId: body.unexpected[0]?.id };
  };

  it('accept and refuse units of one line, and update their worth', async () => {
    const { path, lineId } = await receivedReturn();
    const refused = { lineId, quantity: 1, outcome: 'refuse', disposition: 'return_to_customer', grade: 'C' };
    const report = { lines: [refused, { lineId, quantity: 1, outcome: 'accept', deductionBps: 2500 }] };
    const first = await expectManners(service, path, 'inspections', report);
    expect(first.body).toMatchObject({
      status: 'received',
      lines: [
        {
          quantities: { received: 3, accepted: 1, refused: 1 },
          inspections: [
            { id: expect.stringMatching(/^ins_/), quantity: 1, outcome: 'refuse', grade: 'C', deductionBps: 0 },
            { quantity: 1, outcome: 'accept', disposition: 'restock', deductionBps: 2500, at: expect.any(String) },
          ],
          amounts: { gross: { amount: 3000 }, maxRefundable: { amount: 2000 } },
        },
      ],
    });
    const rest = { lines: [{ lineId, quantity: 1, outcome: 'accept', disposition: 'refurbish' }] };
    expect(await service.post(`${path}/inspections`, rest)).toMatchObject({
      body: {
        status: 'inspected',
        inspectedAt: expect.any(String),
        lines: [{ quantities: { accepted: 2, refused: 1 } }],
      },
    });
    expect((await service.get(`${path}/history`)).body.items.slice(3)).toMatchObject([
      { type: 'inspection.recorded', from: 'received', to: 'received', data: { lines: [{ lineId }, { lineId }] } },
      { type: 'inspection.recorded', from: 'received', to: 'inspected' },
    ]);
    expect(await service.post(`${path}/inspections`, rest)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        detail: 'The return has no units to inspect.',
        allowedActions: expect.arrayContaining([
          { action: 'inspect', scope: 'returns:write', allowed: false, blockedBy: 'nothing_to_inspect' },
        ]),
      },
    });
  });

  it('record a disposition of unexpected items, with notes for readers only', async () => {
    const { path, lineId, itemId } = await receivedReturn(1, [{ quantity: 1, note: 'marker-note: wet' }]);
    const report = {
      lines: [{ lineId, quantity: 1, outcome: 'accept', note: 'marker-note: as new' }],
      unexpected: [{ id: itemId, disposition: 'destroy', note: 'marker-note: moldy' }],
    };
    const answer = await service.post(`${path}/inspections`, report, { client: 'returns-writer' });
    expect(answer.body).toMatchObject({ status: 'inspected', unexpected: [{ id: itemId, disposition: 'destroy' }] });
    expect(JSON.stringify(answer.body)).not.toContain('marker');
    const read = await service.get(path, { client: 'returns-reader' });
    expect(read.body).toMatchObject({
      lines: [{ inspections: [{ note: 'marker-note: as new' }] }],
      unexpected: [{ note: 'marker-note: moldy' }],
    });
    expect(JSON.stringify((await service.get(`${path}/history`)).body)).not.toContain('marker');
  });

  it('return all field errors together', async () => {
    const { path, lineId, itemId } = await receivedReturn(3, [{ quantity: 1 }]);
    const lines = [
      { lineId, quantity: 2, outcome: 'accept' },
      { lineId, quantity: 2, outcome: 'refuse', deductionBps: 1 },
    ];
    const unexpected = [
      { id: itemId, disposition: 'donate' },
      { id: itemId, disposition: 'donate' },
    ];
    expect(await service.post(`${path}/inspections`, { lines, unexpected })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [
          { path: '/lines/1/quantity', code: 'maximum', message: 'must be at most 1' },
          { path: '/lines/1/disposition', code: 'required' },
          { path: '/lines/1/deductionBps', code: 'maximum' },
          { path: '/unexpected/1/id', code: 'duplicate' },
        ],
      },
    });
  });

  it('fail for lines and items of another return', async () => {
    const { path } = await receivedReturn();
    const lines = [{ lineId: 'rln_00000000000000000000000000', quantity: 1, outcome: 'accept' }];
    expect(await service.post(`${path}/inspections`, { lines })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/lines/0/lineId' }] },
    });
    const unexpected = [{ id: 'unx_00000000000000000000000000', disposition: 'donate' }];
    expect(await service.post(`${path}/inspections`, { unexpected })).toMatchObject({
      status: 404,
      body: { code: 'unexpected_not_found', errors: [{ path: '/unexpected/0/id' }] },
    });
  });

  it('wait for received units', async () => {
    const { path, lineId } = await approvedReturn(service);
    const lines = [{ lineId, quantity: 1, outcome: 'accept' }];
    expect(await service.post(`${path}/inspections`, { lines })).toMatchObject({ status: 409 });
  });
});
