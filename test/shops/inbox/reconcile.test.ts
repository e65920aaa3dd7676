import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ok } from '../../../lib/runtime/result.ts';
import { reconcile } from '../../../lib/shops/inbox/reconcile.ts';
import { sweepInbox } from '../../../lib/shops/inbox/sweep.ts';
import type { ChangeBatch, Translator } from '../../../lib/shops/platforms/platform.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readShopCheckpoint, writeShopCheckpoint } from '../../../lib/store/inbox/inbox-replay.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startSecretVersions } from '../../support/secret-versions.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { outside, platformWith, startLosingEngine } from './support.ts';

const engines = await startEngines();
const secret = await startPlatformSecret();
const { messages, rows, empty } = outside(engines);

afterAll(async () => {
  await engines.stop();
  await secret.close();
});
beforeEach(async () => {
  restoreEnvironment();
  await empty();
});

type ChangedSince = NonNullable<Translator['fetchChanges']>;

const change = (id: string) => ({ topic: 'returns/update', deliveryId: `${id}@1`, body: { id } });

/** Runs the function once, with the given function as `fetchChanges`. */
const runOver = async (changedSince: ChangedSince) =>
  reconcile({ shopify: { ...platformWith({}), fetchChanges: changedSince } }, {})({}, contextWith());

let next = 0;

/** Stores unused shop names in the secret. A new container reads it. */
const shops = (count = 1): string[] => {
  const names = Array.from({ length: count }, () => `shop-${(next += 1)}.example`);
  secret.put(Object.fromEntries(names.map((name) => [name, {}])));
  startContainer();
  return names;
};

const pagesOf = (...pages: readonly (readonly string[])[]): ChangedSince => {
  return async (_source, { cursor }) => {
    const at = Number(cursor ?? 0);
    const found = (pages[at] ?? []).map(change);
    return ok<ChangeBatch>({ found, cursor: String(Math.min(at + 1, pages.length)), more: at + 1 < pages.length });
  };
};

const stored = async (source: string) => {
  const found = (await rows()).filter((row) => row['source'] === source);
  return found.map(({ deliveryId }) => String(deliveryId)).toSorted();
};

const progress = async (source: string) => {
  using session = openSession(ampleDeadline());
  return await readShopCheckpoint(session, { platform: 'shopify', source });
};

const enqueuedKeys = async (): Promise<readonly string[]> => {
  const all: string[] = [];
  for (;;) {
    const some = await messages();
    if (some.length === 0) return all.toSorted();
    all.push(...some.map(({ Body }) => (JSON.parse(Body ?? '') as { key: string }).key));
  }
};

describe('reconcile', () => {
  test('stores and enqueues each change once', async () => {
    const [shop = ''] = shops();
    const run = async () => runOver(pagesOf(['a', 'b'], ['c']));
    expect(await run()).toEqual({ shops: 1, found: 3, stored: 3, failed: 0, postponed: 0 });
    expect(await stored(shop)).toEqual(['reconcile:a@1', 'reconcile:b@1', 'reconcile:c@1']);
    expect(await rows()).toContainEqual(
      expect.objectContaining({ source: shop, topic: 'returns/update', status: 'received', attempts: 0 }),
    );
    expect(await enqueuedKeys()).toHaveLength(3);
    expect(await progress(shop)).toMatchObject({ version: 2, cursor: '2' });
    const again = await runOver(async () => ok({ found: ['a', 'b', 'c'].map(change), cursor: '2', more: false }));
    expect(again).toMatchObject({ found: 3, stored: 0 });
    expect(await enqueuedKeys()).toEqual([]);
  });

  test('continues at the checkpoint, and begins a day ago for a new shop', async () => {
    const [shop = ''] = shops();
    const queries: unknown[] = [];
    const run = async () =>
      runOver(async (source, from) => {
        queries.push([source, from]);
        return ok({ found: [], cursor: 'here', more: false });
      });
    await run();
    await run();
    const since = expect.stringMatching(/^20.*Z$/);
    expect(queries).toEqual([
      [shop, { since }],
      [shop, { since, cursor: 'here' }],
    ]);
    const [[, first]] = queries as [[string, { since: string }]];
    expect(Math.abs(Date.now() - 24 * 3_600_000 - Date.parse(first.since))).toBeLessThan(60_000);
  });

  test('stores each change once in two concurrent runs and never moves the cursor back', async () => {
    const [shop = ''] = shops();
    const run = async () => runOver(pagesOf(['a', 'b'], ['c'], ['d', 'e']));
    const both = await Promise.all([run(), run()]);
    expect(both[0].stored + both[1].stored).toBe(5);
    expect(await stored(shop)).toHaveLength(5);
    expect(new Set(await enqueuedKeys()).size).toBe(5);
    expect(await progress(shop)).toMatchObject({ cursor: '3' });
  });

  test('writes a cursor only over the one that it has read', async () => {
    const origin = { platform: 'shopify', source: 'raced.example' };
    using session = openSession(ampleDeadline());
    const read = await readShopCheckpoint(session, origin);
    expect(await writeShopCheckpoint(session, origin, read, 'far')).toMatchObject({ version: 1, cursor: 'far' });
    expect(await writeShopCheckpoint(session, origin, read, 'near')).toBeUndefined();
    expect(await readShopCheckpoint(session, origin)).toMatchObject({ version: 1, cursor: 'far' });
  });

  test('continues with other shops when one fails, and retries that one from its checkpoint', async () => {
    const [down = '', broken = '', up = ''] = shops(3);
    const healthy = pagesOf(['a'], ['b']);
    const failing = runOver(async (source, from, deadline) => {
      if (source === down) return { ok: false, failure: { kind: 'retryable', reason: 'shop_status_503' } };
      if (source === broken) throw new TypeError('a defect');
      return healthy(source, from, deadline);
    });
    await expect(failing).rejects.toMatchObject({
      name: 'NotReconciled',
      message: '2 of 3 shops were not reconciled',
    });
    expect(await Promise.all([down, broken, up].map(stored))).toEqual([[], [], ['reconcile:a@1', 'reconcile:b@1']]);
    expect(await progress(down)).toEqual({ version: 0 });
    expect(await runOver(healthy)).toMatchObject({ shops: 3, stored: 4 });
  });

  test('neither loses nor duplicates changes of a run that died', async () => {
    const [shop = ''] = shops();
    const run = async () => runOver(pagesOf(['a', 'b']));
    // Another run has moved the cursor before this one writes it, as after a crash of this run.
    const outrun = await runOver(async (source, from, deadline) => {
      const read = await pagesOf(['a', 'b'])(source, from, deadline);
      using session = openSession(ampleDeadline());
      const origin = { platform: 'shopify', source };
      await writeShopCheckpoint(session, origin, await readShopCheckpoint(session, origin), '0');
      return read;
    });
    expect(outrun).toMatchObject({ found: 2, stored: 2, failed: 0 });
    expect(await progress(shop)).toMatchObject({ cursor: '0' });
    expect(await run()).toMatchObject({ found: 2, stored: 0 });
    expect(await progress(shop)).toMatchObject({ cursor: '1' });
    expect(await stored(shop)).toHaveLength(2);
  });

  test('reads a page again that it could not store', async () => {
    const [shop = ''] = shops();
    const large = { ...change('b'), body: { id: randomBytes(450_000).toString('base64') } };
    const failing = runOver(async () => ok({ found: [change('a'), large], cursor: '1', more: false }));
    await expect(failing).rejects.toMatchObject({ name: 'NotReconciled' });
    expect(await progress(shop)).toEqual({ version: 0 });
    expect(await runOver(pagesOf(['a', 'b']))).toMatchObject({ found: 2, failed: 0 });
    expect(await stored(shop)).toEqual(['reconcile:a@1', 'reconcile:b@1']);
    expect(await progress(shop)).toMatchObject({ version: 1, cursor: '1' });
  });

  test.each([
    ['does not change', async () => 'here'],
    ['returns to an earlier value', async (cursor = '0') => String((Number(cursor) + 1) % 3)],
  ])('ends the run of a shop whose cursor %s, and reports it', async (_, move) => {
    shops();
    const cursors: unknown[] = [];
    const run = runOver(async (_source, { cursor }) => {
      cursors.push(cursor);
      if (cursors.length > 20) throw new Error('asked without end');
      return ok({ found: [], cursor: await move(cursor), more: true });
    });
    await expect(run).rejects.toMatchObject({ name: 'NotReconciled' });
    expect(cursors.length).toBeLessThan(6);
  });

  test('continues after a change with a name that the store rejects', async () => {
    const [shop = ''] = shops();
    const names = ['x'.repeat(5_000), '\ud800', 'ü'.repeat(280), 'two words', 'plain'];
    const run = async () => runOver(pagesOf(names));
    expect(await run()).toMatchObject({ found: 5, stored: 5, failed: 0 });
    const ids = await stored(shop);
    expect(ids).toContain('reconcile:plain@1');
    expect(ids.filter((id) => /^reconcile:[\w-]{43}$/.test(id))).toHaveLength(4);
    const again = await runOver(async () => ok({ found: names.map(change), cursor: '1', more: false }));
    expect(again).toMatchObject({ found: 5, stored: 0 });
  });

  test('enqueues a change whose response of the store was lost', async () => {
    await using engine = await startLosingEngine();
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin });
    const [shop = ''] = shops();
    expect(await runOver(pagesOf(['a']))).toMatchObject({ found: 1, stored: 1, failed: 0 });
    expect([engine.isLost(), (await enqueuedKeys()).filter((key) => key.includes(shop)).length]).toEqual([true, 1]);
  });

  test('leaves changes that it could not enqueue to the sweeper', async () => {
    stubEnvironment({ INBOX_QUEUE_URL: `${engines.queueUrl}-gone` });
    const [shop = ''] = shops();
    expect(await runOver(pagesOf(['a']))).toMatchObject({ stored: 1, failed: 0 });
    expect(await stored(shop)).toEqual(['reconcile:a@1']);
    expect(await enqueuedKeys()).toEqual([]);
    restoreEnvironment();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 });
    try {
      await sweepInbox({}, contextWith());
    } finally {
      vi.useRealTimers();
    }
    expect((await enqueuedKeys()).filter((key) => key.includes(shop))).toHaveLength(1);
  });

  test('reads the pages of its shops in turn and postpones the rest when its time ends', async () => {
    const [endless = '', short = ''] = shops(2);
    const sources: string[] = [];
    const start = Date.now();
    const run = async () =>
      runOver(async (source, { cursor }) => {
        sources.push(source);
        // A page takes a sixth of the function's time.
        vi.setSystemTime(Date.now() + 100_000);
        const at = Number(cursor ?? 0);
        return ok({ found: [], cursor: String(at + 1), more: source === endless || at < 1 });
      });
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      expect(await run()).toMatchObject({ shops: 2, failed: 0, postponed: 1 });
    } finally {
      vi.useRealTimers();
    }
    expect(sources.filter((source) => source === short)).toHaveLength(2);
    expect(sources.length).toBeLessThan(10);
    expect(await progress(endless)).toMatchObject({ cursor: String(sources.length - 2) });
  });

  test.each([
    ['no shops', 'without a secret', 'ResourceNotFoundException', { shops: 0, failed: 0 }],
    [
      'an error',
      'with an unreadable secret',
      'AccessDeniedException',
      { name: 'NotReconciled', message: 'the shops of shopify could not be listed' },
    ],
  ])('returns %s for a platform %s', async (_result, _secret, fault, outcome) => {
    await using failing = await startSecretVersions({ versionId: 'none', text: '{}' });
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    failing.fault = { status: 400, headers, body: JSON.stringify({ __type: fault, message: 'no' }) };
    stubEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: failing.server.origin });
    const result = await runOver(pagesOf(['a'])).catch((error: unknown) => error);
    expect(result).toMatchObject(outcome);
  });

  test('skips platforms that are not enabled or that cannot list changes', async () => {
    shops();
    const never: ChangedSince = async () => {
      throw new Error('was asked');
    };
    const nothing = { shops: 0, found: 0, stored: 0, failed: 0, postponed: 0 };
    expect(await reconcile({ another: { ...platformWith({}), fetchChanges: never } }, {})({}, contextWith())).toEqual(
      nothing,
    );
    expect(await reconcile({ shopify: platformWith({}) }, {})({}, contextWith())).toEqual(nothing);
    expect(await reconcile({}, {})({}, contextWith())).toEqual(nothing);
  });
});
