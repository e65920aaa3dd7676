import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ConsoleBundle } from '../../lib/tools/build/console.ts';
import consoleBundle from '#contract/console.json' with { type: 'json' };
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { stack } from '../support/stack.ts';
import { webUrl } from '../support/users.ts';

const bundle: ConsoleBundle = consoleBundle;

const get = async (mode: (typeof modes)[number], path: string, headers: Record<string, string> = {}) =>
  fetch(`${webUrl(mode)}${path}`, { headers: { connection: 'close', ...headers } });

const weightOf = (name: string): number => Buffer.from(bundle.assets[name]?.gzip ?? '', 'base64').length;
const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + weightOf(name), 0);
const sourceOf = (name: string): string =>
  gunzipSync(Buffer.from(bundle.assets[name]?.gzip ?? '', 'base64')).toString();

/** Adds a file and the files that it imports at once. */
const addLoaded = (name: string, loaded: Set<string>): Set<string> => {
  if (loaded.has(name)) return loaded;
  loaded.add(name);
  for (const [, imported = ''] of sourceOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) addLoaded(imported, loaded);
  return loaded;
};

const shell = addLoaded(bundle.script, new Set([bundle.style]));
const screens = globSync('lib/console/screens/*/').map((path) => basename(path));

describe('files of the console', () => {
  it('stay within 185 kB of gzip, with a shell of 60 kB', () => {
    expect(sum(shell)).toBeLessThan(60_000);
    expect(sum(Object.keys(bundle.assets))).toBeLessThan(185_000);
  });

  it('are all preloaded if they belong to the shell', () => {
    expect(new Set([bundle.script, bundle.style, ...bundle.preloads])).toEqual(shell);
  });

  it.each(screens)('add less than 25 kB to the shell for the screen of screens/%s', (name) => {
    const file = Object.keys(bundle.assets).filter((asset) => asset.startsWith(`${name}-`));
    expect(file).toHaveLength(1);
    const screen = addLoaded(file[0] ?? '', new Set(shell));
    expect(sum(screen) - sum(shell)).toBeLessThan(25_000);
  });

  it('hold no other file above 25 kB', () => {
    const others = Object.keys(bundle.assets).filter((name) => !shell.has(name));
    expect(others.filter((name) => weightOf(name) > 25_000)).toEqual([]);
  });

  it('turn no text into markup or code', () => {
    const scripts = Object.entries(bundle.assets).filter(([, { type }]) => type.startsWith('text/javascript'));
    const sources = scripts.map(([name]) => sourceOf(name));
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources)
      expect(source).not.toMatch(/\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/);
    // Preact has the name, so only the sources can be searched for it.
    const own = globSync('lib/console/**/*.{ts,tsx}');
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((path) => /innerHTML/i.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe.each(modes)('console of the web API (%s)', (mode) => {
  it('serves one page at each address, with its own files, the issuer and the evidence, and no hold for its opener', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/signed-in',
      '/console/returns/ret_1',
      '/console/policies/pol_1/draft',
    ]) {
      const response = await get(mode, path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
      const issuer = new URL(stack().issuer).origin;
      const policy = response.headers.get('content-security-policy') ?? '';
      // The functions reach the bucket by a guard, which the stack does not list.
      const evidence = mode === 'standalone' ? (/ http:\S+(?=; base-uri)/.exec(policy)?.[0] ?? 'no bucket') : '';
      expect(policy).toBe(
        [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          `connect-src 'self' ${issuer}${evidence}`,
          `img-src 'self' blob:${evidence}`,
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ].join('; '),
      );
      const html = await response.text();
      expect(html).toContain(`src="/console/assets/${bundle.script}"`);
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
    }
  });

  it('serves its files compressed, for good, and rejects a file of another release', async () => {
    for (const name of [bundle.script, bundle.style]) {
      const response = await get(mode, `/console/assets/${name}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': bundle.assets[name]?.type,
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      const plain = await get(mode, `/console/assets/${name}`, { 'accept-encoding': 'identity' });
      expect(await plain.text()).toBe(await response.text());
    }
    for (const name of ['other.js', 'constructor', '__proto__']) {
      const response = await get(mode, `/console/assets/${name}`);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    }
  });

  it('says how people sign in, and nothing else', async () => {
    const html = await (await get(mode, '/console')).text();
    const content = /name="console-config" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';
    expect(JSON.parse(content)).toEqual({
      issuer: stack().issuer,
      clientId: stack().console.clientId,
      audience: stack().console.audience,
      scopePrefix: '',
      mode,
    });
  });
});
