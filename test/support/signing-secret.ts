import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startSecretsManager } from '../../lib/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../lib/local/emulators/secrets-store.ts';
import { createHistoryKeys } from './history-keys.ts';

const secretId = 'signing';

/** The secret that the standalone way signs with, in a Secrets Manager of its own. */
export type SigningSecret = AsyncDisposable & {
  /** Takes its Secrets Manager away. */
  readonly close: () => Promise<void>;
  readonly rotate: (key: string) => Promise<unknown>;
  /** What a container that starts now loads; `url` goes before where the secret is. */
  readonly load: <Module>(module: () => Promise<Module>, url?: string) => Promise<Module>;
};

export const openSigningSecret = async (): Promise<SigningSecret> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signing-'));
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  const manager = await startSecretsManager(secrets, 0);
  await secrets.create(secretId, { secretString: 'the-first-key' });
  await createHistoryKeys(secrets);
  return {
    close: manager.close,
    rotate: async (key) => secrets.put(secretId, { secretString: key }),
    load: async (module, url = manager.url) => {
      vi.stubEnv('SIGNING_SECRET_ID', secretId);
      vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', url);
      vi.resetModules();
      return module();
    },
    [Symbol.asyncDispose]: async () => {
      vi.unstubAllEnvs();
      await manager.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
