import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseObject } from '../../../lib/runtime/json.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';
import { sample } from '../../support/samples.ts';
import { startShops, startShopsStage } from './shops-stage.ts';

/* The command against the shops of the local stack: each has the API of its platform and a clean start. */

type Row = {
  readonly act: string;
  /** What the command has printed before the act. */
  readonly until: string;
  /** How the delivery of the act ends. */
  readonly delivered: number | 'queued';
  /** The row of the delivery. */
  readonly proof: RegExp;
  readonly active: RegExp;
  readonly more?: Readonly<Record<string, string>>;
};

const waiting = 'Waiting up to 120 s for a delivery.';

const platforms: Readonly<Record<string, Row>> = {
  bigcommerce: {
    act: 'order',
    until: waiting,
    delivered: 200,
    proof: /^ok .* store\/order\/created, received at /,
    active: /^ok .* active: store\/order\//,
  },
  commercetools: {
    act: 'order',
    until: waiting,
    delivered: 'queued',
    proof: /^ok .* OrderPaymentStateChanged, received at /,
    active: /^ok .* active: .*ReturnInfoAdded/,
  },
  saleor: {
    act: 'order',
    until: waiting,
    delivered: 200,
    proof: /^ok .* order_fulfilled, received at /,
    active: /^ok .* active: order_updated/,
  },
  vtex: {
    act: 'return',
    until: 'no person can cause one at once',
    delivered: 200,
    proof: /^skipped .* no person can cause one at once/,
    active: /^ok .* 1 active: order$/,
    // VTEX accepts no address without TLS.
    more: { hookAddress: 'https://hooks.example/webhooks/vtex/local' },
  },
};
const rows = sample(Object.entries(platforms), 4);
const names = rows.map(([name]) => name);

let stack: OwnStack;
let stage: Awaited<ReturnType<typeof startShopsStage>>;
/** What an operator gives for each shop: the entries that the stack has stored for it. */
const given = new Map<string, { readonly source: string; readonly fields: Readonly<Record<string, unknown>> }>();

const secretOf = (half: string, platform: string) => `returns/platforms/${half}/${platform}`;
const sourcesOf = (half: string, platform: string): Record<string, Record<string, unknown>> =>
  (parseObject(stack.secrets.get(secretOf(half, platform)).secretString ?? '')?.['sources'] ?? {}) as never;

beforeAll(async () => {
  stack = await startOwnStack({ platforms: `shopify,${names.join(',')}`, shops: names });
  const { connected, hooks } = stack.info;
  // The shops of the stack deliver to the connected mode, so that is the stage.
  const standalone = { url: connected.url, hooksUrl: hooks.url, lambdaUrl: connected.lambdaUrl };
  const outputs = { EventsQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/returns-dev-events' };
  const parameters = { ...stack.info.parameters.connected, Platforms: names.join(','), CommercetoolsQueue: 'on' };
  stage = await startShopsStage({ ...stack.info, standalone }, parameters, outputs);
  for (const platform of names) {
    const { source = '' } = stack.info.shops[platform] ?? {};
    const entries = ['webhooks', 'api'].map((half) => sourcesOf(half, platform)[source]);
    given.set(platform, { source, fields: Object.assign({}, ...entries, platforms[platform]?.more) });
    for (const half of ['webhooks', 'api', 'effects'])
      await stack.secrets.put(secretOf(half, platform), { secretString: '{"sources":{}}' });
  }
});
afterAll(async () => {
  await Promise.all([stack.close(), stage.close()]);
});

const start = (args: readonly string[], input?: unknown) => startShops(stage.environment, args, input);
const row = (output: string, name: string) => output.split('\n').find((line) => line.slice(9).startsWith(`${name} `));
const act = async (platform: string, what: string) => {
  const response = await fetch(`${stack.info.shopsUrl}/${platform}/${what}`, { method: 'POST' });
  return ((await response.json()) as { readonly delivered: number | string }).delivered;
};

describe('npm run shops -- connect', () => {
  it.each(rows)(
    'connects a shop of %s, and proves that a delivery arrives',
    async (platform, { proof, active, ...of }) => {
      const { source, fields } = given.get(platform) ?? { source: '', fields: {} };
      const connecting = start(['connect', platform, source], fields);
      await connecting.printed(of.until);
      expect(await act(platform, of.act)).toBe(of.delivered);
      const { code, output, errors } = await connecting.ended();
      expect({ code, errors, output }).toMatchObject({ code: 0, errors: '' });
      expect(row(output, 'secret api')).toContain('changed');
      expect(row(output, 'API')).toMatch(/^ok /);
      expect(row(output, 'subscriptions')).toMatch(active);
      expect(row(output, 'delivery')).toMatch(proof);
      for (const secret of Object.entries(fields).flatMap(([name, value]) => (/token|secret/i.test(name) ? value : [])))
        expect(output).not.toContain(secret);
    },
  );

  it.each(rows)('keeps the secrets of %s when it is repeated, and prints its state', async (platform, { more }) => {
    const { source } = given.get(platform) ?? { source: '' };
    const repeated = await start(['connect', platform, source], more).ended();
    expect(repeated).toMatchObject({ code: 0, errors: '' });
    expect(row(repeated.output, 'secret api')).toContain('unchanged');
    expect(row(repeated.output, 'delivery')).toMatch(/^ok .* received at /);
    const { code, output } = await start(['status', platform]).ended();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(row(output, 'last delivery')).toMatch(/^ok .* \d{4}-\d\d-\d\dT/);
  });
});
