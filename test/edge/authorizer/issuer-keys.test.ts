import { describe, expect, it } from 'vitest';
import { createIssuerKeys, IssuerUnavailable } from '../../../lib/edge/authorizer/issuer-keys.ts';
import { createAgent } from '../../../lib/access/net/agent.ts';
import type { Answer } from '../../support/http-server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { startIssuer, type TestIssuer } from './issuer-server.ts';

const second = 1_000;
const hour = 3_600 * second;

const open = async (path = '/realms/shop') => {
  const issuer = await startIssuer(path);
  const clock = virtualClock();
  const agent = createAgent({ clock });
  const failures: string[] = [];
  const onFailure = (reason: string) => void failures.push(reason);
  const keys = createIssuerKeys({ issuer: issuer.issuer, agent, clock, onFailure });
  return {
    issuer,
    clock,
    failures,
    keys,
    [Symbol.asyncDispose]: async () => {
      await agent.end();
      await issuer[Symbol.asyncDispose]();
    },
  };
};

const json = (body: unknown): Answer => ({ status: 200, body: JSON.stringify(body) });
const kids = (keys: { jwks: () => { keys: readonly { kid?: string }[] } } | undefined) =>
  keys?.jwks().keys.map(({ kid }) => kid);

describe('keys of an issuer', () => {
  it.each(['', '/', '/realms/shop', '/oauth2/default/'])('are found by discovery below %j', async (path) => {
    await using world = await open(path);
    expect(kids(await world.keys.current())).toEqual(['RS256', 'PS256', 'ES256', 'EdDSA']);
    expect(world.issuer.server.requests.map((request) => request.path)).toEqual([
      `${path.replace(/\/$/, '')}/.well-known/openid-configuration`,
      `${path.replace(/\/$/, '')}/keys`,
    ]);
  });

  it('are read once for all callers at a time, and once an hour', async () => {
    await using world = await open();
    await Promise.all(Array.from({ length: 20 }, () => world.keys.current()));
    world.clock.advance(hour - 1);
    await world.keys.current();
    expect(world.issuer.keyReads()).toBe(1);
    world.clock.advance(1);
    await world.keys.current();
    expect(world.issuer.keyReads()).toBe(2);
  });

  it('are read again after a container was frozen for an hour', async () => {
    await using world = await open();
    await world.keys.current();
    world.clock.freeze(hour);
    await world.keys.current();
    expect(world.issuer.keyReads()).toBe(2);
  });

  it('are read again for an unknown key, at most every 30 s', async () => {
    await using world = await open();
    await world.keys.current();
    expect(await world.keys.renewed()).toBeUndefined();
    expect(world.issuer.keyReads()).toBe(1);
    world.clock.advance(30 * second);
    world.issuer.published.splice(0, 3);
    expect(kids(await world.keys.renewed())).toEqual(['EdDSA']);
    expect(await world.keys.renewed()).toBeUndefined();
    expect(kids(await world.keys.current())).toEqual(['EdDSA']);
    expect(world.issuer.keyReads()).toBe(2);
  });

  it('stay in use for six hours while the issuer is down, with one attempt in 30 s', async () => {
    await using world = await open();
    await world.keys.current();
    await world.issuer.server.fall();
    world.clock.advance(6 * hour - 1);
    expect(kids(await world.keys.current())).toHaveLength(4);
    expect(kids(await world.keys.current())).toHaveLength(4);
    expect(world.failures).toEqual(['discovery_connect']);
    world.clock.advance(1);
    await expect(world.keys.current()).rejects.toThrow(IssuerUnavailable);
    expect(world.failures).toHaveLength(1);
    world.clock.advance(30 * second);
    await world.issuer.server.rise();
    expect(kids(await world.keys.current())).toHaveLength(4);
  });

  it('are unavailable while they were never read, with one attempt in 2 s', async () => {
    await using world = await open();
    await world.issuer.server.fall();
    for (let call = 0; call < 3; call += 1) await expect(world.keys.current()).rejects.toThrow('discovery_connect');
    expect(world.failures).toEqual(['discovery_connect']);
    await world.issuer.server.rise();
    world.clock.advance(2 * second);
    expect(kids(await world.keys.current())).toHaveLength(4);
  });

  it('are unavailable after two attempts of 2 s when the issuer does not answer', async () => {
    await using world = await open();
    world.issuer.instead.keys = 'hang';
    const current = world.keys.current();
    // It may reject before the test awaits it.
    current.catch(() => undefined);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      // Discovery precedes the first attempt.
      await world.issuer.server.received(1 + attempt);
      await world.clock.scheduled(2 * second);
      world.clock.advance(2 * second);
    }
    await expect(current).rejects.toThrow('keys_timeout');
    expect(world.issuer.server.requests).toHaveLength(3);
  });

  it.each<[string, 'discovery' | 'keys', Answer, number]>([
    ['discovery_status_503', 'discovery', { status: 503 }, 2],
    ['discovery_status_429', 'discovery', { status: 429 }, 2],
    ['discovery_reset', 'discovery', 'reset', 2],
    ['discovery_status_404', 'discovery', { status: 404 }, 1],
    ['discovery_status_302', 'discovery', { status: 302, headers: { location: '/keys' } }, 1],
    ['discovery_not_json', 'discovery', { status: 200, body: '<html>' }, 1],
    ['discovery_names_another_issuer', 'discovery', json({ issuer: 'https://elsewhere.example' }), 1],
    ['keys_status_500', 'keys', { status: 500 }, 3],
    ['keys_not_json', 'keys', json([]), 2],
    ['keys_missing', 'keys', json({ keys: [] }), 2],
    ['keys_missing', 'keys', json({}), 2],
    ['keys_malformed', 'keys', json({ keys: [1] }), 2],
    ['keys_too_large', 'keys', json({ keys: [], more: 'x'.repeat(150_000) }), 2],
  ])('are unavailable with the reason %s', async (reason, document, answer, requests) => {
    await using world = await open();
    world.issuer.instead[document] = answer;
    await expect(world.keys.current()).rejects.toThrow(reason);
    expect(world.failures).toEqual([reason]);
    expect(world.issuer.server.requests).toHaveLength(requests);
  });

  const metadata = ({ issuer }: TestIssuer, address: unknown) => json({ issuer, jwks_uri: address });

  it.each([
    'http://elsewhere.example/keys',
    'file:///etc/passwd',
    'https://a:b@elsewhere.example/keys',
    '',
    7,
    undefined,
  ])('are never read from the address %j', async (address) => {
    await using world = await open();
    world.issuer.instead.discovery = metadata(world.issuer, address);
    await expect(world.keys.current()).rejects.toThrow('discovery_names_no_keys');
  });

  it('are read from an address with a query', async () => {
    await using world = await open();
    world.issuer.instead.discovery = metadata(world.issuer, `${world.issuer.issuer}/keys?p=policy`);
    await expect(world.keys.current()).rejects.toThrow('keys_status_404');
    expect(world.issuer.server.requests.at(-1)?.path).toBe('/realms/shop/keys?p=policy');
  });

  it('replace no good keys when the issuer publishes none', async () => {
    await using world = await open();
    await world.keys.current();
    world.issuer.instead.keys = json({ keys: [] });
    world.clock.advance(hour);
    expect(kids(await world.keys.current())).toHaveLength(4);
    expect(world.failures).toEqual(['keys_missing']);
  });
});
