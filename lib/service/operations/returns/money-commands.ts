import type { Input } from '../../../contract/contract.ts';
import { type Call, callerParts } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { commandOnReturn } from '../../execution/command.ts';
import { fingerprint } from '../../execution/execute.ts';
import { latestObservationAt } from '../../execution/observation.ts';
import { keyReused } from '../../execution/failures.ts';
import {
  exchange as decideExchange,
  exchangeResult as decideExchangeResult,
} from '../../../domain/returns/commands/money/exchange.ts';
import {
  recordRecovery as decideRecovery,
  waiveFee as decideWaiver,
  writeOffRecovery as decideWriteOff,
} from '../../../domain/returns/commands/money/recoveries-and-fees.ts';
import {
  recordRefundResult as decideRefundResult,
  remindRefund as decideReminder,
} from '../../../domain/returns/commands/money/record-refund-result.ts';
import { compensate as decideCompensation } from '../../../domain/returns/commands/money/compensate.ts';
import { receiveAndRefund as decideVisit } from '../../../domain/returns/commands/money/receive-and-refund.ts';
import { refundReturn } from '../../../domain/returns/commands/money/refund-return.ts';
import { sha256Of } from '../../../domain/returns/history/canonical-json.ts';
import type { RefundRequest } from '../../../domain/returns/model/refund.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import { writeOrigin } from '../../../store/orders/orders.ts';

/* The commands on the money of a return. Each constant is one operation; a bundle holds only the one it serves. */

/** Returns what a refund stores of the request that booked it; nothing for a dry run. */
const requestOf = <Name extends 'refund' | 'compensate' | 'receiveAndRefund'>(
  name: Name,
  input: Input<Name>,
  { caller, idempotencyKey, dryRun }: Call,
): { readonly request?: RefundRequest } => {
  if (idempotencyKey === undefined || dryRun) return {};
  const keyHash = sha256Of([...callerParts(caller), idempotencyKey]);
  const requestFingerprint = fingerprint(name, input, caller.onBehalfOf);
  // The history stores it permanently. The idempotency key is not stored, so the digest reveals no name.
  return { request: { keyHash, fingerprint: sha256Of([idempotencyKey, requestFingerprint]) } };
};

const repeatedRefund = ({ refunds }: Return, requested: RefundRequest | undefined): Result<null> | undefined => {
  const earlier = refunds.find(({ request }) => request !== undefined && request.keyHash === requested?.keyHash);
  if (earlier === undefined) return undefined;
  return earlier.request?.fingerprint === requested?.fingerprint ? ok(null) : fail(keyReused);
};

/** Writes the time of a result in milliseconds, as all instants of a return are. */
const withStoredTime = <Timed extends { readonly occurredAt?: string }>({ occurredAt, ...reported }: Timed) => ({
  ...reported,
  ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt).toISOString() }),
});

/** Books a refund, once for each key, however late the key is used again. */
export const refund = /* @__PURE__ */ commandOnReturn('refund', (input, call) => {
  const ids = { id: `rfd_${newUlid()}`, ...requestOf('refund', input, call) };
  const { result, ...order } = input;
  const command = { ...order, ...(result === undefined ? {} : { result: withStoredTime(result) }) };
  return {
    decide: (situation) => refundReturn(situation, command, ids, latestObservationAt(new Date(situation.now))),
    repeated: (state) => repeatedRefund(state, ids.request),
  };
});

/** Receives and accepts units and books their refund, once for each key, however late the key is used again. */
export const receiveAndRefund = /* @__PURE__ */ commandOnReturn('receiveAndRefund', (input, call) => {
  const refund = { id: `rfd_${newUlid()}`, ...requestOf('receiveAndRefund', input, call) };
  const { result, ...goods } = input;
  const command = { ...goods, ...(result === undefined ? {} : { result: withStoredTime(result) }) };
  return {
    decide: (situation) => {
      const { lines } = situation.state;
      const inspections = lines.map(() => `ins_${newUlid()}`);
      const ids = { refund, inspections, surplus: lines.map(() => `unx_${newUlid()}`) };
      return decideVisit(situation, command, ids, latestObservationAt(new Date(situation.now)));
    },
    repeated: (state) => repeatedRefund(state, refund.request),
  };
});

/** Books a payment that is no refund of units, once for each key, however late the key is used again. */
export const compensate = /* @__PURE__ */ commandOnReturn('compensate', (input, call) => {
  const ids = { id: `rfd_${newUlid()}`, ...requestOf('compensate', input, call) };
  const { result, ...payment } = input;
  const command = { ...payment, ...(result === undefined ? {} : { result: withStoredTime(result) }) };
  return {
    decide: (situation) => decideCompensation(situation, command, ids, latestObservationAt(new Date(situation.now))),
    repeated: (state) => repeatedRefund(state, ids.request),
  };
});

export const recordRefundResult = /* @__PURE__ */ commandOnReturn('recordRefundResult', (input) => {
  const { returnId: _, observed: __, ...reported } = input;
  const result = withStoredTime(reported);
  return { decide: (situation) => decideRefundResult(situation, result, latestObservationAt(new Date(situation.now))) };
});

export const exchange = /* @__PURE__ */ commandOnReturn('exchange', (input) => {
  const id = `exc_${newUlid()}`;
  return { decide: (situation) => decideExchange(situation, id, input) };
});

export const exchangeResult = /* @__PURE__ */ commandOnReturn('exchangeResult', (input) => ({
  decide: (situation) => {
    const decision = decideExchangeResult(situation, input);
    if (!decision.ok || decision.value === undefined || input.newOrder === undefined) return decision;
    const { id: returnId, order } = situation.state;
    const origin = { platform: order.platform, orderId: order.orderId, returnId };
    return ok({ ...decision.value, writes: [writeOrigin(input.newOrder, origin)] });
  },
}));

export const remindRefund = /* @__PURE__ */ commandOnReturn('remindRefund', () => ({ decide: decideReminder }));

export const waiveFee = /* @__PURE__ */ commandOnReturn('waiveFee', (input) => ({
  decide: (situation) => decideWaiver(situation, input),
}));

export const recordRecovery = /* @__PURE__ */ commandOnReturn('recordRecovery', (input) => {
  const id = `rcv_${newUlid()}`;
  return { decide: (situation) => decideRecovery(situation, input, id) };
});

export const writeOffRecovery = /* @__PURE__ */ commandOnReturn('writeOffRecovery', (input) => {
  const id = `rcv_${newUlid()}`;
  return { decide: (situation) => decideWriteOff(situation, input, id) };
});
