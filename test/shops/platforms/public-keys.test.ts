import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchKeys, KeysUnavailable } from '../../../lib/shops/platforms/shared/signatures/public-keys.ts';
import { startServer, type Answer } from '../../support/http-server.ts';

/** Starts a server with a replaceable answer and a count of its requests. */
const startKeys = async () => {
  const answers = new Map<string, Answer>();
  const server = await startServer(({ path }) => answers.get(path) ?? { status: 404, body: '' });
  return {
    answers,
    requestCount: () => server.requests.length,
    url: (path: string) => `${server.origin}${path}`,
    close: () => server[Symbol.asyncDispose](),
    received: server.received,
  };
};

let keys: Awaited<ReturnType<typeof startKeys>>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  keys = await startKeys();
});
afterEach(async () => {
  vi.useRealTimers();
  await keys.close();
});

const parse = (body: Buffer): string | undefined => (body.toString() === 'unreadable' ? undefined : body.toString());
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const reasonOf = async (fetching: Promise<unknown>): Promise<string> =>
  fetching.then(
    () => 'none',
    (error: unknown) => (error instanceof KeysUnavailable ? error.reason : String(error)),
  );

describe('fetchKeys', () => {
  test('fetches once for concurrent callers, and not again for an hour', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    const url = keys.url('/keys');
    const all = await Promise.all(Array.from({ length: 10 }, () => fetchKeys(url, parse)));
    expect(new Set(all)).toEqual(new Set(['one']));
    later(3_599_000);
    expect(await fetchKeys(url, parse)).toBe('one');
    expect(keys.requestCount()).toBe(1);
    keys.answers.set('/keys', { status: 200, body: 'two' });
    later(1_000);
    expect(await fetchKeys(url, parse)).toBe('two');
  });

  test('separates results of different readers', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    expect(await fetchKeys(keys.url('/keys'), parse)).toBe('one');
    expect(await fetchKeys(keys.url('/keys'), (body) => body.length)).toBe(3);
  });

  test('fetches fresh keys at most once in ten seconds', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    const url = keys.url('/keys');
    await fetchKeys(url, parse);
    keys.answers.set('/keys', { status: 200, body: 'two' });
    for (let count = 0; count < 20; count += 1) expect(await fetchKeys(url, parse, { fresh: true })).toBe('one');
    expect(keys.requestCount()).toBe(1);
    later(10_000);
    for (let count = 0; count < 20; count += 1) expect(await fetchKeys(url, parse, { fresh: true })).toBe('two');
    expect(await fetchKeys(url, parse)).toBe('two');
    expect(keys.requestCount()).toBe(2);
  });

  test.each([
    ['status_503', { status: 503, body: '' }],
    ['status_302', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
    ['unreadable', { status: 200, body: 'unreadable' }],
    ['too_large', { status: 200, body: 'x'.repeat(65 * 1024) }],
    ['reset', 'reset'],
  ] as const)('returns %s, and retries only after ten seconds', async (reason, answer) => {
    keys.answers.set('/keys', answer);
    const url = keys.url('/keys');
    for (let count = 0; count < 5; count += 1) expect(await reasonOf(fetchKeys(url, parse))).toBe(reason);
    expect(keys.requestCount()).toBe(1);
    keys.answers.set('/keys', { status: 200, body: 'one' });
    later(10_000);
    expect(await fetchKeys(url, parse)).toBe('one');
  });

  test('waits only until the deadline of its caller, and caches nothing then', async () => {
    keys.answers.set('/keys', 'hang');
    const waiting = new AbortController();
    const fetching = reasonOf(fetchKeys(keys.url('/keys'), parse, { signal: waiting.signal }));
    await keys.received(1);
    waiting.abort();
    expect(await fetching).toBe('aborted');
    keys.answers.set('/keys', { status: 200, body: 'one' });
    expect(await fetchKeys(keys.url('/keys'), parse)).toBe('one');
  });

  test('asks one origin at most thirty times a minute, for any number of addresses', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    await fetchKeys(keys.url('/keys'), parse);
    const reasons: string[] = [];
    for (let count = 0; count < 40; count += 1) reasons.push(await reasonOf(fetchKeys(keys.url(`/${count}`), parse)));
    expect(new Set(reasons)).toEqual(new Set(['status_404', 'fetched_too_often']));
    expect(keys.requestCount()).toBe(30);
    expect(await fetchKeys(keys.url('/keys'), parse)).toBe('one');
    later(60_000);
    expect(await reasonOf(fetchKeys(keys.url('/0'), parse))).toBe('status_404');
  });

  test('fetches proven keys, for any number of unknown addresses', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    const asked: string[] = [];
    const isProven = async (url: string) => {
      asked.push(url);
      return url === keys.url('/keys');
    };
    for (let count = 0; count < 40; count += 1)
      await reasonOf(fetchKeys(keys.url(`/made-up/${count}`), parse, { isProven }));
    expect(asked).toHaveLength(10);
    const all = await Promise.all(Array.from({ length: 5 }, () => fetchKeys(keys.url('/keys'), parse, { isProven })));
    expect(new Set(all)).toEqual(new Set(['one']));
    expect(keys.requestCount()).toBe(31);
    keys.answers.set('/keys', { status: 503, body: '' });
    later(10_000);
    expect(await reasonOf(fetchKeys(keys.url('/keys'), parse, { fresh: true, isProven }))).toBe('status_503');
    expect(await reasonOf(fetchKeys(keys.url('/keys'), parse, { fresh: true, isProven }))).toBe('status_503');
    expect(keys.requestCount()).toBe(32);
    later(10_000);
    keys.answers.set('/keys', { status: 200, body: 'two' });
    expect(await fetchKeys(keys.url('/keys'), parse, { isProven })).toBe('two');
    expect(await reasonOf(fetchKeys(keys.url('/made-up/50'), parse, { isProven }))).toBe('fetched_too_often');
  });

  test('keeps cached keys when addresses without keys are requested', async () => {
    keys.answers.set('/keys', { status: 200, body: 'one' });
    await fetchKeys(keys.url('/keys'), parse);
    for (let count = 0; count < 120; count += 1) {
      if (count % 29 === 0) later(60_000);
      await reasonOf(fetchKeys(keys.url(`/none/${count}`), parse));
    }
    expect(keys.requestCount()).toBe(121);
    expect(await fetchKeys(keys.url('/keys'), parse)).toBe('one');
    expect(keys.requestCount()).toBe(121);
  });
});
