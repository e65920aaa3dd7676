import { PutSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { errorName } from '../runtime/log.ts';

/** A secret that cannot be written, for the reason that it is named after: the SDK's own error may quote the text. */
class SecretNotWritten extends Error {
  constructor(reason: string) {
    super(`the secret cannot be written: ${reason}`);
    this.name = reason;
  }
}

/**
 * Makes a text the current version of a secret. The SDK names the version in the request, and a client that tries again
 * names the same: a request that arrives twice makes one version.
 *
 * @throws {SecretNotWritten}
 */
export const putSecret = async (
  client: Pick<SecretsManagerClient, 'send'>,
  secretId: string,
  text: string,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: text }), { abortSignal: signal });
  } catch (error) {
    throw new SecretNotWritten(errorName(error));
  }
};
