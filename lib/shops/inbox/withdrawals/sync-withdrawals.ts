import type { Call } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { ok } from '../../../runtime/result.ts';
import type { OrderFacts, RemoteWithdrawal } from '../../platforms/platform.ts';
import type { InboxBackend } from '../../../contract/inbox/sync.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { done, type Outcome, outcomeOfFailure } from '../outcome.ts';

/*
 * Stores the declarations of withdrawal that a platform reports. The platform's id of a declaration makes it one
 * withdrawal, however often and in whatever order deliveries report it.
 */

/** A stored declaration, and the units that it means if they are known. */
export type StoredDeclaration = {
  readonly withdrawalId: string;
  /** The version of a withdrawal that has not changed since its declaration. */
  readonly version: number;
  readonly covers: RemoteWithdrawal['covers'];
};

/** Stores a declaration, or finds the stored one. It needs no order, so it precedes the facts of the order. */
export const storeDeclaration = async (
  backend: InboxBackend,
  { declaration, covers }: RemoteWithdrawal,
  call: Call,
): Promise<Result<StoredDeclaration>> => {
  const declared = await backend.declareWithdrawal(declaration, {
    ...call,
    idempotencyKey: idempotencyKeyOf(call, declaration),
  });
  if (!declared.ok) return declared;
  const { withdrawalId, version } = declared.value.body;
  return ok({ withdrawalId, version, covers });
};

/** Staff has changed the withdrawal meanwhile, or an earlier delivery has matched it. */
const changedCodes: ReadonlySet<Failure['code']> = new Set(['version_mismatch', 'invalid_transition']);

/**
 * Matches a declaration to the order at which the platform recorded it. Where the units are unknown, staff matches it.
 * What staff has decided stays.
 */
export const matchDeclaration = async (
  backend: InboxBackend,
  { withdrawalId, version, covers }: StoredDeclaration,
  { platform, orderId }: Pick<OrderFacts, 'platform' | 'orderId'>,
  call: Call,
): Promise<Outcome> => {
  if (covers === undefined) return done;
  const lines = covers === 'whole_order' ? {} : { lines: [...covers] };
  const match = { withdrawalId, order: { platform, orderId }, ...lines };
  const own = { ...call, ifMatch: version, idempotencyKey: idempotencyKeyOf(call, match) };
  const matched = await backend.matchWithdrawal(match, own);
  return matched.ok || changedCodes.has(matched.failure.code) ? done : outcomeOfFailure(matched.failure);
};
