import { createAgent } from '../net/agent.ts';
import { systemClock as clock } from '../net/clock.ts';
import { requestHandler } from './request-handler.ts';
import { secretsManager, sourceOf, type SecretSource } from './source.ts';

/** Opens a source with connections of its own, which `close` ends: for bundles that contain undici anyway. */
export const openSecrets = (): SecretSource & { readonly close: () => Promise<void> } => {
  const agent = createAgent({ clock });
  const client = secretsManager({ requestHandler: requestHandler(agent) });
  return { ...sourceOf(client), close: agent.end };
};
