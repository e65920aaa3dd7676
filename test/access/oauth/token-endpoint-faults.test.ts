import { describe, expect, it } from 'vitest';
import { startServer, type Answer } from '../../support/http-server.ts';
import { brokenAnswers, compressed, floods, oldFashioned, redirects } from '../../support/wire-faults.ts';
import { clientSecret as secret, marker } from './harness.ts';
import { states, type Fault } from './three-states.ts';
import { down, dripping, hanging, passing, rejectedSecret, rejected, strange } from './token-endpoint-fault.ts';
import { startWorld } from './world.ts';
import { sample } from '../../support/samples.ts';

const issued = `issued-${marker}`;
const issue = { access_token: issued, token_type: 'Bearer', expires_in: 3600 };
const good = JSON.stringify(issue);
const html = { 'content-type': 'text/html' };

const table = (faults: Readonly<Record<string, Fault>>) =>
  describe.each(sample(Object.entries(faults), 10))('fault: %s', (_, fault) => {
    it.each(states)('recovers %s', async (_state, run, course) => {
      expect(await run(fault)).toEqual(course(fault));
    });
  });
const bodies: Readonly<Record<string, Partial<Extract<Answer, { status: number }>>>> = {
  'without a body': {},
  'with JSON': { body: JSON.stringify({ error: 'not_now', error_description: secret }) },
  'with HTML': { headers: html, body: `<html><p>${secret}</p></html>` },
};
const perBody = (status: number, fault: (answer: Answer) => Fault) =>
  Object.entries(bodies).map(([how, more]) => [`${status} ${how}`, fault({ status, ...more })] as const);

describe('temporary status', () => {
  table(
    Object.fromEntries(
      [408, 429, 500, 502, 503, 504].flatMap((status) =>
        perBody(status, (answer) => passing(`status_${status}`, answer)),
      ),
    ),
  );
});

describe('permanent status', () => {
  table(
    Object.fromEntries([
      ...[400, 403].flatMap((status) =>
        ['without a body', 'with JSON'].map(
          (how) => [`${status} ${how}`, rejectedSecret({ status, ...bodies[how] }, 'unknown_error')] as const,
        ),
      ),
      ...[201, 409].flatMap((status) =>
        perBody(status, (answer) => strange(`status_${status}`, answer, { retryAfter: '60' })),
      ),
      // The address may have been corrected: the secret is read again.
      ...[404, 405, 410].flatMap((status) =>
        perBody(status, (answer) => strange(`status_${status}`, answer, { retryAfter: '60', reads: 2 })),
      ),
    ]),
  );
});

const saying = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

describe('outage in the words of another', () => {
  const outages = ['temporarily_unavailable', 'server_error', 'slow_down'];
  table(
    Object.fromEntries([
      ...[400, 403].flatMap((status) => [
        [`${status} with HTML`, passing(`status_${status}`, { status, ...bodies['with HTML'] })] as const,
        [
          `${status} with text`,
          passing(`status_${status}`, { status, body: `RBAC: access denied ${secret}` }),
        ] as const,
      ]),
      ...[200, 400, 401, 403].flatMap((status) =>
        outages.map((error) => [`${status} ${error}`, passing(error, saying(status, { error }))] as const),
      ),
    ]),
  );
});

describe('rejection', () => {
  table({
    '400 invalid_client': rejectedSecret(saying(400, { error: 'invalid_client', error_description: secret })),
    '401 invalid_client': rejectedSecret(saying(401, { error: 'invalid_client', error_description: secret })),
    '401 without a body': rejectedSecret({ status: 401 }),
    '401 with HTML': rejectedSecret({ status: 401, headers: html, body: `<html>${secret}` }),
    '400 invalid_grant': rejectedSecret(saying(400, { error: 'invalid_grant' }), 'invalid_grant'),
    '400 invalid_scope': rejected('invalid_scope', saying(400, { error: 'invalid_scope' })),
    '400 unauthorized_client': rejectedSecret(saying(400, { error: 'unauthorized_client' }), 'unauthorized_client'),
    '200 with an error': rejected('invalid_request', saying(200, { ...issue, error: 'invalid_request' })),
    'the secret as error': rejectedSecret(saying(400, { error: secret }), 'unknown_error'),
    'the secret in every place': rejectedSecret(
      {
        status: 400,
        headers: { 'www-authenticate': `Bearer error="${secret}"`, 'x-echo': secret, 'retry-after': marker },
        body: JSON.stringify({ error: secret, error_description: secret, error_uri: `https://x/?${secret}` }),
      },
      'unknown_error',
    ),
  });
});

describe('Retry-After', () => {
  const saying = (value: string): Answer => ({ status: 429, headers: { 'retry-after': value } });
  const respected = (value: string, retryAfter: string) =>
    passing('status_429', saying(value), { posts: 1, retryAfter });
  const ignored = (value: string) => passing('status_429', saying(value));
  table({
    'in seconds': respected('20', '20'),
    'with decimals': respected('1.5', '2'),
    // The virtual clock starts at 08:00. An ageing token is 48 min old.
    'as a date that has passed': respected('Sat, 21 Nov 2026 07:00:00 GMT', '1'),
    'of a day': respected('86400', '300'),
    'of thirty years': respected('999999999', '300'),
    'as a date of another century': respected('Sat, 21 Nov 2099 07:00:00 GMT', '300'),
    'of more digits than a number has': ignored('9'.repeat(30)),
    'that is negative': ignored('-5'),
    'that is a word': ignored('soon'),
    'that is empty': ignored(''),
    'that comes twice': ignored('5, 7'),
  });

  it('is read as a date', async () => {
    await using world = await startWorld();
    world.idp.always = saying('Sat, 21 Nov 2026 08:00:40 GMT');
    expect(await world.call()).toMatchObject({ retryAfter: '40', reason: 'IdpUnavailable status_429' });
    expect(world.posts()).toBe(1);
  });
});

describe('incomplete response', () => {
  const codes: Readonly<Record<string, string>> = {
    'a reset before the headers': 'ECONNRESET',
    'a reset amid the body': 'ECONNRESET',
    'a status line that is none': 'reset',
    'a chunk size that is none': 'reset',
    'two Content-Lengths that differ': 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'white space after Content-Length': 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'headers of 100 KB': 'UND_ERR_HEADERS_OVERFLOW',
  };
  table(
    Object.fromEntries(
      Object.entries(brokenAnswers(good)).map(([name, answer]) => [
        name,
        passing(codes[name] ?? 'UND_ERR_SOCKET', answer),
      ]),
    ),
  );
});

describe('missing response', () => {
  table({
    'a token endpoint that hangs': hanging,
    'one that begins well and drips': dripping(),
    'one that is not there': down,
  });
});

describe('200 without a token', () => {
  const saying = (reason: string, body: string | Buffer, headers = {}) =>
    strange(reason, { status: 200, headers, body });
  const but = (fields: object) => JSON.stringify({ ...issue, ...fields });
  table({
    'no body': saying('not_json', ''),
    HTML: saying('not_json', `<html>${secret}`, html),
    'an array': saying('not_json', `[${good}]`),
    'half an object': saying('not_json', good.slice(0, -1)),
    'nesting without an end': saying('not_json', '['.repeat(60_000)),
    'UTF-16': saying('not_json', Buffer.from(good, 'utf16le')),
    gzip: strange('not_json', compressed(good)),
    '65 KiB': saying('too_large', good.padEnd(65 * 1024)),
    'no access_token': saying('access_token', but({ access_token: undefined })),
    'a token that is no UTF-8': saying('access_token', Buffer.from(but({ access_token: 'a\u00ffb' }), 'latin1')),
    'a token with a line break': saying('access_token', but({ access_token: `a\r\nx-y: ${secret}` })),
    'a token of 17 KiB': saying('access_token', but({ access_token: 'x'.repeat(17 * 1024) })),
    'a token of another type': saying('token_type', but({ token_type: 'DPoP' })),
    'a scope that lacks what was asked for': saying('scope', but({ scope: 'returns:reader' })),
    'a token named twice, the second time badly': saying('access_token', `${good.slice(0, -1)},"access_token":""}`),
  });
});

describe('response of 150 MB', () => {
  table(Object.fromEntries(Object.entries(floods).map(([name, flood]) => [name, strange('too_large', flood)])));

  it.each(sample(Object.entries(floods), 2))('is not read to its end: %s', async (_, flood) => {
    await using world = await startWorld();
    world.idp.always = flood;
    await world.call();
    await world.idp.server.closed(1);
    // The limit covers the socket buffers of both sides. The client itself reads 64 KiB.
    expect(world.idp.server.sent()).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('redirect', () => {
  it('is not followed, and does not forward the secret', async () => {
    await using elsewhere = await startServer(() => ({ status: 200, body: good }));
    for (const answer of sample(redirects(elsewhere.origin), 3)) {
      const fault = strange(`status_${answer.status}`, answer, { retryAfter: '60', reads: 2 });
      for (const [, run, course] of states) expect(await run(fault)).toEqual(course(fault));
    }
    expect(elsewhere.connections()).toBe(0);
  });
});

describe('unusual but valid response', () => {
  it.each<[string, Answer]>([
    ['HTTP/1.0', oldFashioned(good)],
    ['another content type', { status: 200, headers: html, body: good }],
    ['a byte order mark', { status: 200, body: `\ufeff${good}` }],
    ['a token named twice', { status: 200, body: `{"access_token":"other-${marker}",${good.slice(1)}` }],
    [
      'deep nesting in another field',
      { status: 200, body: `${good.slice(0, -1)},"more":${'['.repeat(9_000)}${']'.repeat(9_000)}}` },
    ],
    [
      'invalid UTF-8 in another field',
      { status: 200, body: Buffer.from(`${good.slice(0, -1)},"more":"\u00ff"}`, 'latin1') },
    ],
    ['a prototype in another field', { status: 200, body: `${good.slice(0, -1)},"__proto__":{"error":"x"}}` }],
    ['surrounding white space', { status: 200, body: `\r\n\t ${good}\n` }],
    ['an error that is null', { status: 200, body: JSON.stringify({ ...issue, error: null }) }],
  ])('is accepted: %s', async (_, answer) => {
    await using world = await startWorld();
    world.idp.always = answer;
    expect(await world.call()).toEqual({ status: 200 });
    expect([world.shown(), world.posts(), world.secrets.reads()]).toEqual([[issued], 1, 1]);
  });
});
