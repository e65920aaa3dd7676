import { describe, expect, it } from 'vitest';
import type { Received } from '../../support/http-server.ts';
import { fakeService, json, returns } from './harness.ts';
import { exampleItem, exampleAnswer } from '../../support/example-answer.ts';
import { inSoak, sample } from '../../support/samples.ts';

const id = 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB';
const range = ['--received-from', '2026-11-20T00:00:00Z', '--received-to', '2026-11-21T00:00:00Z'];

describe('command while the service fails', () => {
  it.each(inSoak('ends with 4 when nothing listens, and names the key for a repeat'))('%s', async () => {
    await using fake = await fakeService(() => 'reset');
    await fake.service.fall();
    const read = await returns(['show', id], { env: fake.env });
    expect([read.code, read.out, read.error]).toEqual([4, '', expect.stringContaining('ECONNREFUSED')]);
    const written = await returns(['approve', id, '--key', 'key-7'], { env: fake.env });
    expect([written.code, written.error]).toEqual([4, expect.stringContaining('Repeat with --key key-7')]);
  });

  it('ends with 4 within the time limit of the user', async () => {
    await using fake = await fakeService(() => 'hang');
    const { code, error } = await returns(['show', id, '--timeout', '0.2'], { env: fake.env });
    expect([code, error]).toEqual([4, expect.stringMatching(/\((timeout|dependency_unavailable)\)/)]);
  });

  it.each(
    sample(
      [
        [500, 'internal_error', 4],
        [503, 'dependency_unavailable', 4],
        [502, 'dependency_refused', 1],
        [501, 'operation_not_offered', 3],
        [429, 'rate_limited', 4],
        [403, 'insufficient_scope', 3],
        [404, 'return_not_found', 3],
        [412, 'version_mismatch', 3],
      ] as const,
      3,
    ),
  )('maps the status %i to an exit code', async (status, code, exitCode) => {
    await using fake = await fakeService(() => json(status, { type: 'about:blank', status, code, detail: 'No.' }));
    const outcome = await returns(['approve', id, '--json'], { env: fake.env });
    expect([outcome.code, JSON.parse(outcome.error)]).toEqual([exitCode, { error: expect.objectContaining({ code }) }]);
  });

  it('ends with 1 when the credentials are rejected, without the secret in any output', async () => {
    await using fake = await fakeService(() => json(200, {}));
    const wrong = 'marker-cli-wrong-secret-91';
    const { code, out, error } = await returns(['show', id, '--verbose'], {
      env: { ...fake.env, RETURNS_CLIENT_SECRET: wrong },
    });
    expect([code, error]).toEqual([1, expect.stringContaining('ClientRejected invalid_client')]);
    expect(`${out}${error}`).not.toContain(wrong);
    const verbose = await returns(['show', id, '--verbose'], { env: fake.env });
    expect(verbose.error).toContain('"message":"token request ended"');
    expect(`${verbose.out}${verbose.error}`).not.toMatch(/marker-cli|token-1/);
  });

  it('renews an expired token in the middle of a list', async () => {
    const used: string[] = [];
    await using fake = await fakeService(({ headers, path }) => {
      const token = headers.authorization ?? '';
      used.push(token);
      const isFirstPage = !path.includes('cursor');
      if (!isFirstPage && token === 'Bearer token-1') return { status: 401, body: '' };
      return json(200, { items: [exampleItem('listReturns')], nextCursor: isFirstPage ? 'next' : null });
    });
    const { code, out } = await returns(['list', '--all', '--json'], { env: fake.env });
    expect([code, out.trim().split('\n').length]).toEqual([0, 2]);
    expect(used).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });
});

describe('long lists', () => {
  const items = Array.from({ length: 200 }, (_, index) =>
    exampleItem('listReturns', { index, note: 'x'.repeat(1_000) }),
  );
  const pages = 240;
  /** A page of 200 items, 210 KB: a command must not hold all of them. */
  const page = ({ path }: Received) => {
    const number = Number(/cursor=p(\d+)/.exec(path)?.[1] ?? 0);
    return json(200, { items, nextCursor: number + 1 < pages ? `p${number + 1}` : null });
  };

  it.each(inSoak('are printed page by page in bounded memory'))('%s', async () => {
    await using fake = await fakeService(page);
    // 48,000 items are 50 MB of JSON, which would not fit.
    const { code, out, error } = await returns(['list', '--all', '--json'], {
      env: { ...fake.env, NODE_OPTIONS: '--max-old-space-size=40' },
    });
    expect([code, error, out.trimEnd().split('\n').length]).toEqual([0, '', pages * items.length]);
    expect(fake.service.requests).toHaveLength(pages);
  });

  it('stop at --limit and name the cursor that continues', async () => {
    await using fake = await fakeService(({ path }) => {
      const size = Number(/limit=(\d+)/.exec(path)?.[1]);
      return json(200, { items: items.slice(0, size), nextCursor: `after-${size}` });
    });
    const { code, out, error } = await returns(['list', '--limit', '250', '--json'], { env: fake.env });
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 250]);
    expect(error).toContain('--cursor after-50');
    expect(fake.service.requests.map(({ path }) => path)).toEqual([
      '/v1/returns?limit=200',
      '/v1/returns?limit=50&cursor=after-200',
    ]);
  });

  it('end without an error when their reader has enough', async () => {
    await using fake = await fakeService(page);
    const { code, error } = await returns(['list', '--all', '--json'], {
      env: fake.env,
      onStart: ({ stdout }) => void stdout?.once('data', () => stdout.destroy()),
    }).catch(() => ({ code: 0, error: '' }));
    expect([code, error]).toEqual([0, '']);
  });
});

describe('output', () => {
  const attack = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\r\nfake line\u2028';
  const unsafe = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

  it.each([
    ['a table', ['list', '--include', 'customer']],
    ['JSON lines', ['list', '--json']],
    ['a record', ['show', id]],
    ['a document', ['call', 'getReturn', '--field', `returnId=${id}`, '--json']],
  ])('has no escape sequence of the data in %s', async (_, args) => {
    const members = { order: { platform: 'web', orderId: attack }, [attack]: attack };
    const entry = exampleItem('getHistory', { type: attack, actor: { clientId: attack } });
    await using fake = await fakeService(({ path }) => {
      if (path.includes('history')) return json(200, { items: [entry], nextCursor: null });
      return path.startsWith('/v1/returns?')
        ? json(200, { items: [exampleItem('listReturns', members)], nextCursor: null })
        : json(200, exampleAnswer('getReturn', members));
    });
    const { code, out, error } = await returns(args, { env: fake.env });
    expect([code, error]).toEqual([0, '']);
    expect(out).not.toMatch(unsafe);
    expect(out).toContain('owned');
  });

  it('has no escape sequence of an error', async () => {
    await using fake = await fakeService(() =>
      json(422, {
        code: 'not_eligible',
        detail: attack,
        errors: [{ path: attack, code: 'x', message: attack }],
        allowedActions: [{ action: attack, scope: 'returns:write', allowed: true }],
      }),
    );
    for (const format of [[], ['--json']]) {
      const { code, error } = await returns(['approve', id, ...format], { env: fake.env });
      expect(code).toBe(3);
      expect(error.replaceAll('\n', '')).not.toMatch(unsafe);
    }
  });
});

describe('commands that work on many items', () => {
  it('repeat the request page by page with a key for each, and sum up the answers', async () => {
    await using fake = await fakeService(({ body }) => {
      const { cursor } = JSON.parse(body) as { cursor?: string };
      return json(200, { replayed: 3, looked: 100, nextCursor: cursor === undefined ? 'second' : null });
    });
    const { code, out } = await returns(['inbox', 'replay-range', ...range, '--key', 'k', '--yes', '--json'], {
      env: fake.env,
    });
    expect([code, JSON.parse(out)]).toEqual([0, { replayed: 6, looked: 200, nextCursor: null }]);
    expect(fake.service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k-2']);
  });

  it('drain a queue, and stop where a request has no effect', async () => {
    const answers = [
      { moved: 100, dropped: [], remaining: 20 },
      { moved: 19, dropped: [{ messageId: '1', reason: 'delivery_settled' }], remaining: 1 },
      { moved: 0, dropped: [], remaining: 1 },
    ];
    await using fake = await fakeService(() => json(200, answers.shift() ?? {}));
    const { code, out, error } = await returns(['inbox', 'redrive', '--yes', '--json'], { env: fake.env });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { moved: 119, dropped: [{ messageId: '1', reason: 'delivery_settled' }], remaining: 1 },
    ]);
    expect(error).toContain('About 1 messages remain');
  });

  it('say how far they came when the service fails, and how to continue', async () => {
    await using fake = await fakeService(({ body }) =>
      (JSON.parse(body) as { cursor?: string }).cursor === undefined
        ? json(200, { replayed: 3, looked: 100, nextCursor: 'second' })
        : json(400, { code: 'invalid_request', detail: 'No.' }),
    );
    const { code, error } = await returns(['inbox', 'replay-range', ...range, '--yes'], { env: fake.env });
    expect(code).toBe(3);
    expect(error).toContain('So far: 3 replayed, 100 looked. Continue with --cursor second');
  });
});
