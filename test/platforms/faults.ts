import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { nameDefinitions } from '../../lib/contract/definitions.ts';
import { schemas } from '../../lib/contract/schemas.ts';

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
