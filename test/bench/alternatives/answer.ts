import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** Returns an answer of an HTTP API with a body of JSON; a text is JSON already. */
export const answerOf = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
