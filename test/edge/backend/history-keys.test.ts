import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ringText } from '../../support/history-keys.ts';
import { create, register } from '../../support/life.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { hearLines } from '../../support/standard-output.ts';

const engines = await startEngines();
const directory = await mkdtemp(join(tmpdir(), 'history-keys-'));
let reads = 0;
const secrets = await openSecrets(join(directory, 'secrets.json'));
const manager = await startSecretsManager(secrets, 0, () => void (reads += 1));
afterAll(async () => {
  await manager.close();
  await engines.stop();
  await rm(directory, { recursive: true, force: true });
});

let id: string;
beforeEach(async () => {
  id = randomUUID();
  await secrets.create(id);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
const put = async (secretString: string) => secrets.put(id, { secretString });

/** Returns a new container. */
const container = async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', manager.url);
  vi.stubEnv('HISTORY_KEYS_ID', id);
  vi.resetModules();
  const backend = await import('../../../lib/edge/backend/standalone.ts');
  return {
    create: async (): Promise<string> => {
      const order = { platform: 'web', orderId: randomUUID() };
      await executeRequest(backend, register(order, 3), backendCall());
      const created = await executeRequest(backend, create(order, 2, randomUUID()), backendCall());
      return (created.reply.body as { returnId: string }).returnId;
    },
    tag: async (returnId: string) => {
      const tagged = await backend.updateReturn({ returnId, tags: [randomUUID()] }, backendCall());
      return tagged.ok ? tagged.value.status : tagged.failure;
    },
    verify: async (returnId: string) => {
      const verified = await backend.verifyHistory({ returnId }, backendCall());
      return verified.ok ? (verified.value.body.firstFault?.code ?? 'valid') : verified.failure.code;
    },
    keys: async (returnId: string) => {
      const history = await backend.getHistory({ returnId }, backendCall());
      return history.ok ? history.value.body.items.map(({ mac }) => mac?.key) : [];
    },
  };
};

describe('history keys', () => {
  it('are read once per container, and the current one signs every entry', async () => {
    await put(ringText(['one', 'two']));
    const { create: make, tag, verify, keys } = await container();
    reads = 0;
    const returnId = await make();
    expect([await tag(returnId), await tag(returnId)]).toEqual([200, 200]);
    expect(await keys(returnId)).toEqual(['two', 'two', 'two']);
    expect(await verify(returnId)).toBe('valid');
    expect(reads).toBe(1);
  });

  it('verify entries from before and after a rotation, also in a container with the old ring', async () => {
    await put(ringText(['one']));
    const old = await container();
    const returnId = await old.create();
    await put(ringText(['one', 'two']));
    const next = await container();
    expect(await next.tag(returnId)).toBe(200);
    expect(await next.keys(returnId)).toEqual(['one', 'two']);
    expect([await next.verify(returnId), await old.verify(returnId)]).toEqual(['valid', 'valid']);
  });

  it('report rewritten entries when their key was removed from the ring', async () => {
    await put(ringText(['one']));
    const returnId = await (await container()).create();
    await put(ringText(['two']));
    expect(await (await container()).verify(returnId)).toBe('chain_rewritten');
  });

  it('stay at the previous version when a new ring is malformed, with a log message', async () => {
    const logLines: string[] = [];
    hearLines((line) => logLines.push(line));
    await put(ringText(['one']));
    await put('{"current":"two"');
    const { create: make, verify, keys } = await container();
    const returnId = await make();
    expect(await keys(returnId)).toEqual(['one']);
    expect(await verify(returnId)).toBe('valid');
    expect(logLines.join()).toContain('history keys malformed');
  });

  it('block commands, but not reads, while they are missing', async () => {
    hearLines(() => undefined);
    await put(ringText(['one']));
    const returnId = await (await container()).create();
    for (const text of ['{', '{}']) await put(text);
    const { tag, verify, keys } = await container();
    const detail = 'The keys of histories, receipts or the search cannot be read. Try again.';
    expect(await tag(returnId)).toEqual({ code: 'dependency_unavailable', detail, retryAfterSeconds: 1 });
    expect(await verify(returnId)).toBe('dependency_unavailable');
    expect(await keys(returnId)).toEqual(['one']);
  });
});
