import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, describe, expect, it } from 'vitest';
import { parseObject } from '../../../lib/runtime/json.ts';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { readSources, storeEntry } from '../../../lib/tools/shops/store-entry.ts';
import { startServer } from '../../support/http-server.ts';

const id = 'returns/platforms/api/woocommerce';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const clientAt = (endpoint: string) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new SecretsManagerClient({ endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 });
  closers.push(() => client.destroy());
  return { client, keyArn: undefined };
};

/** Starts a Secrets Manager; `afterRead` changes a secret between a read and the write that follows it. */
const start = async (
  text?: string,
  afterRead: (sources: object, count: number) => object | undefined = () => undefined,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'returns-secrets-'));
  const secrets = await openSecrets(join(folder, 'secrets.json'));
  const content = () => secrets.get(id).secretString ?? '';
  let reads = 0;
  const manager = await startSecretsManager(secrets, 0, ({ action, status }) => {
    if (action !== 'GetSecretValue' || status !== 200) return;
    const changed = afterRead(parseObject(content())?.['sources'] as object, (reads += 1));
    if (changed !== undefined) void secrets.put(id, { secretString: JSON.stringify({ sources: changed }) });
  });
  closers.push(() => rmSync(folder, { recursive: true, force: true }), manager.close);
  if (text !== undefined) await secrets.create(id, { secretString: text });
  return { secrets, content, store: clientAt(manager.url) };
};

describe('storeEntry', () => {
  it('keeps other sources, other members, and fields that are not given', async () => {
    const { content, store } = await start(
      '{"note":"n","sources":{"a.example":{"k":"1"},"B.example":{"k":"2","own":"o"}}}',
    );
    expect(await storeEntry(store, id, 'b.example', { k: '3' })).toEqual({ ok: true, value: 'changed' });
    expect(parseObject(content())).toEqual({
      note: 'n',
      sources: { 'a.example': { k: '1' }, 'B.example': { k: '3', own: 'o' } },
    });
  });

  it('keeps the version before as AWSPREVIOUS, and leaves no AWSPENDING behind a version that is not current', async () => {
    const { secrets, store } = await start('{"sources":{}}');
    await storeEntry(store, id, 'a.example', { k: '1' });
    const labels = Object.values(secrets.describe(id).labels);
    expect(labels).toEqual([['AWSPREVIOUS'], ['AWSPENDING', 'AWSCURRENT']]);
  });

  it('keeps what another writer adds between the read and the write', async () => {
    const { content, store } = await start('{"sources":{}}', (sources, count) =>
      count === 1 ? { ...sources, 'other.example': { k: 'o' } } : undefined,
    );
    expect(await storeEntry(store, id, 'a.example', { k: '1' })).toEqual({ ok: true, value: 'changed' });
    expect(parseObject(content())?.['sources']).toEqual({ 'other.example': { k: 'o' }, 'a.example': { k: '1' } });
  });

  it('fails when others change the secret at each attempt', async () => {
    const { content, store } = await start('{"sources":{}}', (_, count) => ({ 'other.example': { k: String(count) } }));
    expect(await storeEntry(store, id, 'a.example', { k: '1' })).toMatchObject({
      ok: false,
      failure: expect.stringContaining('was changed by others at the same time, 4 times. Repeat the command.'),
    });
    expect(parseObject(content())?.['sources']).toEqual({ 'other.example': { k: '4' } });
  });

  it('gives a secret without a value its first one', async () => {
    const { secrets, content, store } = await start();
    await secrets.create(id);
    expect(await storeEntry(store, id, 'a.example', { k: '1' })).toEqual({ ok: true, value: 'changed' });
    expect(parseObject(content())).toEqual({ sources: { 'a.example': { k: '1' } } });
  });

  it('does not write a secret that is no object of sources, and does not quote it', async () => {
    const { content, store } = await start('cs_marked');
    const stored = await storeEntry(store, id, 'a.example', { k: '1' });
    expect(stored).toMatchObject({
      ok: false,
      failure: expect.stringContaining('is not a JSON object with "sources"'),
    });
    expect([JSON.stringify(stored).includes('marked'), content()]).toEqual([false, 'cs_marked']);
  });

  it.each([
    [
      'denies it',
      { status: 400, body: '{"__type":"AccessDeniedException","Message":"marked"}' },
      'AccessDeniedException',
    ],
    ['is out of order', { status: 500, body: '{"__type":"InternalServiceError"}' }, 'InternalServiceError'],
    ['breaks the connection', 'reset' as const, 'ECONNRESET'],
  ])('fails with the reason when Secrets Manager %s', async (_, answer, reason) => {
    const server = await startServer(() => answer);
    closers.push(() => server[Symbol.asyncDispose]());
    const store = clientAt(server.origin);
    expect(await storeEntry(store, id, 'a.example', {})).toEqual({
      ok: false,
      failure: `the secret ${id} cannot be written: ${reason}.`,
    });
    expect(await readSources(store, id)).toEqual({ ok: false, failure: `the secret ${id} cannot be read: ${reason}.` });
  });
});
