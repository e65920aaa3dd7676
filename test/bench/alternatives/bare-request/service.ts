import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { request } from 'undici';

/* The floor of the connected mode: one request on undici with a token that never changes. No checks, retries or limits. */

const { SERVICE_URL = '', FIXED_TOKEN = '' } = process.env;

type Sent = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
};

export const call = async (path: string, sent: Sent = {}): Promise<APIGatewayProxyStructuredResultV2> => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1${path}`, {
    ...sent,
    headers: { authorization: `Bearer ${FIXED_TOKEN}`, ...sent.headers },
  });
  return { statusCode, headers: { 'content-type': 'application/json' }, body: await body.text() };
};
