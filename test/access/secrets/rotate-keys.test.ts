import { describe, expect, it } from 'vitest';
import { openCursor, signCursor } from '../../../lib/service/execution/cursor.ts';
import { parseKeyRing } from '../../../lib/service/execution/key-ring.ts';
import { rotateKeys, withNewKey } from '../../../lib/service/execution/rotate-keys.ts';
import { createSigner } from '../../../lib/service/execution/signer.ts';
import { Secret } from '../../../lib/access/secrets/secret.ts';
import { receiptJwks, signingKeyOf } from '../../../lib/domain/withdrawals/receipt/receipt-keys.ts';
import { setEnvironment } from '../../support/environment.ts';
import { ringOf, ringText } from '../../support/history-keys.ts';
import { allSteps, startRotation } from './rotation-world.ts';

const signing = 'returns-standalone-SigningSecret';
const history = 'returns-standalone-HistoryKeys';
const receipts = 'returns-standalone-ReceiptKeys';
const search = 'returns-standalone-SearchKeys';
const page = 'returns-standalone-WithdrawKey';
const scope = ['listReturns', 'client'];

const start = async (ring = ringText(['first'])) => {
  const contents = {
    [signing]: 'the-first-signing-key'.padEnd(64, '.'),
    [history]: ring,
    [receipts]: ring,
    [search]: ring,
    [page]: 'the-first-key-of-the-page'.padEnd(64, '.'),
  };
  const world = await startRotation('standalone', 'rotateKeys', contents, rotateKeys);
  /** A new container, with the role of the rotation function. */
  const container = () =>
    setEnvironment({
      ...world.environment,
      SIGNING_SECRET_ID: world.arnOf(signing),
      HISTORY_KEYS_ID: world.arnOf(history),
      RECEIPT_KEYS_ID: world.arnOf(receipts),
      RECEIPT_ISSUER: 'urn:returns:unit',
      SEARCH_KEYS_ID: world.arnOf(search),
      WITHDRAW_KEY_ID: world.arnOf(page),
    });
  container();
  return { ...world, container, text: async (secret: string) => (await world.read(secret)).SecretString ?? '' };
};

describe('rotateKeys', () => {
  it('adds a history key, retains the others, and each step twice has the same effect', async () => {
    const { begin, text } = await start(ringText(['zero', 'first']));
    const { step } = await begin(history);
    for (const one of allSteps) {
      await step(one);
      await step(one);
      expect(ringOf(await text(history)).keys.size).toBe(one === 'finishSecret' ? 3 : 2);
    }
    const ring = ringOf(await text(history));
    expect([...ring.keys.keys()]).toEqual(['zero', 'first', ring.current.id]);
    expect(ring.current.id).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}$/);
    expect(ring.keys.get('first')?.secret).toBe(ringOf(ringText(['first'])).current.secret);
  });

  it('adds a receipt key, and leaves the public keys of the others as they were', async () => {
    const { begin, text } = await start(ringText(['zero', 'first']));
    const before = receiptJwks(ringOf(await text(receipts))).keys;
    const { step } = await begin(receipts);
    for (const one of allSteps) await step(one);
    const ring = ringOf(await text(receipts));
    expect(receiptJwks(ring).keys.slice(0, 2)).toEqual(before);
    expect([...ring.keys.keys()]).toEqual(['zero', 'first', ring.current.id]);
    expect(signingKeyOf(ring, Date.now()).id).toBe('first');
    expect(signingKeyOf(ring, Date.now() + 2 * 86_400_000)).toBe(ring.current);
    expect(await text(history)).toBe(ringText(['zero', 'first']));
  });

  it('adds a search key, and retains the others, whose rows the search still finds', async () => {
    const { begin, text } = await start(ringText(['zero', 'first']));
    const { step } = await begin(search);
    for (const one of allSteps) await step(one);
    const ring = ringOf(await text(search));
    expect([...ring.keys.keys()]).toEqual(['zero', 'first', ring.current.id]);
    expect(await text(receipts)).toBe(ringText(['zero', 'first']));
  });

  it('leaves cursors valid that the previous key signed', async () => {
    const { begin, container, text } = await start();
    const before = await text(signing);
    const cursor = await signCursor('7', scope);
    const { step } = await begin(signing);
    for (const one of allSteps) await step(one);
    expect(await text(signing)).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(await text(signing)).not.toBe(before);
    container();
    expect(await openCursor(cursor.ok ? cursor.value : '', scope)).toEqual({ ok: true, value: '7' });
  });

  it('leaves checks of the page for withdrawals valid that its previous key signed, and the key of cursors as it was', async () => {
    const { begin, text } = await start();
    const cursors = await text(signing);
    const former = await text(page);
    const signer = createSigner(
      async ({ stage = 'AWSCURRENT' }) => new Secret('', stage === 'AWSCURRENT' ? await text(page) : former),
    );
    const signed = await signer.sign('7', scope);
    const { step } = await begin(page);
    for (const one of allSteps) await step(one);
    expect(await text(page)).not.toBe(former);
    expect(await signer.openSigned(signed.ok ? signed.value : '', scope)).toEqual({ ok: true, value: '7' });
    expect(await text(signing)).toBe(cursors);
  });

  it('continues after a failure between two steps with the same key', async () => {
    const { begin, read, text } = await start();
    const { step } = await begin(history);
    await step('createSecret');
    const pending = (await read(history, 'AWSPENDING')).SecretString;
    await expect(step('finishSecret', 1_000)).rejects.toThrow('TimeoutError');
    for (const one of allSteps) await step(one);
    expect(await text(history)).toBe(pending);
  });

  it('never promotes a ring without a key of the current one', async () => {
    const { begin, put, text } = await start();
    const { step } = await begin(history);
    await step('createSecret');
    const changed = ringText(['first', 'other']);
    await put(history, changed);
    await expect(step('testSecret')).rejects.toThrow('keys_missing');
    await expect(step('finishSecret')).rejects.toThrow('keys_missing');
    expect(await text(history)).toBe(changed);
  });

  it('begins again after a failure only when AWSPENDING was removed', async () => {
    const { begin, giveUp, put, text } = await start();
    const { token, step } = await begin(history);
    await step('createSecret');
    await put(history, ringText(['first', 'other']));
    await expect(step('testSecret')).rejects.toThrow('keys_missing');
    await expect(begin(history)).rejects.toThrow("A previous rotation isn't complete.");
    await giveUp(history, token);
    const again = await begin(history);
    for (const one of allSteps) await again.step(one);
    expect([...ringOf(await text(history)).keys.keys()].slice(0, 2)).toEqual(['first', 'other']);
  });

  it('never promotes a version again that another one has replaced', async () => {
    const { begin, labels, put, text } = await start();
    const { token, step } = await begin(history);
    for (const one of allSteps) await step(one);
    const stored = ringText(['first', 'other']);
    await put(history, stored);
    expect((await labels(history))[token]).toEqual(expect.arrayContaining(['AWSPENDING', 'AWSPREVIOUS']));
    for (const one of allSteps) await expect(step(one)).rejects.toThrow('version_superseded');
    expect(await text(history)).toBe(stored);
  });

  it('leaves a malformed ring and an unknown secret alone', async () => {
    const { arnOf, begin, text } = await start('{}');
    const { step } = await begin(history);
    await expect(step('createSecret')).rejects.toThrow('malformed_ring');
    expect(await text(history)).toBe('{}');
    const foreign = { SecretId: `${arnOf(history)}x`, ClientRequestToken: 'a', Step: 'createSecret' };
    await expect(rotateKeys(foreign, { getRemainingTimeInMillis: () => 30_000 })).rejects.toThrow('unknown_secret');
  });
});

describe('withNewKey', () => {
  it('adds one key to a ring of a hundred keys', () => {
    let ring = ringText(['first']);
    for (let day = 1; day <= 100; day += 1) ring = withNewKey(ring, `token-${day}`, Date.UTC(2026, 0, day));
    expect(parseKeyRing(ring)?.keys.size).toBe(101);
    expect(parseKeyRing(ring)?.current.id).toMatch(/^2026-04-10-/);
    // A secret has at most 64 KiB.
    expect(Buffer.byteLength(ring)).toBeLessThan(16 * 1024);
  });
});
