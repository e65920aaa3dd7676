import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { nameDefinitions } from '../../lib/contract/definitions.ts';

/** What the contract says is wrong with an input, its path parameters apart. */
export const faults = (schema: object, input: object, path: readonly string[]) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(name)));
  const { document, definitions } = nameDefinitions(schema, '#/definitions/');
  ajv.validate({ allOf: [document], definitions }, body);
  return ajv.errors ?? [];
};
