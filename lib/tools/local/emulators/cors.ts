import type { IncomingHttpHeaders } from 'node:http';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import type { S3Error } from './presigned.ts';

/** A rule of a bucket. https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
type CorsRule = {
  readonly AllowedOrigins: readonly string[];
  readonly AllowedMethods: readonly string[];
  readonly AllowedHeaders?: readonly string[];
  readonly MaxAge?: number;
};

/** The rules by the name of the bucket. */
export type CorsRules = ReadonlyMap<string, readonly CorsRule[]>;

/** Returns the rules of the buckets of a template. */
export const corsRules = (buckets: readonly Deployed[]): CorsRules =>
  new Map(
    buckets.map(({ local, properties }) => {
      const { CorsRules = [] } = (properties['CorsConfiguration'] ?? {}) as { readonly CorsRules?: CorsRule[] };
      return [local.ref, CorsRules];
    }),
  );

const listOf = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]));

type Asked = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders };

/** Whether a request is the preflight of a browser. */
export const isPreflight = ({ method, headers }: Asked): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** The answer to a request of a browser that no rule permits. */
export const corsForbidden: S3Error = {
  status: 403,
  code: 'AccessForbidden',
  message: 'CORSResponse: This CORS request is not allowed.',
};

/** Returns the headers by the first rule that permits a request of a browser; undefined when none does. */
export const corsHeaders = (rules: CorsRules, asked: Asked): Readonly<Record<string, string>> | undefined => {
  const { origin = '' } = asked.headers;
  const wanted = isPreflight(asked) ? String(asked.headers['access-control-request-method']) : asked.method;
  const sent = isPreflight(asked) ? listOf(asked.headers['access-control-request-headers']) : [];
  const bucket = asked.url.split('/')[1] ?? '';
  const rule = rules
    .get(bucket)
    ?.find(
      ({ AllowedOrigins, AllowedMethods, AllowedHeaders = [] }) =>
        AllowedOrigins.some((allowed) => allowed === '*' || allowed === origin) &&
        AllowedMethods.includes(wanted) &&
        sent.every((name) => AllowedHeaders.some((allowed) => allowed.toLowerCase() === name)),
    );
  if (origin === '' || rule === undefined) return undefined;
  const isAny = rule.AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': isAny ? '*' : origin,
    'access-control-allow-methods': rule.AllowedMethods.join(', '),
    ...(sent.length > 0 && { 'access-control-allow-headers': sent.join(', ') }),
    ...(rule.MaxAge !== undefined && { 'access-control-max-age': String(rule.MaxAge) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
};
