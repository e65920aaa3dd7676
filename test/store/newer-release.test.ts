import { afterAll, describe, expect, it } from 'vitest';
import { returnKey } from '../../lib/store/engine/keys.ts';
import { api } from '../support/api.ts';
import { createReturn } from '../support/scenario.ts';
import { openTable } from '../support/table.ts';

const table = openTable();
afterAll(() => table.close());

const service = api('standalone');
const failure = {
  status: 503,
  body: {
    code: 'dependency_unavailable',
    detail: 'A newer release of the service wrote this data. Complete its deployment, then try again.',
  },
};

/** Creates a return, and returns its id and its row. */
const stored = async () => {
  const { id } = await createReturn(service);
  const row = (await table.items(id)).find(({ sk }) => sk === returnKey(id).sk);
  if (row === undefined) throw new Error(`there is no ${id}`);
  return { id, row };
};

describe('row of a newer release', () => {
  it('is rejected by reads and commands when its schema is higher', async () => {
    const { id, row } = await stored();
    await table.put({ ...row, schema: 2 });
    expect(await service.get(`/returns/${id}`)).toMatchObject(failure);
    expect(await service.post(`/returns/${id}/notes`, { text: 'too early' })).toMatchObject(failure);
    await table.put({ ...row });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ status: 200 });
  });

  it('is rejected by reads when the first byte of its value is higher', async () => {
    const { id, row } = await stored();
    await table.put({ ...row, value: Buffer.of(200) });
    expect(await service.get(`/returns/${id}`)).toMatchObject(failure);
    // The row is in the lists of other tests.
    await table.put({ ...row });
  });
});
