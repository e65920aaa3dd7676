import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { request } from 'undici';
import { answerOf } from '../answer.ts';

/* The floor of the connected mode: one request on undici with a token that never changes. No checks, retries or limits. */

const { SERVICE_URL = '', FIXED_TOKEN = '' } = process.env;

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) => {
  const { statusCode, body } = await request(`${SERVICE_URL}/v1/returns/${pathParameters?.['returnId']}`, {
    headers: { authorization: `Bearer ${FIXED_TOKEN}` },
  });
  return answerOf(statusCode, await body.text());
};
