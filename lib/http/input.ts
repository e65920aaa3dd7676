import type { ErrorObject } from 'ajv';
import type { FieldError } from '../contract/errors.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { brokenText } from './broken-text.ts';
import { pointer } from './pointer.ts';

type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

/** The compiled validators of one operation. Those of path and query make numbers and booleans of text. */
export type Validators = { readonly path: Validate; readonly query: Validate; readonly body: Validate };

type Fields = Record<string, unknown>;

/** What would be accepted, for the keywords that the schemas use. Values are never repeated: they may be personal. */
const messageOf = ({ keyword, params, message }: ErrorObject): string => {
  const list = (params as { allowedValues?: readonly unknown[] }).allowedValues;
  if (keyword === 'enum' && list !== undefined) return `must be one of ${list.join(', ')}`;
  if (keyword === 'additionalProperties' || keyword === 'propertyNames') return 'is not a field of this operation';
  if (keyword === 'required') return 'is required';
  return message ?? 'is not valid';
};

const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  maxProperties: 'max_properties',
  uniqueItems: 'duplicate',
};

const fieldError = (error: ErrorObject): FieldError => {
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  const inner = params.missingProperty ?? params.additionalProperty;
  return {
    path: error.instancePath + (inner === undefined ? '' : pointer(inner)),
    code: codes[error.keyword] ?? error.keyword,
    message: messageOf(error),
  };
};

const check = (validate: Validate, data: unknown): readonly FieldError[] =>
  validate(data) ? [] : (validate.errors ?? []).map(fieldError);

/** The validators make a number of any text that JavaScript takes for one: `0x10`, `1e400`. A query has plain digits. */
const plainNumbers = (texts: Fields, coerced: Fields): readonly FieldError[] =>
  Object.entries(coerced)
    .filter(
      ([name, value]) =>
        typeof value === 'number' && (!Number.isSafeInteger(value) || String(value) !== String(texts[name])),
    )
    .map(([name]) => ({ path: pointer(name), code: 'type', message: 'must be integer' }));

/** One object of path, query and body, once each is what the operation's schemas say. */
export const validateInput = (
  { path, query, body }: Validators,
  parts: { readonly path: Fields; readonly query: Fields; readonly body: Fields },
): Result<Fields> => {
  const coerced = { ...parts.query };
  const errors = [
    ...check(path, parts.path),
    ...check(query, coerced),
    ...plainNumbers(parts.query, coerced),
    ...check(body, parts.body),
    ...brokenText({ ...parts.path, ...parts.body }),
  ];
  return errors.length === 0
    ? ok({ ...parts.path, ...coerced, ...parts.body })
    : fail({ code: 'invalid_request', detail: 'The request does not have the shape of this operation.', errors });
};
