import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Secrets Manager as far as GetSecretValue goes, with one secret that the test may replace. Sets the environment. */
export const startSecretServer = async () => {
  let version = 1;
  let value = '{}';
  let reads = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await buffer(request);
    reads += 1;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify({
        ARN: 'arn:local',
        Name: 'returns/shopify',
        VersionId: `version-${version}`,
        SecretString: value,
      }),
    );
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SHOPIFY_SECRET_ID: 'returns/shopify',
  });
  return {
    put: (shops: unknown) => {
      version += 1;
      value = JSON.stringify({ shops });
    },
    reads: () => reads,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
