import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sign } from '../../../lib/shops/platforms/woocommerce/verify.ts';
import type { StackInfo } from '../../../lib/tools/local/stack-info.ts';
import { openSite } from '../../../lib/tools/local/shops/woocommerce/site.ts';
import { startShopServer } from '../../../lib/tools/local/shops/shop-server.ts';
import { compileCache } from '../../support/bundles.ts';
import { startServer } from '../../support/http-server.ts';
import { documentedOrder } from '../../shops/platforms/woocommerce-site.ts';

/* A local stack as a deployed stage: only CloudFormation is faked, which a local stack does not have. */

type Values = Readonly<Record<string, string>>;

const members = (values: Values, kind: 'Output' | 'Parameter'): string =>
  Object.entries(values)
    .map(
      ([key, value]) =>
        `<member><${kind}Key>${key}</${kind}Key><${kind}Value>${value.replaceAll(/[<&]/g, '')}</${kind}Value></member>`,
    )
    .join('');

/** Starts CloudFormation for a stack, and returns the variables with which the SDK finds both. */
export const startShopsStage = async (info: StackInfo, parameters: Values, more: Values = {}) => {
  const { standalone, aws } = info;
  const outputs = { ApiUrl: standalone.url, HooksUrl: standalone.hooksUrl, ...more };
  const values = { PlatformSecrets: 'returns/platforms', ...parameters };
  const server = await startServer(() => ({
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><Parameters>${members(values, 'Parameter')}</Parameters><Outputs>${members(outputs, 'Output')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  }));
  const environment: Values = {
    AWS_ENDPOINT_URL: server.origin,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.secretsManager,
    AWS_ENDPOINT_URL_LAMBDA: standalone.lambdaUrl,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return { environment, close: async () => server[Symbol.asyncDispose]() };
};

export type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

/** Starts `npm run shops` without npm. The input ends at once. */
export const startShops = (environment: Values, args: readonly string[], input: unknown = '') => {
  const script = ['--conditions=client', 'lib/tools/shops/shops-command.ts'];
  const child: ChildProcess = spawn(process.execPath, [...script, ...args, '--stage', 'dev'], {
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', NODE_COMPILE_CACHE: compileCache(), ...environment },
  });
  child.stdin?.end(typeof input === 'string' ? input : JSON.stringify(input));
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the command has no output');
  let seen = '';
  const waiters = new Set<() => void>();
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
    for (const check of waiters) check();
  });
  const closed = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const errors = text(stderr);
  return {
    child,
    /** Resolves once the command has printed a text; rejects when it ends without it. */
    printed: async (wanted: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = () => void (seen.includes(wanted) && resolve());
      waiters.add(check);
      check();
      await Promise.race([promise, closed]);
      waiters.delete(check);
      if (!seen.includes(wanted)) throw new Error(`it ended without "${wanted}": ${seen}`);
    },
    ended: async (): Promise<Ended> => {
      const code = await closed;
      return { code, output: seen, errors: await errors };
    },
  };
};

/** Starts a WooCommerce site with one order, which sends webhooks where a test asks for it. */
export const startSite = async (key: { readonly consumerKey: string; readonly consumerSecret: string }) => {
  let mayWrite = true;
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`;
  const site = openSite({ clock: Date.now, authorization: () => authorization, mayWrite: () => mayWrite });
  site.put(documentedOrder());
  const server = await startShopServer({ port: 0, answer: site.answer });
  return {
    ...site,
    url: server.url,
    requests: server.requests,
    permitWrites: (isPermitted: boolean) => void (mayWrite = isPermitted),
    /** Sends the order to the webhook of a topic, and returns the status of the answer. */
    send: async (topic: string): Promise<number> => {
      const webhook = [...site.webhooks.values()].find((one) => one.topic === topic);
      if (webhook === undefined) throw new Error(`there is no webhook of ${topic}`);
      const body = Buffer.from(JSON.stringify(site.orders.get('723')));
      const headers = {
        'content-type': 'application/json',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-resource': 'order',
        'x-wc-webhook-event': topic.slice('order.'.length),
        'x-wc-webhook-signature': sign(body, webhook.secret),
        'x-wc-webhook-id': String(webhook.id),
        'x-wc-webhook-delivery-id': randomUUID(),
      };
      const { status } = await fetch(webhook.delivery_url, { method: 'POST', headers, body });
      return status;
    },
    close: server.close,
  };
};
