import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { createAgent } from '../net/agent.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { requestHandler } from './request-handler.ts';
import { secretsManager, sourceOf, type SecretSource } from './source.ts';

/** Where Secrets Manager is. @default what the environment says, as for every program with the SDK */
export type SecretsPlace = Pick<SecretsManagerClientConfig, 'endpoint' | 'region' | 'credentials'>;

/** Opens a source with connections of its own, which `close` ends: for bundles that contain undici anyway. */
export const openSecrets = (
  clock: Clock = systemClock,
  place: SecretsPlace = {},
): SecretSource & { readonly close: () => Promise<void> } => {
  const agent = createAgent({ clock });
  const client = secretsManager({ ...place, requestHandler: requestHandler(agent) });
  return { ...sourceOf(client, clock), close: agent.end };
};
