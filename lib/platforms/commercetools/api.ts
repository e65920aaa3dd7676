import { fail, ok, type Result } from '../../contract/result.ts';
import { AccessError } from '../../oauth/access-error.ts';
import type { AccessToken } from '../../oauth/lifetime.ts';
import type { ShopFailure } from '../platform.ts';
import { callWithRetry, readJson, type Shop } from '../shared/http/api.ts';
import { findShop } from '../shared/http/find-shop.ts';
import { type ApiCredentials, findApiCredentials } from './credentials.ts';
import { tokenOf } from './token.ts';

type Grant = { readonly project: ApiCredentials; readonly token: AccessToken };

/** Returns a token. If it is rejected, the credentials are read again, because they may have been rotated. */
const grantOf = async (
  { source, deadline }: Shop,
  fresh: boolean,
  refused: AccessToken | undefined,
): Promise<Result<Grant, ShopFailure>> => {
  const found = await findShop(findApiCredentials, source, fresh);
  if (!found.ok) return found;
  const project = found.value;
  try {
    return ok({ project, token: await tokenOf(source, project, deadline, fresh ? refused : undefined) });
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    if (error.kind === 'ClientRejected' && !fresh) return grantOf({ source, deadline }, true, undefined);
    return fail({ kind: 'retryable', reason: `shop_token:${error.kind}` });
  }
};

/**
 * Reads from a project's HTTP API.
 * https://docs.commercetools.com/api/general-concepts
 *
 * @param path the path below the project, with URL-safe segments
 */
export const callApi = async (
  { source, deadline }: Shop,
  path: string,
  query: readonly (readonly [name: string, value: string])[],
): Promise<Result<unknown, ShopFailure>> => {
  const parameters = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  let token: AccessToken | undefined;
  return callWithRetry(
    async (fresh) => {
      const grant = await grantOf({ source, deadline }, fresh, token);
      if (!grant.ok) return grant;
      ({ token } = grant.value);
      return ok({
        method: 'GET',
        url: `${grant.value.project.apiUrl}/${source}/${path}?${parameters.toString()}`,
        headers: { authorization: `Bearer ${token.token.reveal()}`, accept: 'application/json' },
      });
    },
    readJson,
    deadline,
  );
};
