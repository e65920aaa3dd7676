import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { contract } from '../../../lib/contract/contract.ts';
import { extractDefinitions } from '../../../lib/contract/definitions.ts';
import type { RemoteSnapshot } from '../../../lib/shops/platforms/platform.ts';
import { limitToOrderLines } from '../../../lib/shops/platforms/shared/fields/sold-line.ts';
import type { RemoteRefund } from '../../../lib/shops/platforms/shared/sync/remote-return.ts';
import { refundErrors, unknownLineErrors } from '../../../lib/domain/returns/commands/money/record-refund-errors.ts';
import { order, orderLine } from '../../support/orders.ts';

type Operation = 'registerOrder' | 'createReturn' | 'recordRefund' | 'addParcel' | 'declareWithdrawal';

const validators = new Map<Operation, ValidateFunction>();

const validatorOf = (operation: Operation): ValidateFunction => {
  const known = validators.get(operation);
  if (known !== undefined) return known;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const { document, definitions } = extractDefinitions(contract[operation].body, '#/definitions/');
  const validator = ajv.compile({ allOf: [document], definitions });
  validators.set(operation, validator);
  return validator;
};

/** Returns the contract's errors in the body of an input, without its path parameters. */
export const fieldErrors = (operation: Operation, input: object) => {
  const inPath = new Set(Object.keys(contract[operation].params.properties));
  const validate = validatorOf(operation);
  validate(Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name))));
  return validate.errors ?? [];
};

/** Returns the contract's errors in a snapshot: the order, its returns with their parcels, and the refunds. */
export const snapshotErrors = ({ order: facts, returns, refunds }: RemoteSnapshot) => [
  ...fieldErrors('registerOrder', facts),
  ...returns.flatMap(({ remote: { platform, orderId, status, lines, parcels } }) => [
    // Sync creates no return of ours for a cancelled one.
    ...(status === 'cancelled' ? [] : fieldErrors('createReturn', { order: { platform, orderId }, lines })),
    ...parcels.flatMap((parcel) => fieldErrors('addParcel', parcel)),
  ]),
  ...[...returns.flatMap((one) => one.refunds), ...refunds].flatMap((refund) => fieldErrors('recordRefund', refund)),
];

/**
 * Matches the snapshot of an order with an unreadable return or refund.
 * The order has a discrepancy, and the delivery is parked.
 */
export const snapshotWithout = (code: string) => ({
  kind: 'snapshot',
  order: {
    completeness: 'partial',
    discrepancies: expect.arrayContaining([expect.objectContaining({ code })]) as unknown,
  },
  unread: { kind: 'permanent', reason: code },
});

/**
 * Returns the errors of the contract and the domain in a refund.
 * Its order has two units of one line.
 */
export const bookingErrors = (refund: RemoteRefund, lineId: string) => {
  const { currency } = refund.amount;
  const line = { lineId, quantity: 2, unitPrice: { amount: 1000, currency } };
  const sold = order({ currency, lines: [orderLine(line)] });
  const known = limitToOrderLines(refund, { lines: [{ ...line }] });
  const booked = { method: 'original_payment' as const, ...known };
  const latest = new Date().toISOString();
  return [
    ...fieldErrors('recordRefund', known),
    ...unknownLineErrors(sold, booked),
    ...refundErrors(sold, booked, latest),
  ];
};
