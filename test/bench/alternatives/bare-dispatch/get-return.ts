import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Pool } from 'undici';
import { answerOf } from '../answer.ts';

/* The least that undici takes for a call: `dispatch` of a pool, without the stream and the promises of `request`. */

const { SERVICE_URL = '', FIXED_TOKEN = '' } = process.env;
const { origin } = new URL(SERVICE_URL);
const pool = new Pool(origin);

export const handler = async ({
  pathParameters,
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  const { promise, resolve, reject } = Promise.withResolvers<APIGatewayProxyStructuredResultV2>();
  let status = 0;
  let body = '';
  pool.dispatch(
    {
      path: `/v1/returns/${pathParameters?.['returnId']}`,
      method: 'GET',
      headers: { authorization: `Bearer ${FIXED_TOKEN}` },
    },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_, statusCode) => void (status = statusCode),
      onResponseData: (_, chunk) => void (body += chunk.toString()),
      onResponseEnd: () => resolve(answerOf(status, body)),
      onResponseError: (_, error) => reject(error),
    },
  );
  return promise;
};
