import type { Agent } from '../net/agent.ts';
import { nextTurn } from '../net/background.ts';
import { nothingToEnd } from '../net/connector.ts';
import type { SecretReader } from './fetch-secret.ts';
import { requestHandler, type RequestHandler } from './request-handler.ts';
import { secretsManager } from './source.ts';

/** Creates the SDK's client. */
type OpenClient = (config: { readonly requestHandler: RequestHandler }) => SecretReader;

/**
 * Creates an SDK client for a cold container. The connection to Secrets Manager opens while the SDK initialises, which
 * takes longer. The event loop must turn in between, so that TLS begins after TCP.
 *
 * @param origin the origin at which the SDK will find Secrets Manager. A wrong one costs a connection. Without one the
 *   connection opens later.
 * @param open creates the SDK's client, by default from the environment
 */
export const earlyClient = (
  agent: Agent,
  origin: string | undefined,
  open: OpenClient = secretsManager,
): SecretReader => {
  let client: SecretReader | undefined;
  return {
    send: async (command, options) => {
      if (client !== undefined) return client.send(command, options);
      const unprepare = origin === undefined ? nothingToEnd : agent.prepare(origin);
      try {
        await nextTurn();
        client ??= open({ requestHandler: requestHandler(agent) });
        await nextTurn();
        return await client.send(command, options);
      } finally {
        await unprepare();
      }
    },
  };
};
