import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { entryHash, initialHash } from '../../lib/domain/returns/history/history.ts';
import { domainEventKey, withdrawalKey } from '../../lib/store/engine/keys.ts';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { openTable } from '../support/table.ts';

const table = openTable();
afterAll(() => table.close());

const unknown = '/withdrawals/wdr_00000000000000000000000000';
const reader = { client: 'returns-reader' };

type History = Output<'getWithdrawalHistory'>;
type Verification = Output<'verifyWithdrawalHistory'>;

describe.each(contractModes(import.meta.filename))('%s histories of withdrawals', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });

  /** Declares a withdrawal whose receipt is sent, and returns its id, its path and the texts of the consumer. */
  const declared = async () => {
    const own = randomUUID();
    const content = { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own };
    const answer = await service.post('/withdrawals', content, { headers: { 'returns-on-behalf-of': 'agent-7' } });
    const { withdrawalId } = answer.body as unknown as Output<'declareWithdrawal'>;
    const path = `/withdrawals/${withdrawalId}`;
    const sent = { sentAt: new Date().toISOString(), channel: 'email' };
    expect(await service.post(`${path}/receipt/sent`, sent)).toMatchObject({ status: 200 });
    return { withdrawalId, path, content };
  };
  const verify = async (path: string) => {
    const { status, body } = await service.get(`${path}/history/verification`, reader);
    expect(status).toBe(200);
    return body as unknown as Verification;
  };

  it('return the entries in pages, the oldest first, each with the hash of the entry before', async () => {
    const { path, content } = await declared();
    const first = await service.get(`${path}/history?limit=2`, reader);
    const { items, nextCursor } = first.body as unknown as History;
    const rest = await service.get(`${path}/history?limit=2&cursor=${nextCursor}`, reader);
    const all = [...items, ...(rest.body as unknown as History).items];
    expect(all.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, 'withdrawal.declared'],
      [2, 'withdrawal.receipt_due'],
      [3, 'withdrawal.receipt_sent'],
    ]);
    expect(rest.body).toMatchObject({ nextCursor: null });
    expect(all.map(({ previousHash }) => previousHash)).toEqual(
      [initialHash, ...all.map(({ hash }) => hash)].slice(0, 3),
    );
    const { actor, ...entry } = all[0] ?? { actor: { clientId: '' } };
    const { onBehalfOf, ...recorded } = actor;
    expect(onBehalfOf).toContain('agent-7');
    expect(entryHash({ ...entry, actor: recorded })).toBe(all[0]?.hash);
    for (const text of Object.values(content)) expect(JSON.stringify(all)).not.toContain(text);
    expect(await service.get(`${path}/history?cursor=x`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });

  it('are valid, and without a proof before the next root', async () => {
    const { path, withdrawalId } = await declared();
    const { items } = (await service.get(`${path}/history`)).body as unknown as History;
    expect(await verify(path)).toEqual({ withdrawalId, entries: 3, valid: true, head: items.at(-1)?.hash });
  });

  it('name the first fault of a changed table', async () => {
    const { path, withdrawalId } = await declared();
    const { pk } = withdrawalKey(withdrawalId);
    const { items } = (await service.get(`${path}/history`)).body as unknown as History;
    await table.remove(domainEventKey(pk, 2));
    expect(await verify(path)).toMatchObject({
      entries: 1,
      valid: false,
      head: items[0]?.hash,
      firstFault: { sequence: 2, code: 'sequence_gap', detail: expect.any(String) },
    });
    await table.remove(withdrawalKey(withdrawalId));
    for (const sequence of [1, 3]) await table.remove(domainEventKey(pk, sequence));
    expect(await verify(path)).toMatchObject({
      entries: 0,
      valid: false,
      head: initialHash,
      firstFault: { sequence: 1, code: 'withdrawal_removed' },
    });
  });

  it('name an extra entry before the first one', async () => {
    const { path, withdrawalId } = await declared();
    const { pk } = withdrawalKey(withdrawalId);
    const { sk } = domainEventKey(pk, 1);
    const first = (await table.partition(pk)).find((item) => item.sk === sk);
    if (first === undefined) throw new Error('the withdrawal has no entry');
    await table.put({ ...first, ...domainEventKey(pk, 0) });
    expect(await verify(path)).toMatchObject({ valid: false, firstFault: { sequence: 1, code: 'sequence_gap' } });
    await table.remove(domainEventKey(pk, 0));
    expect(await verify(path)).toMatchObject({ valid: true });
  });

  it('return 404 for an unknown withdrawal', async () => {
    for (const path of [`${unknown}/history`, `${unknown}/history/verification`])
      expect(await service.get(path, reader)).toMatchObject({ status: 404, body: { code: 'withdrawal_not_found' } });
  });
});
