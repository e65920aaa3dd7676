import { fail, ok, type Result } from '../../../contract/result.ts';
import type { ShopFailure } from '../../platform.ts';
import { permanentFailure } from './shop-failure.ts';
import type { FindOptions } from './sources.ts';
import { perContainer } from '../../../runtime/container.ts';

/** Reads the entry of one source; undefined for a source that the cached secret does not have. */
type Find<Access> = (source: string, options: FindOptions) => Promise<Access | undefined>;

/** The minimum interval between reads of a platform's secret for unknown sources. */
const intervalMs = 60_000;
const rereads = perContainer(() => new WeakMap<Find<unknown>, number>());

/**
 * Returns the entry of a shop that a verified delivery or a reconciliation names.
 * The cached secret may be 18 minutes old and the shop new. So the secret is read again before the source counts as
 * unknown. Within a minute of that read, the caller must retry later.
 */
export const findShop = async <Access>(
  find: Find<Access>,
  source: string,
  fresh = false,
): Promise<Result<Access, ShopFailure>> => {
  const known = await find(source, { fresh });
  if (known !== undefined) return ok(known);
  const now = Date.now();
  const rereadAt = rereads();
  if (!fresh && now - (rereadAt.get(find) ?? -Infinity) < intervalMs)
    return fail({ kind: 'retryable', reason: 'unknown_source' });
  rereadAt.set(find, now);
  const found = fresh ? undefined : await find(source, { fresh: true });
  return found === undefined ? permanentFailure('unknown_source') : ok(found);
};
