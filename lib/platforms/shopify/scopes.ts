import { ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import type { ShopFailure } from '../platform.ts';
import { ask } from './api.ts';

/**
 * What the token must be allowed to read. Orders older than 60 days need `read_all_orders` besides, which Shopify grants
 * on request: without it they are not found.
 * https://shopify.dev/docs/api/usage/access-scopes
 */
const neededScopes = ['read_orders', 'read_returns', 'read_customers', 'read_products'] as const;

const scopesQuery = 'query Scopes { currentAppInstallation { accessScopes { handle } } }';

type Scopes = { readonly currentAppInstallation: { readonly accessScopes: readonly { readonly handle: string }[] } };

/** The scopes that the token of a shop lacks. Whoever may write may read. */
export const missingScopes = async (shop: Shop): Promise<Result<readonly string[], ShopFailure>> => {
  const answer = await ask<Scopes>(shop, scopesQuery, {});
  if (!answer.ok) return answer;
  const granted = new Set(answer.value.data.currentAppInstallation.accessScopes.map(({ handle }) => handle));
  return ok(neededScopes.filter((scope) => !granted.has(scope) && !granted.has(scope.replace(/^read_/, 'write_'))));
};
