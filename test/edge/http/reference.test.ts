import { describe, expect, it } from 'vitest';
import { errors } from '../../../lib/contract/errors.ts';
import { stack } from '../../support/stack.ts';

const origin = stack().web?.url ?? '';
/** fetch decompresses the body. The headers describe the response as sent. */
const get = async (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers });

describe('reference on the web API', () => {
  it('is one page that loads nothing and allows only its own style and script', async () => {
    const response = await get('/docs');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=300',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
      ),
      'x-content-type-options': 'nosniff',
    });
    const html = await response.text();
    expect(html.match(/<(script|link|img|iframe)[^>]*(src|href)=/g) ?? []).toEqual([]);
    for (const code of Object.keys(errors)) expect(html).toContain(`<article id="errors/${code}">`);
  });

  it('is uncompressed without gzip support, and 304 when it has not changed', async () => {
    const compressed = await (await get('/docs')).text();
    const plain = await get('/docs', { 'accept-encoding': 'gzip;q=0, identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(compressed);
    const again = await get('/docs', { 'if-none-match': plain.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    '/docs',
    '/docs/',
    '/docs/errors/return_not_found',
    '/docs/operations/approve',
    '/docs/events/return.approved',
  ])('has a page at %s', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it.each(['/docs/errors/nope', '/docs/secrets/client', '/docs/errors', '/docs//', '/docs/errors/return_not_found/x'])(
    'has no page at %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );
});
