import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { entryHash } from '../../lib/domain/returns/history/history.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { storedEntry } from '../support/stored-entry.ts';

/** Returns the actor of a caller. All callers of the connected mode act through its one client. */
const actor = (mode: Mode, clientId: string, onBehalfOf?: string) =>
  mode === 'standalone'
    ? { clientId, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) }
    : {
        clientId: 'returns-integration',
        onBehalfOf: onBehalfOf === undefined ? clientId : `${clientId}/${onBehalfOf}`,
      };

const historyAt = (returnId: string, cursor: string) =>
  `/returns/${returnId}/history?cursor=${encodeURIComponent(cursor)}`;

describe.each(contractModes(import.meta.filename))('%s history', (mode) => {
  const service = contractApi(mode);

  describe('getHistory', () => {
    it('returns the actor and action of each entry, chained to the previous one', async () => {
      const { id } = await createReturn(service);
      await service.post(
        `/returns/${id}/approve`,
        {},
        { client: 'returns-partner', headers: { 'returns-on-behalf-of': 'agent-7' } },
      );
      const { body } = await service.get(`/returns/${id}/history`, { client: 'returns-reader' });
      expect(body).toMatchObject({
        items: [
          { sequence: 1, type: 'return.requested', from: null, to: 'requested', actor: actor(mode, 'returns-admin') },
          {
            sequence: 2,
            type: 'return.approved',
            from: 'requested',
            to: 'approved',
            actor: actor(mode, 'returns-partner', 'agent-7'),
          },
        ],
        nextCursor: null,
      });
      const entries = (body as unknown as Output<'getHistory'>).items.map(storedEntry);
      expect(entries.map(entryHash)).toEqual(entries.map(({ hash }) => hash));
      expect(entries[1]?.previousHash).toBe(entries[0]?.hash);
      expect(JSON.stringify(body)).not.toMatch(/marker/i);
    });

    it('stores the represented person, up to 200 characters', async () => {
      const order = await registerOrder(service);
      const whom = `a!"%+,:;~${'b'.repeat(191)}`;
      const create = async (onBehalfOf: string) =>
        service.post('/returns', returnOf(order), { headers: { 'returns-on-behalf-of': onBehalfOf } });
      const { status, body } = await create(whom);
      expect(status).toBe(201);
      const { items } = (await service.get(`/returns/${body.returnId}/history`)).body;
      expect(items).toMatchObject([{ actor: actor(mode, 'returns-admin', whom) }]);
      expect(await create(`${whom}b`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'header:Returns-On-Behalf-Of' }] },
      });
    });

    it('stores the trace of the call that caused an entry', async () => {
      const { id } = await createReturn(service);
      const trace = randomUUID().replaceAll('-', '');
      await service.post(`/returns/${id}/approve`, {}, { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } });
      const { body } = await service.get(`/returns/${id}/history`);
      expect(body.items[1]?.correlationId).toBe(trace);
    });

    it('returns pages', async () => {
      const { id } = await createReturn(service);
      await service.post(`/returns/${id}/approve`);
      const first = await service.get(`/returns/${id}/history?limit=1`);
      expect(first.body.items.map(({ sequence }) => sequence)).toEqual([1]);
      const rest = await service.get(
        `/returns/${id}/history?limit=1&cursor=${encodeURIComponent(String(first.body.nextCursor))}`,
      );
      expect(rest.body).toMatchObject({ items: [{ sequence: 2 }], nextCursor: null });
    });

    it('accepts a cursor only from the caller and for the resource of its issue', async () => {
      const [{ id }, other] = [await createReturn(service), await createReturn(service)];
      await service.post(`/returns/${id}/approve`);
      const { body } = await service.get(`/returns/${id}/history?limit=1`);
      const rejected = { status: 400, body: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };
      expect(await service.get(historyAt(other.id, String(body.nextCursor)))).toMatchObject(rejected);
      expect(await service.get(historyAt(id, String(body.nextCursor)), { client: 'returns-reader' })).toMatchObject(
        rejected,
      );
      expect(await service.get(historyAt(id, `0${String(body.nextCursor).slice(1)}`))).toMatchObject(rejected);
      expect(await service.get(historyAt(id, 'nonsense'))).toMatchObject(rejected);
    });
  });
});
