import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { call, clientSecret } from './service.ts';

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(clientSecret())
  .use(httpErrorHandler())
  .handler(async ({ pathParameters }, { client }) =>
    call(client, 'returns:read', { url: `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}` }),
  );
