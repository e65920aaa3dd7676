import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseObject } from '../../../lib/runtime/json.ts';
import { api } from '../../support/api.ts';
import { plant } from '../../support/emitted/record.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';
import { documentFor, publishedPolicy } from '../../support/policies.ts';
import { startShops, startShopsStage, startSite } from './shops-stage.ts';

const key = { consumerKey: 'ck_aMarkedConsumerKey', consumerSecret: 'cs_aMarkedConsumerSecret' };
const source = 'shop.example';
plant(Object.values(key));

let stack: OwnStack;
let site: Awaited<ReturnType<typeof startSite>>;
let stage: Awaited<ReturnType<typeof startShopsStage>>;

beforeAll(async () => {
  stack = await startOwnStack({ platforms: 'shopify,woocommerce,medusa', modes: ['standalone'] });
  site = await startSite(key);
  stage = await startShopsStage(stack.info, {
    ...stack.info.parameters.standalone,
    Platforms: 'shopify,woocommerce,medusa',
  });
});
afterAll(async () => {
  await Promise.all([stack.close(), site.close(), stage.close()]);
});

const start = (args: readonly string[], input?: unknown) => startShops(stage.environment, args, input);
const run = async (args: readonly string[], input?: unknown) => start(args, input).ended();

/** Returns the sources of a secret; undefined when it does not exist. */
const sourcesIn = (name: string): Record<string, Record<string, unknown>> | undefined =>
  stack.secrets.has(`returns/platforms/${name}`)
    ? (parseObject(stack.secrets.get(`returns/platforms/${name}`).secretString ?? '')?.['sources'] as never)
    : undefined;

const writes = () => site.requests.filter(({ method }) => method !== 'GET').length;
const row = (output: string, name: string) => output.split('\n').find((line) => line.slice(9).startsWith(`${name} `));

describe('npm run shops -- connect', () => {
  it('connects a shop, and proves that a delivery arrives', async () => {
    const connecting = start(['connect', 'woocommerce', source], { ...key, apiUrl: site.url });
    await connecting.printed('Waiting up to 120 s for a delivery. Now change the customer note of an order');
    expect(await site.send('order.updated')).toBe(200);
    const { code, output, errors } = await connecting.ended();
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(row(output, 'secret api')).toContain('returns/platforms/api/woocommerce created');
    expect(row(output, 'secret webhooks')).toContain('returns/platforms/webhooks/woocommerce created');
    expect(row(output, 'subscriptions')).toContain('3 active: order.created, order.updated, order.restored');
    expect(row(output, 'delivery')).toMatch(/^ok .* order\.updated, received at /);
    expect(output).toContain('woocommerce shop.example is connected.');
    const secrets = sourcesIn('webhooks/woocommerce')?.[source]?.['webhookSecrets'] as string[];
    expect(secrets).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(sourcesIn('effects/woocommerce')).toBeUndefined();
    for (const secret of [...Object.values(key), ...secrets]) expect(output + errors).not.toContain(secret);
  });

  it('changes nothing when it is repeated, and needs no field again', async () => {
    const [before, versions] = [writes(), stack.secrets.describe('returns/platforms/api/woocommerce').labels];
    const { code, output } = await run(['connect', 'woocommerce', source]);
    expect(code).toBe(0);
    expect(row(output, 'secret api')).toContain('unchanged');
    expect(row(output, 'delivery')).toMatch(/^ok .* order\.updated/);
    expect(writes()).toBe(before);
    expect(stack.secrets.describe('returns/platforms/api/woocommerce').labels).toEqual(versions);
  });

  it('enables what the shop has disabled', async () => {
    const [[id, webhook] = ['', undefined]] = site.webhooks;
    if (webhook !== undefined) site.webhooks.set(id, { ...webhook, status: 'disabled' });
    const { code, output } = await run(['connect', 'woocommerce', source, '--no-wait']);
    expect(code).toBe(0);
    expect(row(output, 'delivery')).toMatch(/^skipped/);
    expect(site.webhooks.get(id)?.status).toBe('active');
  });

  it('fails with the link to the rights when the key may not write, and ends the work when it may', async () => {
    site.webhooks.clear();
    site.permitWrites(false);
    const denied = await run(['connect', 'woocommerce', source]);
    expect(denied.code).toBe(1);
    expect(row(denied.output, 'subscriptions')).toMatch(/^FAILED .* order\.created missing, order\.updated missing/);
    expect(denied.output).toContain('/wp-admin/admin.php?page=wc-settings&tab=advanced&section=keys&create-key=1');
    expect(denied.output).toContain('is not connected yet');
    site.permitWrites(true);
    expect((await run(['connect', 'woocommerce', source, '--no-wait'])).code).toBe(0);
    expect(site.webhooks.size).toBe(3);
  });

  it('fails at the end of the wait without a delivery', async () => {
    site.webhooks.clear();
    const { code, output } = await run(['connect', 'woocommerce', source, '--wait', '1']);
    expect(code).toBe(1);
    expect(row(output, 'delivery')).toMatch(/^FAILED .* no delivery arrived within 1 s/);
  });

  it('continues after Ctrl-C', async () => {
    site.webhooks.clear();
    const connecting = start(['connect', 'woocommerce', source]);
    await connecting.printed('Waiting up to');
    connecting.child.kill('SIGINT');
    expect(await connecting.ended()).toMatchObject({
      code: 130,
      errors: 'Interrupted. A repeated command continues.\n',
    });
    expect((await run(['connect', 'woocommerce', source, '--no-wait'])).code).toBe(0);
    expect(site.webhooks.size).toBe(3);
  });

  it('keeps the other shops of a secret, also when several commands run at once', async () => {
    const names = ['one.example', 'two.example', 'three.example'];
    const ended = await Promise.all(
      names.map(async (name, index) =>
        run(['connect', 'woocommerce', name, '--no-wait'], { ...key, apiUrl: site.url, orderPlatform: `woo${index}` }),
      ),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const secret of ['api/woocommerce', 'webhooks/woocommerce'])
      expect(Object.keys(sourcesIn(secret) ?? {}).toSorted()).toEqual([source, ...names].toSorted());
    expect(sourcesIn('api/woocommerce')?.[source]).toMatchObject({ ...key, apiUrl: site.url });
  });

  it('stores a wrong token with a way back, and says that the shop rejects it', async () => {
    const { code, output } = await run(['connect', 'woocommerce', source], { consumerSecret: 'cs_anotherMarkedOne' });
    expect(code).toBe(1);
    expect(row(output, 'secret api')).toContain('changed; the version before it is AWSPREVIOUS');
    expect(row(output, 'API')).toMatch(/^FAILED .* it rejects the credentials \(shop_status_401\)/);
    expect(output).not.toContain('cs_anotherMarkedOne');
    expect((await run(['connect', 'woocommerce', source, '--no-wait'], key)).code).toBe(0);
  });

  it('writes the secret of write-back only when asked for it', async () => {
    const { code } = await run(['connect', 'woocommerce', source, '--no-wait', '--write-back'], {
      effects: { consumerSecret: 'cs_aTokenThatMayWrite' },
    });
    expect(code).toBe(0);
    expect(sourcesIn('effects/woocommerce')).toMatchObject({
      [source]: { ...key, consumerSecret: 'cs_aTokenThatMayWrite' },
    });
  });

  it('connects a Shopify shop, and shows the version of its API and its scopes', async () => {
    const { shop } = stack;
    const connecting = start(['connect', 'shopify', shop.shopDomain]);
    await connecting.printed('for a delivery. Now request a return for an order');
    const { headers, body } = shop.webhook(shop.orderIds[0] ?? '', { quantity: 1 });
    const answer = await fetch(`${stack.info.standalone.hooksUrl}/webhooks/shopify`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    const { code, output } = await connecting.ended();
    expect(code).toBe(0);
    expect(row(output, 'API version')).toMatch(/^ok .* 2026-10, at least until 2027-10-01/);
    expect(row(output, 'scopes')).toMatch(/^ok .* 1 has all scopes/);
    expect(row(output, 'subscriptions')).toContain('14 active: returns/request, ');
    expect(row(output, 'delivery')).toMatch(/^ok .* returns\/request, received at /);
    const [status, repeated] = [await run(['status', 'shopify']), await run(['connect', 'shopify', shop.shopDomain])];
    expect([status.code, repeated.code]).toEqual([0, 0]);
    expect(row(repeated.output, 'secret api')).toContain('unchanged');
  });

  it('writes the secrets of a platform without an API for subscriptions, and says what to do by hand', async () => {
    const { output } = await run(['connect', 'medusa', 'med.example', '--no-wait'], {
      secretApiKey: 'sk_aMarkedSecretKey',
    });
    const webhooks = sourcesIn('webhooks/medusa')?.['med.example'];
    const [secret = ''] = (webhooks?.['webhookSecrets'] ?? []) as string[];
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(sourcesIn('api/medusa')).toEqual({
      'med.example': { secretApiKey: 'sk_aMarkedSecretKey', apiUrl: 'https://med.example' },
    });
    // The host does not exist.
    expect(row(output, 'API')).toMatch(/^FAILED/);
    expect(output).not.toContain(secret);
  });

  it.each([
    ['an unknown field', { consumerKy: 'x' }, '/: an unknown field. Did you mean consumerKey?'],
    ['a field of another type', { ...key, webhookSecrets: 'text' }, '/webhookSecrets must be a list of texts.'],
    ['missing fields', {}, '/consumerKey is missing: the consumer key of a REST API key.\n/consumerSecret is missing'],
    ['a field with a wrong value', { ...key, apiUrl: 'ftp://x' }, '].apiUrl must be an http or https address'],
    [
      'a short secret',
      { ...key, orderPlatform: 'new', webhookSecrets: ['tooShort'] },
      'no secret verifies deliveries of new.example',
    ],
    ['fields of write-back without the option', { effects: {} }, '/effects needs --write-back.'],
    ['no JSON', '{"consumerKey', 'Standard input is not JSON.'],
  ])('ends with 2 for %s, and writes nothing', async (_, input, message) => {
    const before = sourcesIn('api/woocommerce');
    const { code, errors, output } = await run(['connect', 'woocommerce', 'new.example'], input);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(message);
    expect(sourcesIn('api/woocommerce')).toEqual(before);
  });

  it.each([
    [
      'a token as an argument',
      ['connect', 'shopify', 'northfold.myshopify.com', 'shpat_0123456789abcdef'],
      'Argument 4',
    ],
    ['a field with its value', ['connect', 'woocommerce', 'consumerKey=marked'], 'Argument 3 looks like a token.'],
    ['a token as an option', ['connect', 'woocommerce', source, '--token=marked'], 'Unknown option --token.'],
    ['an unknown platform', ['connect', 'woocomerce', source], 'Unknown platform. Did you mean woocommerce?'],
    ['no source', ['connect', 'woocommerce'], 'The arguments must be connect <platform> <source>'],
    ['an unknown command', ['disconnect', 'woocommerce', source], 'The arguments must be'],
  ])('ends with 2 for %s, and does not quote it', async (_, args, message) => {
    const { code, errors } = await run(args);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
    expect(errors).not.toMatch(/shpat_|marked/);
  });
});

describe('npm run shops -- status', () => {
  it('prints the state of each shop, and ends with 0 when nothing is to do', async () => {
    const { code, output } = await run(['status', 'woocommerce']);
    expect(row(output, 'subscriptions')).toContain('3 active');
    expect(row(output, 'last delivery')).toMatch(/order\.updated (received|done|ignored|parked)/);
    expect(row(output, 'parked intents')).toContain('none');
    expect(output).not.toMatch(/aMarked/);
    expect(code).toBe(0);
  });

  it('ends with 1 and the states as JSON when a webhook is disabled', async () => {
    const [[id, webhook] = ['', undefined]] = site.webhooks;
    if (webhook !== undefined) site.webhooks.set(id, { ...webhook, status: 'disabled' });
    const { code, output } = await run(['status', 'woocommerce', '--json']);
    const { shops = [] } = parseObject(output) ?? {};
    expect(code).toBe(1);
    expect(shops).toContainEqual(
      expect.objectContaining({
        source,
        isOk: false,
        subscriptions: expect.arrayContaining([expect.objectContaining({ topic: webhook?.topic, state: 'disabled' })]),
        lastDelivery: expect.objectContaining({ topic: 'order.updated' }),
        parkedIntents: 0,
      }),
    );
  });
});

describe('npm run shops -- compare', () => {
  const channel = 'compared';
  const scope = ['--country', 'PT,ES', '--channel', channel];
  const compare = async (...more: readonly string[]) =>
    run(['compare', 'shopify', stack.shop.shopDomain, ...scope, ...more]);

  beforeAll(async () => {
    const selectors = { countries: ['PT', 'ES'], channels: [channel] };
    await publishedPolicy(api('standalone', stack.info), documentFor('', 30, { selectors }));
  });

  it('ends with 0 when the shop publishes the same, and says what was not compared', async () => {
    const { code, output, errors } = await compare();
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const fields = 'canAcceptReturns, returnWindowDays, returnWindowStartingFrom, extendWindowToBusinessDay';
    for (const country of ['PT', 'ES']) expect(row(output, country)).toMatch(new RegExp(`^ok .* the same: ${fields}$`));
    expect(output).toContain(
      'not compared: statements without a field at the shop: resolutions, fee, right, examination',
    );
  });

  it('ends with 1 and each difference when a market has other rules', async () => {
    const returnRules = { canAcceptReturns: true, returnWindowDays: 14, extendWindowToBusinessDay: true };
    stack.shop.profiles.push({ name: 'Iberia', returnRules, markets: [{ regions: ['PT'] }] });
    const { code, output } = await compare();
    expect(code).toBe(1);
    expect(output).toMatch(/^warning {2}PT Iberia .* returnWindowDays: policy 30, shop 14$/m);
    expect(output).toContain('→ The shop refuses requests in the last days of the policy.');
    expect(row(output, 'ES')).toMatch(/^ok/);
    const { comparisons } = parseObject((await compare('--json', '--country', 'PT')).output) ?? {};
    expect(comparisons).toMatchObject([
      {
        country: 'PT',
        channel,
        profile: 'Iberia',
        equal: ['canAcceptReturns'],
        differences: [{ field: 'returnWindowDays' }, { field: 'extendWindowToBusinessDay', policy: false, shop: true }],
        notCompared: [{ field: 'returnWindowStartingFrom', statedBy: 'policy' }],
      },
    ]);
  });

  it('says that nothing was compared when the shop has no rules for a country', async () => {
    const published = stack.shop.profiles.splice(0);
    const { output } = await compare();
    stack.shop.profiles.push(...published);
    expect(row(output, 'ES')).toMatch(/^skipped .* not compared: canAcceptReturns \(only the policy states it\)/);
  });

  it('names the scope that the token lacks', async () => {
    stack.shop.scopes.delete('read_legal_policies');
    const { code, output } = await compare();
    stack.shop.scopes.add('read_legal_policies');
    expect(code).toBe(1);
    expect(row(output, 'return rules')).toMatch(/^FAILED .* \(shop_scope_missing:read_legal_policies\)/);
    expect(output).toContain('Grant them to the app');
  });

  it('fails with the code of the function when the policy cannot be read', async () => {
    const { code, output } = await compare('--date', '2026-02-30');
    expect([code, row(output, 'policy')]).toEqual([1, expect.stringMatching(/^FAILED .* failed: invalid_request$/)]);
  });

  it.each([
    ['no country', ['compare', 'shopify', 'northfold.myshopify.com'], '--country must be at most 60 country codes'],
    [
      'another platform',
      ['compare', 'medusa', 'med.example', '--country', 'PT'],
      'The API of medusa has no return rules.',
    ],
  ])('ends with 2 for %s', async (_, args, message) => {
    expect(await run(args)).toMatchObject({ code: 2, output: '', errors: expect.stringContaining(message) });
  });
});
