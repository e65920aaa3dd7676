import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { call } from './service.ts';

export const handler = async ({ headers, body = '' }: APIGatewayProxyEventV2) =>
  call('returns:write', '/returns', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': headers['idempotency-key'] ?? '' },
    body,
  });
