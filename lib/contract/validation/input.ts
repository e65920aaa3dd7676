import type { ErrorObject } from 'ajv';
import type { FieldError } from '../errors.ts';
import type { Result } from '../result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { depthErrors, illFormedTextErrors, isWellFormed, maxFieldErrors } from './input-limits.ts';
import { pointer, unknownField } from './unknown-field.ts';

type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

/** The compiled validators of one operation. Those of path and query convert text to numbers and booleans. */
export type Validators = { readonly path: Validate; readonly query: Validate; readonly body: Validate };

type Fields = Record<string, unknown>;

type Params = {
  readonly allowedValues?: readonly unknown[];
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  /** The fields that an object has (lib/tools/build/keywords.ts). */
  readonly allowed?: readonly string[];
};

/**
 * Returns the accepted values for an error of a schema keyword. It never repeats a value, because values may be
 * personal.
 */
const messageOf = ({ keyword, params, message = 'is not valid' }: ErrorObject): string => {
  const { allowedValues, additionalProperty, allowed } = params as Params;
  if (keyword === 'enum' && allowedValues !== undefined) return `must be one of ${allowedValues.join(', ')}`;
  if (additionalProperty !== undefined && allowed !== undefined) return unknownField(additionalProperty, allowed);
  return keyword === 'required' ? 'is required' : message;
};

const codes: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  minProperties: 'min_properties',
  maxProperties: 'max_properties',
  uniqueItems: 'duplicate',
};

const fieldError = (error: ErrorObject): FieldError => {
  const params = error.params as Params;
  const inner = params.missingProperty ?? params.additionalProperty;
  return {
    path: error.instancePath + (inner === undefined ? '' : pointer(inner)),
    code: codes[error.keyword] ?? error.keyword,
    message: messageOf(error),
  };
};

/** Returns messages for as many errors as a response holds. */
const check = (validate: Validate, data: unknown): readonly FieldError[] =>
  validate(data) ? [] : (validate.errors ?? []).slice(0, maxFieldErrors).map(fieldError);

const isPlain = (raw: unknown, coerced: unknown): boolean =>
  (typeof coerced !== 'number' || Number.isSafeInteger(coerced)) &&
  (coerced === raw || (typeof raw === 'string' && (typeof coerced === 'string' || String(coerced) === raw)));

/**
 * Returns errors for wrong conversions. The validators convert every text that JavaScript accepts as a number (`0x10`,
 * `1e400`). They also convert numbers to text, which may have lost digits before. A query allows only plain digits, and
 * only text may be converted. Text that became other text is a time, which the validators write in UTC.
 */
const coercionErrors = (raw: Fields, coerced: Fields): readonly FieldError[] =>
  Object.entries(coerced)
    .filter(([name, value]) => !isPlain(raw[name], value))
    .map(([name, value]) => {
      const type = typeof value === 'number' ? 'integer' : typeof value;
      return { path: pointer(name), code: 'type', message: `must be ${type}` };
    });

const invalid = (errors: readonly FieldError[]) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The request does not match the schema of this operation.',
    errors,
  });

type Parts = { readonly path: Fields; readonly query: Fields; readonly body: Fields };

/**
 * Validates path, query and body against the schemas of the operation and returns them as one object. Times become UTC;
 * those in objects and lists of the body are replaced in place. The cost is linear in the size of the input.
 */
export const validateInput = ({ path, query, body }: Validators, parts: Parts): Result<Fields> => {
  const raw = { ...parts.path, ...parts.query, ...parts.body };
  const deep = depthErrors(raw);
  if (deep.length > 0) return invalid(deep);
  const inPath = { ...parts.path };
  const inQuery = { ...parts.query };
  const fieldErrors = [
    ...check(path, inPath),
    ...check(query, inQuery),
    ...coercionErrors(parts.path, inPath),
    ...coercionErrors(parts.query, inQuery),
    ...check(body, parts.body),
  ];
  if (fieldErrors.length > 0) return invalid(fieldErrors);
  return isWellFormed(raw) ? ok({ ...inPath, ...inQuery, ...parts.body }) : invalid(illFormedTextErrors(raw));
};
