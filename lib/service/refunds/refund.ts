import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { sha256Of } from '../../returns/history/canonical-json.ts';
import { refundReturn } from '../../returns/commands/money/refund-return.ts';
import type { RefundRequest } from '../../returns/model/refund.ts';
import type { Return } from '../../returns/model/return.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { command } from '../../execution/command.ts';
import { fingerprint } from '../../execution/execute.ts';
import { keyReused } from '../../execution/failures.ts';

/** What a refund keeps of the request that booked it; nothing of a trial. */
const requestOf = (
  input: Input<'refund'>,
  { caller, idempotencyKey, dryRun }: Call,
): { readonly request?: RefundRequest } => {
  if (idempotencyKey === undefined || dryRun) return {};
  const keyHash = sha256Of([caller.clientId, idempotencyKey]);
  const asked = fingerprint('refund', input, caller.onBehalfOf);
  // The history stores it for good. No one stores the idempotency key, so the digest reveals no name.
  return { request: { keyHash, fingerprint: sha256Of([idempotencyKey, asked]) } };
};

const known = ({ refunds }: Return, asked: RefundRequest | undefined): Result<null> | undefined => {
  const earlier = refunds.find(({ request }) => request !== undefined && request.keyHash === asked?.keyHash);
  if (earlier === undefined) return undefined;
  return earlier.request?.fingerprint === asked?.fingerprint ? ok(null) : fail(keyReused);
};

/** Books a refund of a return, once for each key, however late it comes again. */
export const refund = async (input: Input<'refund'>, call: Call): Promise<Result<Reply<Output<'refund'>>>> => {
  const ids = { id: `rfd_${ulid()}`, ...requestOf(input, call) };
  return command('refund', input, call, (situation) => refundReturn(situation, input, ids), {
    repeated: (state) => known(state, ids.request),
  });
};
