import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../lib/contract/port.ts';
import * as cursors from '../../../lib/service/execution/cursor.ts';
import { backendCall } from '../../support/backend-call.ts';
import { startServer } from '../../support/http-server.ts';
import { openSigningSecret, type SigningSecret } from '../../support/signing-secret.ts';

const scope = ['getHistory', 'client', '', 'ret_1'];
const opened = { ok: true, value: '7' };
const rejected = { ok: false, failure: { code: 'invalid_cursor', errors: [{ path: '/cursor' }] } };
const unavailable = { ok: false, failure: { code: 'dependency_unavailable', retryAfterSeconds: 1 } };

let secret: SigningSecret;
beforeEach(async () => {
  secret = await openSigningSecret();
});
afterEach(async () => secret[Symbol.asyncDispose]());

/** Returns the cursors of a new container. */
const container = (url?: string) => {
  secret.use(url);
  return cursors;
};

const signedBy = async ({ signCursor }: typeof cursors): Promise<string> => {
  const cursor = await signCursor('7', scope);
  if (!cursor.ok) throw new Error(cursor.failure.code);
  return cursor.value;
};

describe('cursor', () => {
  it('opens only for its caller and its list', async () => {
    const { openCursor, ...rest } = container();
    const cursor = await signedBy({ openCursor, ...rest });
    expect(await openCursor(cursor, scope)).toEqual(opened);
    expect(await openCursor(cursor, [...scope.slice(0, 3), 'ret_2'])).toMatchObject(rejected);
    expect(await openCursor(`8${cursor.slice(1)}`, scope)).toMatchObject(rejected);
    expect(await openCursor('7', scope)).toMatchObject(rejected);
    expect(await openCursor('7.', scope)).toMatchObject(rejected);
  });

  it('opens only for the same client, onBehalfOf and filters', async () => {
    const { openCursor, signCursor, cursorScope } = container();
    const call = backendCall();
    const by = (caller: Partial<Call['caller']>, filters: object = { status: 'approved' }) =>
      cursorScope('listReturns', { ...call, caller: { ...call.caller, ...caller } }, filters);
    const signed = await signCursor('7', by({ onBehalfOf: 'ada' }));
    const cursor = signed.ok ? signed.value : '';
    expect(await openCursor(cursor, by({ onBehalfOf: 'ada' }))).toEqual(opened);
    const others = [
      by({ onBehalfOf: 'eve' }),
      by({}),
      by({ clientId: 'b', onBehalfOf: 'ada' }),
      by({ onBehalfOf: 'ada' }, {}),
      by({ onBehalfOf: 'ada', user: { id: 'ada' } }),
    ];
    for (const other of others) expect(await openCursor(cursor, other)).toMatchObject(rejected);
  });

  it('opens after one rotation of the key, and not after two', async () => {
    const cursor = await signedBy(container());
    await secret.rotate('the-second-key');
    expect(await container().openCursor(cursor, scope)).toEqual(opened);
    expect(await signedBy(container())).not.toBe(cursor);
    await secret.rotate('the-third-key');
    expect(await container().openCursor(cursor, scope)).toMatchObject(rejected);
  });

  it('is neither signed nor opened while the key is unreadable', async () => {
    const cursor = await signedBy(container());
    await using broken = await startServer(() => ({ status: 500 }));
    const { signCursor, openCursor } = container(broken.origin);
    expect(await openCursor(cursor, scope)).toMatchObject(unavailable);
    expect(await openCursor('7.forged', scope)).toMatchObject(unavailable);
    expect(await signCursor('7', scope)).toMatchObject(unavailable);
  });

  it('is not reported as forged while the previous key is unreadable', async () => {
    const cursor = await signedBy(container());
    await secret.rotate('the-second-key');
    const { signCursor, openCursor } = container();
    await signCursor('7', scope);
    await secret.close();
    expect(await openCursor(cursor, scope)).toMatchObject(unavailable);
  });

  it('opens in a container that has read the newest key, and the key before the previous one', async () => {
    const first = await signedBy(container());
    await secret.rotate('the-second-key');
    const second = await signedBy(container());
    secret.use();
    vi.resetModules();
    const early = await import('../../../lib/service/execution/cursor.ts');
    // It caches the second key as the current one, and the first key as the previous one.
    expect(await early.openCursor(first, scope)).toEqual(opened);
    await secret.rotate('the-third-key');
    // It reads the third key.
    expect(await early.openCursor(await signedBy(container()), scope)).toEqual(opened);
    expect(await early.openCursor(second, scope)).toEqual(opened);
  });

  it('opens in a container that has not read the rotated key yet', async () => {
    secret.use();
    // A second container at the same time has its own modules.
    vi.resetModules();
    const early = await import('../../../lib/service/execution/cursor.ts');
    await signedBy(early);
    await secret.rotate('the-second-key');
    const cursor = await signedBy(container());
    expect(await early.openCursor(cursor, scope)).toEqual(opened);
  });
});
