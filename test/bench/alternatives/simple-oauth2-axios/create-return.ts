import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { call, clientSecret } from './service.ts';

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(clientSecret())
  .use(httpJsonBodyParser())
  .use(httpErrorHandler())
  .handler(async ({ headers, body }, { client }) =>
    call(client, 'returns:write', {
      method: 'POST',
      url: '/returns',
      headers: { 'Idempotency-Key': headers['idempotency-key'] },
      data: body,
    }),
  );
