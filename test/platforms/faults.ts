import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { nameDefinitions } from '../../lib/contract/definitions.ts';
import { schemas } from '../../lib/contract/schemas.ts';
import type { SeenRefund } from '../../lib/platforms/follow/seen.ts';
import { ofKnownLines } from '../../lib/platforms/known-lines.ts';
import { refundFaults as domainFaults, unknownLines } from '../../lib/returns/commands/record-refund-faults.ts';
import { order, orderLine } from '../support/orders.ts';

/** What the contract says is wrong with the body of an input, its path parameters apart. */
const faultsOf = (schema: object, input: object, path: readonly string[]) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(name)));
  const { document, definitions } = nameDefinitions(schema, '#/definitions/');
  ajv.validate({ allOf: [document], definitions }, body);
  return ajv.errors ?? [];
};

export const orderFaults = (order: object) => faultsOf(schemas.registerOrder.body, order, ['platform', 'orderId']);

export const refundFaults = (refund: object) =>
  faultsOf(schemas.recordRefund.body, refund, ['platform', 'orderId', 'externalId']);

/** What the contract and the domain say is wrong with a refund of an order that has two units of one line. */
export const bookingFaults = (refund: SeenRefund, lineId: string) => {
  const { currency } = refund.amount;
  const line = { lineId, quantity: 2, unitPrice: { amount: 1000, currency } };
  const sold = order({ currency, lines: [orderLine(line)] });
  const known = ofKnownLines(refund, { lines: [{ ...line }] });
  const booked = { method: 'original_payment' as const, ...known };
  const latest = new Date().toISOString();
  return [...refundFaults(known), ...unknownLines(sold, booked), ...domainFaults(sold, booked, latest)];
};
