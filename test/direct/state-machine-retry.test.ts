import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWay, type WayProcess, type WaySetting } from '../../lib/local/way-process.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';
import { api } from '../support/api.ts';
import { startServer, type TestServer } from '../support/http-server.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { orderPath, returnOf, shopOrder } from '../support/scenario.ts';
import { ways, type Way } from '../support/stack.ts';
import { execute } from '../support/state-machine.ts';

let stack: OwnStack;
/** Stands before the stack's own engine. */
let engine: TestServer;
/** Once armed, the next write is carried out, but nobody hears of it, and nothing is answered from then on. */
let fault: 'none' | 'armed' | 'down' = 'none';
const started: WayProcess[] = [];
let info: StackInfo;

const launch = async (way: Way, parameters: Readonly<Record<string, string>> = {}): Promise<WayProcess['urls']> => {
  const { aws, issuer, audience, webhooks } = stack.info;
  const setting: WaySetting = {
    way,
    root: process.cwd(),
    template: join('dist/package', way, 'cloudformation-template-update-stack.json'),
    aws: { ...aws, dynamodb: engine.origin },
    ports: { api: 0, hooks: 0, lambda: 0 },
    parameters: {
      TokenIssuer: issuer,
      TokenAudience: audience,
      ShopifySecretId: 'returns/shopify',
      ShopifyApiUrl: new URL(webhooks.shopify.url).origin,
      ...parameters,
    },
  };
  const logFile = join(stack.dataDir, 'logs', `${way}-before-the-engine.log`);
  const running = await startWay(setting, logFile, () => undefined);
  started.push(running);
  return running.urls;
};

beforeAll(async () => {
  stack = await startOwnStack();
  engine = await startServer(async ({ path, headers, body }) => {
    if (fault === 'down') return 'reset';
    const given = Object.entries(headers).filter(([name]) => /^(authorization|content-type|x-amz-.*)$/.test(name));
    const response = await fetch(`${stack.info.aws.dynamodb}${path}`, {
      method: 'POST',
      headers: given.map(([name, value]): [string, string] => [name, String(value)]),
      body,
    });
    const answer = Buffer.from(await response.arrayBuffer());
    if (fault === 'none' || !String(headers['x-amz-target']).endsWith('.TransactWriteItems')) {
      return { status: response.status, body: answer };
    }
    fault = 'down';
    return 'reset';
  });
  const standalone = await launch('standalone');
  const connected = await launch('connected', {
    ServiceUrl: standalone.api,
    AuthUrl: stack.info.issuer,
    ClientSecretId: 'returns/client',
  });
  info = {
    ...stack.info,
    standalone: { url: standalone.api, hooksUrl: standalone.hooks, lambdaUrl: standalone.lambda },
    connected: { url: connected.api, lambdaUrl: connected.lambda },
  };
});
afterAll(async () => {
  await Promise.all(started.map((way) => way.stop()));
  await engine[Symbol.asyncDispose]();
  await stack.close();
});

it.each(ways)('a task whose answer was lost is tried again, and its work is done once (%s)', async (way) => {
  const order = { platform: 'shopify', orderId: randomUUID() };
  const failures: string[] = [];
  const { output, retried } = await execute(way, info, {
    name: randomUUID(),
    input: { order: { ...order, ...shopOrder() }, return: returnOf(order) },
    before: async (task) => {
      if (task === 'CreateReturn' && failures.length === 0) fault = 'armed';
    },
    failed: (task, error) => {
      failures.push(`${task} ${error}`);
      fault = 'none';
    },
  });
  expect(failures).toEqual(['CreateReturn dependency_unavailable']);
  expect(retried).toEqual(['CreateReturn']);
  expect(output).toMatchObject({ outcome: 'decided', status: 'approved' });
  const left = await api(way, info).get(`${orderPath(order)}/returnable`);
  expect(left.body).toMatchObject({ lines: [{ lineId: '11', held: 1 }, { lineId: '12' }] });
});
