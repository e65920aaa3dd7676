import { parseObject } from '../../runtime/json.ts';
import { ok, type Result } from '../../contract/result.ts';
import { askShop, forbidden, refused, type Question, type Refused, type Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { findAccess, type Access } from './access.ts';

/** What a query answered. `denied`: the token may not read some of it, and those fields are null. */
export type Answer<Data> = { readonly data: Data; readonly denied: boolean };

type GraphqlError = { readonly extensions?: { readonly exception?: { readonly code?: string } } };
type Reply = { readonly data?: unknown; readonly errors?: readonly GraphqlError[] };

/** What somebody has to mend: the token is of no use any more, or may not read this. */
const denials: ReadonlySet<string> = new Set([
  'PermissionDenied',
  'InvalidTokenError',
  'InvalidSignatureError',
  'ExpiredSignatureError',
  'DecodeError',
]);

/** What no repetition mends: Saleor does not understand the question, or finds it too dear. */
const refusals: ReadonlySet<string> = new Set(['GraphQLError', 'ValidationError', 'QueryCostError']);

/**
 * Reads a 200: GraphQL tells its errors in the body, Saleor by the name of its exception. One that is neither a denial
 * nor a refusal is a trouble of its own.
 * https://docs.saleor.io/api-usage/error-handling
 */
const readReply = <Data>(body: string): Result<Answer<Data>, Refused> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return refused('retryable', 'shop_reply_unreadable');
  const errors = Array.isArray(reply.errors) ? (reply.errors as readonly (GraphqlError | null)[]) : [];
  const codes = errors.map((error) => error?.extensions?.exception?.code ?? 'unknown');
  const refusal = codes.find((code) => refusals.has(code));
  if (refusal !== undefined) return refused('permanent', `shop_refused_query:${refusal}`);
  if (codes.some((code) => !denials.has(code))) return refused('retryable', 'shop_error');
  const denied = codes.length > 0;
  if (typeof reply.data !== 'object' || reply.data === null)
    return denied ? forbidden('shop_denied_access') : refused('retryable', 'shop_reply_unreadable');
  return ok({ data: reply.data as Data, denied });
};

const questionOf = ({ endpoint, accessToken }: Access, query: string, variables: object): Question => ({
  method: 'POST',
  url: endpoint,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
  },
  body: JSON.stringify({ query, variables }),
});

/**
 * Asks a Saleor's GraphQL API, by the token of an app. Saleor answers 400 to a query with a field that it does not have.
 * https://docs.saleor.io/api-usage/overview
 */
export const ask = async <Data>(
  shop: Shop,
  query: string,
  variables: object,
): Promise<Result<Answer<Data>, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    (access) => questionOf(access, query, variables),
    ({ body }) => readReply<Data>(body.toString()),
  );
