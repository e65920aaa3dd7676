import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../../../runtime/hash.ts';

/*
 * The checks of S3 for a request with its signature in the query, AWS Signature Version 4.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

/** An error in the format of S3. */
export type S3Error = { readonly status: number; readonly code: string; readonly message: string };

export type SignedRequest = {
  readonly method: string;
  /** The path and the query of the request, unchanged. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
};

const algorithm = 'AWS4-HMAC-SHA256';
/** The maximum of an expiry: a week. */
const maxSeconds = 604_800;

const accessDeniedError = (message: string): S3Error => ({ status: 403, code: 'AccessDenied', message });
const malformed = (message: string): S3Error => ({
  status: 400,
  code: 'AuthorizationQueryParametersError',
  message,
});
const mismatch: S3Error = {
  status: 403,
  code: 'SignatureDoesNotMatch',
  message:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
};

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Encodes by RFC 3986, which leaves fewer characters unencoded than `encodeURIComponent`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const headerText = (value: string | string[] | undefined): string =>
  [value ?? ''].flat().join(',').trim().replaceAll(/ +/g, ' ');

const canonicalRequest = ({ method, url, headers }: SignedRequest, names: readonly string[]): string => {
  const { pathname, searchParams } = new URL(url, 'http://unused');
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted();
  const lines = names.map((name) => `${name}:${headerText(headers[name])}\n`).join('');
  return [method, pathname, query.join('&'), lines, names.join(';'), 'UNSIGNED-PAYLOAD'].join('\n');
};

/** Returns the epoch seconds of `20261121T080000Z`. */
const secondsOf = (basic: string): number => {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(basic) ?? [];
  const [year = Number.NaN, month = 0, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest) / 1000;
};

/**
 * Returns the access key that signed a request, or the error of S3.
 *
 * @param secretOf returns the secret of an access key, undefined for an unknown key
 * @param now epoch milliseconds
 */
export const signerOf = (
  request: SignedRequest,
  secretOf: (accessKey: string) => string | undefined,
  now: number,
): { readonly accessKey: string } | S3Error => {
  const query = new URL(request.url, 'http://unused').searchParams;
  const parameter = (name: string): string => query.get(`X-Amz-${name}`) ?? '';
  if (!query.has('X-Amz-Signature')) return accessDeniedError('Access Denied');
  if (parameter('Algorithm') !== algorithm) return malformed(`X-Amz-Algorithm only supports "${algorithm}"`);
  const [accessKey = '', ...scope] = parameter('Credential').split('/');
  const [date = '', region = '', service = '', end = ''] = scope;
  const from = secondsOf(parameter('Date'));
  const seconds = Number(parameter('Expires'));
  const isScoped =
    scope.length === 4 && parameter('Date').startsWith(date) && service === 's3' && end === 'aws4_request';
  if (!isScoped || Number.isNaN(from)) return malformed('Error parsing the X-Amz-Credential or X-Amz-Date parameter');
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > maxSeconds)
    return malformed('X-Amz-Expires must be between 0 and 604800 seconds');
  const secret = secretOf(accessKey);
  if (secret === undefined) {
    const message = 'The AWS Access Key Id you provided does not exist in our records.';
    return { status: 403, code: 'InvalidAccessKeyId', message };
  }
  if (now / 1000 > from + seconds) return accessDeniedError('Request has expired');
  const names = parameter('SignedHeaders').split(';');
  if (!names.includes('host'))
    return accessDeniedError('There were headers present in the request which were not signed');
  const hashed = sha256(canonicalRequest(request, names), 'hex');
  const text = [algorithm, parameter('Date'), scope.join('/'), hashed].join('\n');
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const expected = hmac(key, text);
  const presented = Buffer.from(parameter('Signature'), 'hex');
  const isRight = presented.length === expected.length && timingSafeEqual(presented, expected);
  return isRight ? { accessKey } : mismatch;
};
