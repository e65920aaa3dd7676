import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { nameDefinitions } from '../../lib/contract/definitions.ts';

const validators = new WeakMap<object, ValidateFunction>();

const validatorOf = (schema: object): ValidateFunction => {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const { document, definitions } = nameDefinitions(schema, '#/definitions/');
  const validator = ajv.compile({ allOf: [document], definitions });
  validators.set(schema, validator);
  return validator;
};

/** What the contract says is wrong with an input, its path parameters apart. */
export const faults = (schema: object, input: object, path: readonly string[]) => {
  const validate = validatorOf(schema);
  validate(Object.fromEntries(Object.entries(input).filter(([name]) => !path.includes(name))));
  return validate.errors ?? [];
};
