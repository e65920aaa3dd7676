import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grantedScopes, isForUsers, scopeClaimOf, userOf } from '../../../lib/edge/http/token-claims.ts';

const known = ['returns:read', 'returns:write', 'returns:admin'];
const naming = { scopePrefix: '' };

describe('scopes of a claim', () => {
  it.each([
    ['text', 'openid returns:read returns:admin', ['returns:read', 'returns:admin']],
    ['a list', ['returns:admin', 'openid', 'returns:read'], ['returns:read', 'returns:admin']],
    ['a list as an HTTP API writes it', '[returns:read returns:write]', ['returns:read', 'returns:write']],
    ['a list with commas', '[returns:read, returns:write]', ['returns:read', 'returns:write']],
    ['a scope that occurs twice', 'returns:read returns:read', ['returns:read']],
    ['an item of a list with a space', ['returns:read returns:admin'], []],
    ['an item of a list that is no text', [7, null, { scope: 'returns:read' }, ['returns:read']], []],
    ['another type', { 'returns:read': true }, []],
    ['nothing', undefined, []],
    ['other letters', 'Returns:Read RETURNS:WRITE', []],
  ])('are read from %s', (_, claim, expected) => {
    expect(grantedScopes(claim, naming)).toEqual(expected);
  });

  it('need the prefix of the issuer, once', () => {
    const claim =
      'returns:read returns.example/returns:write other/returns:admin returns.example/returns.example/returns:read';
    expect(grantedScopes(claim, { scopePrefix: 'returns.example/' })).toEqual(['returns:write']);
  });

  const prefix = fc.constantFrom('', 'returns.example/', 'https://a.example/', 'api:');
  const granted = fc.subarray(known);
  const foreign = fc.array(
    fc.stringMatching(/^[a-z.:/-]{1,20}$/).filter((text) => !known.some((scope) => text.endsWith(scope))),
  );

  it('are the same in each form of the claim, among any other scopes, in any order', () => {
    const order = fc.tuple(prefix, granted, foreign).chain(([scopePrefix, mine, others]) => {
      const all = [...mine.map((scope) => `${scopePrefix}${scope}`), ...others];
      return fc.record({
        scopePrefix: fc.constant(scopePrefix),
        mine: fc.constant(mine),
        texts: fc.shuffledSubarray(all, { minLength: all.length }),
      });
    });
    fc.assert(
      fc.property(order, ({ scopePrefix, mine, texts }) => {
        const forms: readonly unknown[] = [texts, texts.join(' '), `[${texts.join(' ')}]`, `[${texts.join(', ')}]`];
        for (const form of forms) expect(grantedScopes(form, { scopePrefix })).toEqual(mine);
      }),
    );
  });

  it('are never more than a claim names, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.constantFrom(...known, 'x'))), prefix, (claim, scopePrefix) => {
        const text = JSON.stringify(claim);
        for (const scope of grantedScopes(claim, { scopePrefix })) expect(text).toContain(`${scopePrefix}${scope}`);
      }),
    );
  });
});

describe('claim with the scopes', () => {
  const claims = { scope: 'a', scp: 'b', roles: 'c' };

  it.each([
    [undefined, claims, 'a'],
    [undefined, { scp: 'b', roles: 'c' }, 'b'],
    [undefined, { roles: 'c' }, undefined],
    ['scp', claims, 'b'],
    ['roles', claims, 'c'],
    ['permissions', claims, undefined],
  ])('is the claim %s, else scope, else scp', (scopeClaim, from, expected) => {
    expect(scopeClaimOf(from, { scopeClaim })).toBe(expected);
  });
});

describe('user of a token', () => {
  const users = { userClaim: 'sub', userNameClaim: 'name' };
  const named = (name: unknown) => userOf({ sub: 'u7', name }, 'console', users);

  it.each([
    ['Ana Silva', 'Ana Silva'],
    ['  Ana  ', 'Ana'],
    ['Zoe\u0308', 'Zo\u00eb'],
    ['\u5c71\u7530 \u592a\u90ce', '\u5c71\u7530 \u592a\u90ce'],
    ['n'.repeat(200), 'n'.repeat(200)],
  ])('has the name %j', (claim, name) => {
    expect(named(claim)).toEqual({ id: 'u7', name });
  });

  it.each([
    '',
    ' ',
    'n'.repeat(201),
    'a\nb',
    'a\u0000',
    '\u202eanA',
    '\u2066a',
    '\ud800',
    'a\u2028b',
    7,
    null,
    ['Ana'],
  ])('has no name where it cannot be shown: %j', (claim) => {
    expect(named(claim)).toEqual({ id: 'u7' });
  });

  it.each(['u', 'auth0|7', 'ana@example.com', 'a/b', 'u'.repeat(200), '/'.repeat(66)])('has the id %s', (sub) => {
    expect(userOf({ sub }, 'console', users)).toEqual({ id: sub });
  });

  it.each([
    '',
    'a b',
    'u'.repeat(201),
    '/'.repeat(67),
    'an\u00e3',
    'a\tb',
    7,
    undefined,
    ['u'],
    'console',
    'console@clients',
  ])('is none with the id %j', (sub) => {
    expect(userOf({ sub }, 'console', users)).toBeUndefined();
  });

  it('is none where another claim repeats the client', () => {
    expect(userOf({ oid: 'u7', sub: 'console' }, 'console', { ...users, userClaim: 'oid' })).toBeUndefined();
  });
});

describe('API of a request', () => {
  it.each([
    [{ callers: 'users' }, true],
    [{ callers: 'clients' }, false],
    [{ Callers: 'users' }, false],
    [{}, false],
    [null, false],
    [undefined, false],
  ])('is known by the variables of the stage: %j', (stageVariables, expected) => {
    expect(isForUsers({ stageVariables })).toBe(expected);
  });
});
