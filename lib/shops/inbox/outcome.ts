import type { ErrorCode } from '../../contract/errors.ts';
import type { Failure, Result } from '../../contract/result.ts';
import type { ShopFailure } from '../platforms/platform.ts';
import type { Settlement } from '../../store/inbox/inbox.ts';

/** The outcome of an attempt at a delivery, or at a part of it: settled, or to be retried. */
export type Outcome =
  | Settlement
  | { readonly status: 'retry'; readonly reason: string; readonly order?: Settlement['order'] };

export const done: Outcome = { status: 'done' };

/** Failures of the service, not of the delivery. The same commands may succeed later. */
const transientCodes: ReadonlySet<ErrorCode> = new Set([
  'dependency_unavailable',
  'timeout',
  'rate_limited',
  'internal_error',
  'idempotency_key_in_progress',
  // An operator must fix the credentials or scopes. Otherwise every delivery would be parked meanwhile.
  'invalid_token',
  'insufficient_scope',
  // Other writers change the return again and again.
  'version_mismatch',
]);

/** Returns the outcome of a failed operation. */
export const outcomeOfFailure = ({ code, errors }: Failure): Outcome => {
  if (transientCodes.has(code)) return { status: 'retry', reason: code };
  const [first] = errors ?? [];
  // The text may come from another system, so only a pointer and a code are stored.
  const pointer =
    first !== undefined && /^[\w:/.~-]{0,200} [a-z_]{1,40}$/.test(`${first.path} ${first.code}`)
      ? ` at ${first.path}: ${first.code}`
      : '';
  return { status: 'parked', reason: `${code}${pointer}` };
};

/** Returns the outcome of an operation whose reply does not matter. */
export const outcomeOf = (result: Result<unknown>): Outcome => (result.ok ? done : outcomeOfFailure(result.failure));

/** Returns the outcome of a call of a shop without a usable response. */
export const outcomeOfShopFailure = ({ kind, reason }: ShopFailure): Outcome => ({
  status: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});

/**
 * Returns the outcome of two parts of a delivery. A part that must be retried decides. Otherwise the first part that is
 * not done does, or the first return.
 */
const combine = (first: Outcome, second: Outcome): Outcome => {
  if (second.status === 'retry') return second;
  if (first.status !== 'done') return first;
  return second.status === 'done' && first.returnId !== undefined ? first : second;
};

/** Runs parts of a delivery in their order, and returns their outcome. It ends at a part that must be retried. */
export const runInOrder = async (parts: Iterable<() => Promise<Outcome>>): Promise<Outcome> => {
  let outcome: Outcome = done;
  for (const part of parts) {
    outcome = combine(outcome, await part());
    if (outcome.status === 'retry') break;
  }
  return outcome;
};
