import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { contract } from '../../lib/contract/contract.ts';
import { extractDefinitions } from '../../lib/contract/definitions.ts';
import type { RemoteSnapshot } from '../../lib/platforms/platform.ts';
import { limitToOrderLines } from '../../lib/platforms/shared/fields/sold-line.ts';
import type { RemoteRefund } from '../../lib/platforms/shared/sync/remote-return.ts';
import { refundErrors, unknownLineErrors } from '../../lib/returns/commands/money/record-refund-errors.ts';
import { order, orderLine } from '../support/orders.ts';

type Operation = 'registerOrder' | 'createReturn' | 'recordRefund' | 'addParcel';

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

/** What the contract says is wrong with the body of an input; what stands in its path is left out of it. */
export const faults = (operation: Operation, input: object) => {
  const inPath = new Set(Object.keys(contract[operation].params.properties));
  const validate = validatorOf(operation);
  validate(Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name))));
  return validate.errors ?? [];
};

/** What the contract says is wrong with all that was seen: the order, its returns with their parcels, and the money. */
export const seenFaults = ({ order: facts, returns, refunds }: RemoteSnapshot) => [
  ...faults('registerOrder', facts),
  ...returns.flatMap(({ seen: { platform, orderId, status, lines, parcels } }) => [
    // Nothing is made here of one that was called off.
    ...(status === 'cancelled' ? [] : faults('createReturn', { order: { platform, orderId }, lines })),
    ...parcels.flatMap((parcel) => faults('addParcel', parcel)),
  ]),
  ...[...returns.flatMap((one) => one.refunds), ...refunds].flatMap((refund) => faults('recordRefund', refund)),
];

/** What an order is seen as of which a return or a refund cannot be read: it says so, and the delivery is parked for it. */
export const seenWithout = (code: string) => ({
  kind: 'seen',
  order: {
    completeness: 'partial',
    discrepancies: expect.arrayContaining([expect.objectContaining({ code })]) as unknown,
  },
  unread: { kind: 'permanent', reason: code },
});

/** What the contract and the domain say is wrong with a refund of an order that has two units of one line. */
export const bookingFaults = (refund: RemoteRefund, lineId: string) => {
  const { currency } = refund.amount;
  const line = { lineId, quantity: 2, unitPrice: { amount: 1000, currency } };
  const sold = order({ currency, lines: [orderLine(line)] });
  const known = limitToOrderLines(refund, { lines: [{ ...line }] });
  const booked = { method: 'original_payment' as const, ...known };
  const latest = new Date().toISOString();
  return [...faults('recordRefund', known), ...unknownLineErrors(sold, booked), ...refundErrors(sold, booked, latest)];
};
