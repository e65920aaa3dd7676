import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { api } from '../../support/api.ts';
import { oneMode } from '../../support/samples.ts';
import { fakeService, json, onStack, returns, temporaryFolder } from './harness.ts';

const heading =
  'source,return_id,status,requested_at,ended_at,refund_amount,platform,order_id,currency,line_id,unit_price,quantity,reason';

type Row = { readonly id: string; readonly line?: string; readonly reason?: string };

/** Returns a row of a completed return of its own order, with a refund of 20.00 for the return. */
const rowOf = ({ id, line = '1', reason = 'other' }: Row): string =>
  `loop,${id},completed,2024-03-01,2024-03-09,20.00,web,${id},EUR,${line},10.00,1,${reason}`;

/** Returns the rows of a return with two lines. */
const twoRows = (id: string): readonly string[] => [rowOf({ id }), rowOf({ id, line: '2' })];

/** Writes a file, and gives its name to the command. */
const importing = async (rows: readonly string[], args: readonly string[], env: Readonly<Record<string, string>>) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'returns.csv');
  await writeFile(file, [heading, ...rows].join('\r\n'));
  // The folder is removed when the command has ended.
  const outcome = await returns(['import', file, ...args], { env });
  return outcome;
};

describe.each(oneMode('standalone'))('returns import on the %s mode', (mode) => {
  const env = onStack(mode);
  const found = async (id: string) => (await api(mode).get(`/returns?externalRef=loop:${id}`)).body as unknown;

  it('checks a file, imports it, and leaves it unchanged when it is repeated', async () => {
    const ids = Array.from({ length: 150 }, () => randomUUID());
    const broken = randomUUID();
    const rows = [...ids.flatMap(twoRows), rowOf({ id: broken, reason: 'nonsense' })];

    const checked = await importing(rows, [], env);
    expect(checked.out).toBe('301 rows, 151 returns: 150 can be imported, 0 unchanged, 1 failed.\n');
    expect(checked.error).toMatch(/^row 302, reason: must be one of .* \(reason_unknown\)$/m);
    expect(checked.error).toContain('nothing is stored');
    expect(checked.code).toBe(1);
    expect(await found(ids[0] ?? '')).toMatchObject({ items: [] });

    const applied = await importing(rows, ['--apply', '--json'], env);
    expect(applied.code).toBe(1);
    expect(JSON.parse(applied.out)).toMatchObject({
      applied: true,
      rows: 301,
      returns: 151,
      imported: 150,
      unchanged: 0,
      failed: 1,
      errors: [{ row: 302, column: 'reason' }],
    });
    expect(await found(ids[0] ?? '')).toMatchObject({
      items: [{ status: 'completed', refundStatus: 'refunded', requestedAt: '2024-03-01T00:00:00.000Z' }],
    });

    const repeated = await importing(rows.slice(0, -1), ['--apply'], env);
    expect([repeated.code, repeated.out]).toEqual([0, '300 rows, 150 returns: 0 imported, 150 unchanged, 0 failed.\n']);
  });

  it('names the columns of a return that differs from what was imported', async () => {
    const id = randomUUID();
    expect((await importing([rowOf({ id })], ['--apply'], env)).code).toBe(1);
    expect((await importing(twoRows(id), ['--apply'], env)).code).toBe(0);
    const other = await importing([rowOf({ id }), rowOf({ id, line: '2', reason: 'unknown' })], ['--apply'], env);
    expect(other.code).toBe(1);
    expect(other.error).toMatch(/^row 3, reason: must be as it was imported \(duplicate_return\) The return is ret_/m);
  });

  it('reads a mapping, and stdin', async () => {
    await using folder = await temporaryFolder();
    const map = join(folder.path, 'map.json');
    const columns = Object.fromEntries(heading.split(',').map((name) => [name, name.toUpperCase()]));
    await writeFile(map, JSON.stringify({ delimiter: ';', columns: { ...columns, reason: { value: 'other' } } }));
    const input = [heading.toUpperCase(), ...twoRows(randomUUID())].join('\n').replaceAll(',', ';');
    const { code, out } = await returns(['import', '-', '--map', map], { env, input });
    expect([code, out]).toEqual([0, '2 rows, 1 returns: 1 can be imported, 0 unchanged, 0 failed.\n']);
  });

  it('ends with a usage error for a file or a mapping that it cannot read', async () => {
    const missing = await returns(['import', '/nonexistent.csv'], { env });
    expect([missing.code, missing.error]).toEqual([2, 'error: /nonexistent.csv cannot be read (ENOENT).\n']);
    const unmapped = await returns(['import', '-', '--map', '/nonexistent.json'], { env });
    expect([unmapped.code, unmapped.error]).toEqual([
      2,
      'error: the mapping /nonexistent.json: it cannot be read (ENOENT).\n',
    ]);
  });
});

describe('returns import on a service', () => {
  it('waits while the service is busy', async () => {
    let requests = 0;
    await using fake = await fakeService(() => {
      requests += 1;
      const busy = JSON.stringify({ title: 'Busy', status: 429, code: 'rate_limited', detail: 'Busy.' });
      return requests === 1
        ? { status: 429, headers: { 'content-type': 'application/problem+json', 'retry-after': '1' }, body: busy }
        : json(201, contract.importReturn.example.output);
    });
    const { code, out } = await importing(twoRows('1'), ['--apply'], fake.env);
    expect([code, out]).toEqual([0, '2 rows, 1 returns: 1 imported, 0 unchanged, 0 failed.\n']);
    expect(requests).toBe(2);
  });

  it('stops when the service rejects its client, and says how to continue', async () => {
    const forbidden = {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      code: 'insufficient_scope',
      detail: 'No.',
    };
    let requests = 0;
    await using fake = await fakeService(() => {
      requests += 1;
      return json(403, forbidden);
    });
    const ids = Array.from({ length: 50 }, (_, index) => String(index));
    const { code, error } = await importing(ids.flatMap(twoRows), ['--apply'], fake.env);
    expect(code).toBe(3);
    expect(error).toContain('The import stopped. Repeat the command');
    expect(requests).toBeLessThanOrEqual(4);
  });
});
