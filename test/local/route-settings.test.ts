import { describe, expect, it } from 'vitest';
import { startGateway } from '../../lib/local/emulators/gateway/gateway.ts';
import { openLimiter, type ApiBody } from '../../lib/local/emulators/gateway/routes.ts';

const integration = {
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    payloadFormatVersion: '2.0',
    uri: 'arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:0:function:f/invocations',
  },
};
const body: ApiBody = { paths: { '/form': { post: integration, get: integration } } };

describe('settings of a route', () => {
  it('limit its requests, and fill its burst again with time', () => {
    const accepts = openLimiter({ 'POST /form': { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 3 } });
    const send = (at: number, count: number) => Array.from({ length: count }, () => accepts('POST /form', at));
    expect(send(0, 4)).toEqual([true, true, true, false]);
    expect(send(500, 2)).toEqual([true, false]);
    expect(send(60_000, 4)).toEqual([true, true, true, false]);
  });

  it('make the gateway answer 429 without the function, on this route only', async () => {
    const routeSettings = { 'POST /form': { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 1 } };
    let invocations = 0;
    const invoke = async () => ({ statusCode: 200, body: String((invocations += 1)) });
    const gateway = await startGateway({ name: 'web', body, port: 0, invoke, routeSettings });
    const send = async (method: string) => fetch(`${gateway.url}/form`, { method });
    const [first, second, other] = [await send('POST'), await send('POST'), await send('GET')];
    await gateway.close();
    expect([first.status, second.status, other.status]).toEqual([200, 429, 200]);
    expect([await second.json(), invocations]).toEqual([{ message: 'Too Many Requests' }, 2]);
  });
});
