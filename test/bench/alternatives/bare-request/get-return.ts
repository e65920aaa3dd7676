import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { request } from 'undici';

/* The floor of the connected mode: one request on undici with a token that never changes. No checks, retries or limits. */

const { SERVICE_URL = '', FIXED_TOKEN = '' } = process.env;

export const handler = async ({
  pathParameters,
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1/returns/${pathParameters?.['returnId']}`, {
    headers: { authorization: `Bearer ${FIXED_TOKEN}` },
  });
  return { statusCode, headers: { 'content-type': 'application/json' }, body: await body.text() };
};
