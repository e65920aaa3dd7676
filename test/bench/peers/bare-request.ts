import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { request } from 'undici';

/* The floor of the connected way: one request on undici, without token, checks, retries or limits. */

const { SERVICE_URL = '' } = process.env;

type Answer = Promise<APIGatewayProxyStructuredResultV2>;

export const getReturn = async ({ pathParameters }: APIGatewayProxyEventV2): Answer => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1/returns/${pathParameters?.['returnId']}`);
  return { statusCode, headers: { 'content-type': 'application/json' }, body: await body.text() };
};

export const createReturn = async (event: APIGatewayProxyEventV2): Answer => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1/returns`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': event.headers['idempotency-key'],
    },
    body: event.body ?? '',
  });
  return { statusCode, headers: { 'content-type': 'application/json' }, body: await body.text() };
};
