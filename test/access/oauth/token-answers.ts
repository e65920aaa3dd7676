import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isObject, parseJson } from '../../../lib/runtime/json.ts';
import type { Answer } from '../../support/http-server.ts';
import { requestedScopes, type Facts } from './differences.ts';

export type TokenAnswer = Extract<Answer, { status: number }> & { readonly facts: Facts };

const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,40}={0,2}$/);
const oddity = fc.constantFrom<unknown>(null, '', 7, true, [], {}, ['Bearer']);
const mostly = <Value>(usual: fc.Arbitrary<Value>, ...others: readonly fc.Arbitrary<unknown>[]) =>
  fc.oneof({ weight: 8, arbitrary: usual }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** The fields of a response, mostly valid. Undefined fields are left out. */
const fields = fc.record({
  access_token: mostly(token, fc.string(), oddity, fc.constantFrom('a b', 'a\r\nb', 'a=b', 'é', 'x'.repeat(16_385))),
  token_type: mostly(fc.constantFrom('Bearer', 'bearer', 'BEARER'), oddity, fc.constantFrom('DPoP', 'mac', 'Bearer ')),
  expires_in: mostly(
    fc.constantFrom<unknown>(3600, '3600', 60, undefined, 0.5),
    oddity,
    fc.double(),
    fc.constantFrom<unknown>(
      -1,
      0,
      '0',
      'abc',
      '3600abc',
      ' 3600',
      '1e3',
      '-5',
      86_401,
      1e308,
      '9'.repeat(400),
      [3600],
    ),
  ),
  scope: mostly(
    fc.constantFrom(
      undefined,
      requestedScopes.join(' '),
      requestedScopes.toReversed().join(' '),
      `${requestedScopes.join(' ')} more`,
    ),
    oddity,
    fc.constantFrom('returns:read', requestedScopes.join(','), requestedScopes.join('  '), 'returns:readreturns:write'),
  ),
  error: mostly(fc.constant(undefined), fc.constantFrom<unknown>(null, 'invalid_client', '', 7)),
  refresh_token: mostly(fc.constant(undefined), fc.constant('r'), oddity),
  id_token: mostly(fc.constant(undefined), fc.constantFrom<unknown>('x', null, '')),
});

const plain = (text: string) => Buffer.from(text);
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The encodings of the text of a response. */
const encoding = mostly(
  fc.constant(plain),
  fc.constantFrom(
    (text: string) => Buffer.concat([mark, plain(text)]),
    (text: string) => plain(text.padEnd(65 * 1024)),
    (text: string) => plain(` \r\n\t${text}\n`),
    (text: string) => plain(`[${text}]`),
    (text: string) => plain(text.slice(0, -1)),
    (text: string) => plain(`{"access_token":"first","scope":7,${text.slice(1)}`),
    (text: string) => plain(text.replace('{', '{"__proto__":{"error":"x"},')),
    (text: string) => Buffer.from(text, 'utf16le'),
    () => plain(''),
    () => plain('<html>'),
  ),
  fc.tuple(fc.nat(), fc.nat(255)).map(([position, byte]) => (text: string) => {
    const bytes = plain(text);
    return bytes.fill(byte, position % bytes.length, (position % bytes.length) + 1);
  }),
) as fc.Arbitrary<(text: string) => Buffer>;

const contentType = mostly(
  fc.constant('application/json'),
  fc.constantFrom('application/json; charset=utf-8', 'APPLICATION/JSON', 'text/html', 'application/problem+json', 'x'),
) as fc.Arbitrary<string>;

const status = mostly(
  fc.constant(200),
  fc.constantFrom(201, 204, 302, 400, 401, 403, 404, 429, 500, 503),
) as fc.Arbitrary<number>;

/** Returns a response with the properties that decide about it. */
export const tokenAnswer = (answerParts: {
  readonly status: number;
  readonly type: string;
  readonly compressed: boolean;
  readonly body: Buffer;
}): TokenAnswer => {
  const { status: code, type, compressed, body } = answerParts;
  const said = parseJson(new TextDecoder().decode(body));
  return {
    status: code,
    headers: { 'content-type': type, ...(compressed ? { 'content-encoding': 'gzip' } : {}) },
    body: code === 204 ? '' : compressed ? gzipSync(body) : body,
    facts: {
      status: code,
      bytes: compressed ? 0 : body.length,
      compressed,
      fields: isObject(said) ? said : {},
    },
  };
};

/** Generates valid responses, most of them with a few changes. */
export const tokenAnswers: fc.Arbitrary<TokenAnswer> = fc
  .record({ status, type: contentType, compressed: mostly(fc.constant(false), fc.constant(true)), fields, encoding })
  .map(({ encoding: encode, fields: said, compressed, ...rest }) =>
    tokenAnswer({ ...rest, compressed: compressed === true, body: encode(JSON.stringify(said)) }),
  );
