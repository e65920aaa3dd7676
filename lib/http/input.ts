import type { ErrorObject } from 'ajv';
import type { FieldError } from '../contract/errors.ts';
import { fail, ok, type Result } from '../contract/result.ts';

type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

/** The compiled validators of one operation. Those of path and query make numbers and booleans of text. */
export type Validators = { readonly path: Validate; readonly query: Validate; readonly body: Validate };

const pointer = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

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

/** One object of path, query and body, once each is what the operation's schemas say. */
export const validateInput = (
  { path, query, body }: Validators,
  parts: { path: Record<string, unknown>; query: Record<string, unknown>; body: Record<string, unknown> },
): Result<Record<string, unknown>> => {
  const errors = [...check(path, parts.path), ...check(query, parts.query), ...check(body, parts.body)];
  return errors.length === 0
    ? ok({ ...parts.path, ...parts.query, ...parts.body })
    : fail({ code: 'invalid_request', detail: 'The request does not have the shape of this operation.', errors });
};
