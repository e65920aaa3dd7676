import type { Agent } from '../net/agent.ts';
import { nextTurn } from '../net/background.ts';
import { nothingToEnd } from '../net/connector.ts';
import type { SecretReader } from './fetch-secret.ts';
import { requestHandler, type RequestHandler } from './request-handler.ts';
import { secretsManager } from './source.ts';

/** Makes the SDK's client. */
type OpenClient = (config: { readonly requestHandler: RequestHandler }) => SecretReader;

/**
 * A client of the SDK for a cold container: the connection to Secrets Manager begins first, and gets on while the SDK
 * does what it does once, which takes longer. For that the loop has to turn: when TCP stands, for TLS to begin.
 *
 * @param origin where the SDK will look for Secrets Manager; one that is wrong costs a connection, one that is not known
 *   costs the time for it
 * @param open makes the SDK's client, by default as the environment says
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
