import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSecretsManager } from '../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets, type Secrets } from '../../lib/tools/local/emulators/secrets-store.ts';
import { setEnvironment } from './environment.ts';
import { createHistoryKeys, unitKeysId, unitReceipts } from './history-keys.ts';

const secretId = 'signing';

/** The signing secret of the standalone mode, in its own Secrets Manager. */
export type SigningSecret = AsyncDisposable & {
  /** Closes its Secrets Manager. */
  readonly close: () => Promise<void>;
  /** Its other secrets. */
  readonly secrets: Secrets;
  readonly rotate: (key: string) => Promise<unknown>;
  /** Starts a container that reads the secret, at another address where `url` is one. */
  readonly use: (url?: string) => void;
};

export const openSigningSecret = async (): Promise<SigningSecret> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signing-'));
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  const manager = await startSecretsManager(secrets, 0);
  await secrets.create(secretId, { secretString: 'the-first-key' });
  await createHistoryKeys(secrets);
  return {
    close: manager.close,
    secrets,
    rotate: async (key) => secrets.put(secretId, { secretString: key }),
    use: (url = manager.url) => {
      setEnvironment({
        SIGNING_SECRET_ID: secretId,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
        HISTORY_KEYS_ID: unitKeysId,
        ...unitReceipts,
      });
    },
    [Symbol.asyncDispose]: async () => {
      await manager.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
