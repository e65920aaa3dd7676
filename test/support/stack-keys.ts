import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { KeyRing } from '../../lib/domain/returns/history/mac.ts';
import { ringOf } from './history-keys.ts';
import { stack } from './stack.ts';

/** The secret of the stack. */
export const stackKeysId = 'returns-standalone-HistoryKeys';

/** Returns the keys of the stack's histories. */
export const stackRing = async (): Promise<KeyRing> => {
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: stack().aws.secretsManager });
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: stackKeysId }));
    return ringOf(SecretString);
  } finally {
    client.destroy();
  }
};
