import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { call } from './service.ts';

export const handler = async ({ headers, body = '' }: APIGatewayProxyEventV2) =>
  call('/returns', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': headers['idempotency-key'] },
    body,
  });
