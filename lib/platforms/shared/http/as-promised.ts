import type { Result } from '../../../contract/result.ts';
import { log } from '../../../runtime/log.ts';
import type { ShopFailure } from '../../platform.ts';
import { permanent } from './shop-failure.ts';

/**
 * Reads an answer in the shape that the platform's API promises. Where it has another, the part that it is of cannot be
 * read: that is named, since another attempt would meet the same answer.
 *
 * @param reason what cannot be read then
 */
export const asPromised = <Value>(
  reason: string,
  read: () => Result<Value, ShopFailure>,
): Result<Value, ShopFailure> => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    log('error', 'answer of a shop unexpected', { reason });
    return permanent(reason);
  }
};
