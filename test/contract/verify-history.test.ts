import { afterAll, describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/domain/returns/history/entry.ts';
import { appendEntries, entryHash, initialHash } from '../../lib/domain/returns/history/history.ts';
import { addMacs } from '../../lib/domain/returns/history/mac.ts';
import type { Output } from '../../lib/contract/contract.ts';
import { entryKey, personPartition, returnKey } from '../../lib/store/engine/keys.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { stackRing } from '../support/stack-keys.ts';
import { createReturn } from '../support/scenario.ts';
import { openTable } from '../support/table.ts';
import { sample, inSoak } from '../support/samples.ts';

const table = openTable();
afterAll(() => table.close());

const { current: key } = await stackRing();

/** Returns an entry that an attacker without the key changed and hashed again. */
const rehashed = (entry: Entry, change: object): Entry => {
  const changed = { ...entry, ...change } as Entry;
  return { ...changed, hash: entryHash(changed) };
};

/** Returns an entry that an attacker with the key changed. */
const rekeyed = (entry: Entry, change: object): Entry => addMacs([rehashed(entry, change)], key)[0] ?? entry;

describe.each(contractModes(import.meta.filename))('%s verifyHistory', (mode) => {
  const service = contractApi(mode);

  const verify = async (id: string) => {
    const { status, body } = await service.get(`/returns/${id}/history/verification`, { client: 'returns-reader' });
    expect(status).toBe(200);
    return body as unknown as Output<'verifyHistory'>;
  };

  /** Creates a return with three entries. */
  const lived = async (): Promise<{ id: string; entries: readonly [Entry, Entry, Entry] }> => {
    const { id } = await createReturn(service, 2);
    await service.post(`/returns/${id}/approve`);
    await service.post(`/returns/${id}/cancel`, { note: 'marker-note: kept' });
    const [first, second, third] = await table.entries(id);
    if (first === undefined || second === undefined || third === undefined) throw new Error('a short history');
    return { id, entries: [first, second, third] };
  };

  let damaged: ReturnType<typeof lived> | undefined;
  /** Returns one return for several tests. Each may damage its entries, and the next test restores them. */
  const whole = async () => {
    const one = await (damaged ??= lived());
    await table.putEntries(one.id, one.entries);
    return one;
  };

  /** Returns the expected result for a history that is broken after `sound` entries. */
  const broken = (id: string, head: string, code: string, sound: number, sequence = sound + 1) => ({
    returnId: id,
    entries: sound,
    valid: false,
    head,
    firstFault: { sequence, code, detail: expect.any(String) },
  });

  it('returns ok for an unchanged history', async () => {
    const { id, entries } = await lived();
    expect(await verify(id)).toEqual({ returnId: id, entries: 3, valid: true, head: entries[2].hash });
  });

  it('returns ok after the customer is erased', async () => {
    const { id, entries } = await lived();
    const { subject } = await table.snapshot(id);
    const known = await table.partition(personPartition(subject));
    expect(JSON.stringify((await service.get(`/returns/${id}`)).body)).toMatch(/marker/i);
    for (const item of known) await table.remove(item);
    expect(await verify(id)).toEqual({ returnId: id, entries: 3, valid: true, head: entries[2].hash });
    expect(await table.entries(id)).toEqual(entries);
    expect(JSON.stringify((await service.get(`/returns/${id}`)).body)).not.toMatch(/marker/i);
  });

  it('returns 404 for an unknown return', async () => {
    expect(await service.get('/returns/ret_00000000000000000000000000/history/verification')).toMatchObject({
      status: 404,
      body: { code: 'return_not_found', errors: [{ path: '/returnId' }] },
    });
  });

  it.each(inSoak('returns ok for 300 entries'))('%s', async () => {
    const { id } = await createReturn(service);
    const created = {
      at: '2026-11-20T08:00:00.000Z',
      actor: { clientId: 'test' },
      causationId: '1',
      correlationId: '1',
      policyVersion: null,
    };
    const event = (index: number) => ({ type: 'return.updated', data: { tags: [`tag-${index}`] } }) as const;
    const more = Array.from({ length: 298 }, (_, index) => event(index));
    const next = appendEntries(await table.snapshot(id), [event(-1), ...more], created);
    await table.putEntries(id, addMacs(next.entries, key));
    await table.putSnapshot(next.state);
    expect(await verify(id)).toEqual({ returnId: id, entries: 300, valid: true, head: next.state.head });
  });

  describe('names the changed entry', () => {
    const changes: Readonly<Record<keyof Entry, unknown>> = {
      type: 'return.rejected',
      data: { lines: [] },
      sequence: 7,
      at: '2020-01-01T00:00:00.000Z',
      actor: { clientId: 'other-client' },
      from: 'info_requested',
      to: 'completed',
      causationId: 'another',
      correlationId: 'another',
      policyVersion: 'another',
      previousHash: initialHash,
      hash: initialHash,
      mac: { key: 'first', value: initialHash },
    };

    it('for any changed field', async () => {
      const { entries } = await whole();
      for (const entry of entries) expect(Object.keys(entry).toSorted()).toEqual(Object.keys(changes).toSorted());
    });

    it.each(sample(Object.entries(changes), 4))('when its %s changed', async (field, value) => {
      const { id, entries } = await whole();
      await table.putEntry(id, 2, { ...entries[1], [field]: value });
      const code = field === 'mac' ? 'chain_rewritten' : 'hash_mismatch';
      expect(await verify(id)).toEqual(broken(id, entries[0].hash, code, 1));
    });

    it('when its data is removed', async () => {
      const { id } = await whole();
      for (const value of ['', 'null', '{', new Uint8Array([1, 2, 3])]) {
        await table.put({ ...entryKey(id, 1), value });
        expect(await verify(id)).toEqual(broken(id, initialHash, 'hash_mismatch', 0));
      }
    });

    it('when its hash and all later ones were rebuilt without the key', async () => {
      const { id, entries } = await lived();
      const state = await table.snapshot(id);
      const second = rehashed(entries[1], { actor: { clientId: 'other-client' } });
      const third = rehashed(entries[2], { previousHash: second.hash });
      const rewrite = async (...created: readonly Entry[]) => {
        for (const entry of created) await table.putEntry(id, entry.sequence, entry);
        await table.putSnapshot({ ...state, head: third.hash });
        return verify(id);
      };
      const found = broken(id, entries[0].hash, 'chain_rewritten', 1);
      expect(await rewrite(second, third)).toEqual(found);
      const withoutMac = ({ mac, ...entry }: Entry): Entry => (mac === undefined ? entry : { ...entry });
      expect(await rewrite(withoutMac(second), withoutMac(third))).toEqual(found);
      const first = withoutMac(entries[0]);
      expect(await rewrite(first, withoutMac(second), withoutMac(third))).toEqual(
        broken(id, initialHash, 'chain_rewritten', 0),
      );
    });

    it('by the next entry, when hash and MAC were rebuilt', async () => {
      const { id, entries } = await whole();
      await table.putEntry(id, 2, rekeyed(entries[1], { actor: { clientId: 'other-client' } }));
      expect(await verify(id)).toMatchObject({ entries: 2, firstFault: { sequence: 3, code: 'chain_broken' } });
    });

    it('by the return, when it was the last and hash and MAC were rebuilt', async () => {
      const { id, entries } = await whole();
      const forged = rekeyed(entries[2], { actor: { clientId: 'other-client' } });
      await table.putEntry(id, 3, forged);
      expect(await verify(id)).toEqual(broken(id, forged.hash, 'snapshot_differs', 3, 3));
    });

    it.each([
      ['an unknown type', { type: 'return.unheard' }],
      ['another next status', { to: 'completed' }],
      ['another previous status', { from: 'requested' }],
      ['data of another type', { data: { lines: 7 } }],
    ])('when it has %s', async (_, change) => {
      const { id, entries } = await whole();
      await table.putEntry(id, 3, rekeyed(entries[2], change));
      expect(await verify(id)).toEqual(broken(id, entries[1].hash, 'not_foldable', 2));
    });
  });

  it('detects the history of another return under its id', async () => {
    const [{ id }, other] = [await lived(), await lived()];
    await table.putEntries(id, other.entries);
    await table.putSnapshot({ ...(await table.snapshot(other.id)), id });
    expect(await verify(id)).toEqual(broken(id, initialHash, 'chain_rewritten', 0));
  });

  it.each([1, 2, 3])('names entry %s when it is missing', async (sequence) => {
    const { id, entries } = await whole();
    await table.remove(entryKey(id, sequence));
    const head = [initialHash, ...entries.map(({ hash }) => hash)][sequence - 1] ?? '';
    const code = sequence === 3 ? 'tail_removed' : 'sequence_gap';
    expect(await verify(id)).toEqual(broken(id, head, code, sequence - 1));
  });

  it('names the first of two swapped entries', async () => {
    const { id, entries } = await whole();
    await table.putEntry(id, 2, entries[2]);
    await table.putEntry(id, 3, entries[1]);
    expect(await verify(id)).toEqual(broken(id, entries[0].hash, 'entries_swapped', 1));
  });

  it.each([0, 5])('names an extra entry: at %s', async (sequence) => {
    const { id, entries } = await lived();
    await table.putEntry(id, sequence, entries[2]);
    expect(await verify(id)).toMatchObject({
      valid: false,
      firstFault: { sequence: sequence === 0 ? 1 : 4, code: 'sequence_gap' },
    });
  });

  it('detects an entry that the return does not count', async () => {
    const { id } = await lived();
    const more = { type: 'return.updated', data: { tags: ['forged'] } } as const;
    const { actor, ...last } = (await table.entries(id))[2] as Entry;
    const { causationId, correlationId, policyVersion, at } = last;
    const next = appendEntries(await table.snapshot(id), [more], {
      actor,
      causationId,
      correlationId,
      policyVersion,
      at,
    });
    await table.putEntries(id, addMacs(next.entries, key));
    expect(await verify(id)).toEqual(broken(id, next.state.head, 'snapshot_differs', 4, 4));
  });

  it('names the fields in which the return differs from its history', async () => {
    const { id } = await lived();
    const state = await table.snapshot(id);
    await table.putSnapshot({ ...state, status: 'completed', tags: ['marker-tag'] });
    const { firstFault } = await verify(id);
    expect(firstFault).toEqual({
      sequence: 3,
      code: 'snapshot_differs',
      detail: 'The stored return differs in status, tags.',
    });
  });

  it('detects that the return is deleted or unreadable', async () => {
    const { id, entries } = await lived();
    const found = (code: string) => broken(id, entries[2].hash, code, 3, 3);
    await table.put({ ...returnKey(id), value: 'null' });
    expect(await verify(id)).toEqual(found('snapshot_differs'));
    await table.remove(returnKey(id));
    expect(await verify(id)).toEqual(found('return_removed'));
  });

  it.each(inSoak('returns a consistent result during concurrent writes'))('%s', async () => {
    const { id } = await createReturn(service);
    const tag = async (version: number) =>
      service.patch(`/returns/${id}`, { tags: [String(version)] }, { headers: { 'if-match': `"${version}"` } });
    const write = async () => {
      for (let version = 1; version <= 10; version += 1) expect((await tag(version)).status).toBe(200);
    };
    const found = await Promise.all([write(), ...Array.from({ length: 10 }, async () => verify(id))]);
    expect(found.slice(1).filter((answer) => answer?.valid !== true)).toEqual([]);
    expect(await verify(id)).toMatchObject({ entries: 11, valid: true });
  });

  it.each(inSoak('is possible because no operation changes or replaces an entry'))('%s', async () => {
    const planted = { marker: 'planted' };
    const calls = {
      approve: async (id: string) => service.post(`/returns/${id}/approve`),
      reject: async (id: string) => service.post(`/returns/${id}/reject`, { code: 'final_sale' }),
      cancel: async (id: string) => service.post(`/returns/${id}/cancel`),
      updateReturn: async (id: string) =>
        service.patch(`/returns/${id}`, { tags: ['a'] }, { headers: { 'if-match': '"1"' } }),
      recordRefund: async (id: string, { platform, orderId }: { platform: string; orderId: string }) =>
        service.put(`/orders/${platform}/${orderId}/refunds/1`, {
          returnId: id,
          amount: { amount: 1, currency: 'EUR' },
          occurredAt: '2026-11-20T08:00:00Z',
        }),
    };
    // The soak run tries every command.
    const tried = sample(Object.values(calls), 3).map(async (call) => {
      const { id, order } = await createReturn(service);
      const [first] = await table.entries(id);
      await table.putEntry(id, 2, planted);
      const { status } = await call(id, order as { platform: string; orderId: string });
      return { failed: status >= 500, stored: await table.entries(id), left: [first, planted] };
    });
    for (const { failed, stored, left } of await Promise.all(tried)) {
      expect(failed).toBe(true);
      expect(stored).toEqual(left);
    }
  });
});
