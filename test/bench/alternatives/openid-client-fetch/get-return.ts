import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { call } from './service.ts';

export const handler = async ({ pathParameters }: APIGatewayProxyEventV2) =>
  call('returns:read', `/returns/${encodeURIComponent(pathParameters?.['returnId'] ?? '')}`);
