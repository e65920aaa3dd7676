import { kindOf, pointer, type Resolve, type Resolved } from './schema.ts';
import type { FormSchema } from '../../contract/console.ts';
import { isRecord } from '../api/record.ts';

/** An error in a form: its field as a JSON pointer, what is wrong, and the limit if there is one. */
export type FieldError = {
  readonly path: string;
  readonly code:
    | 'required'
    | 'invalid'
    | 'pattern'
    | 'money'
    | 'integer'
    | 'minimum'
    | 'maximum'
    | 'minLength'
    | 'maxLength'
    | 'minItems'
    | 'maxItems';
  readonly limit?: number;
  readonly pattern?: string;
};

type Check = (schema: Resolved, value: unknown, path: string) => readonly FieldError[];

const limited = (
  path: string,
  code: FieldError['code'],
  limit: number | undefined,
  isBroken: boolean,
): readonly FieldError[] => (limit !== undefined && isBroken ? [{ path, code, limit }] : []);

const checkText: Check = (schema, value, path) => {
  if (typeof value !== 'string') return [{ path, code: 'invalid' }];
  const { minLength, maxLength, pattern } = schema;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [{ path, code: 'invalid' }];
  const fieldErrors = [
    ...limited(path, 'minLength', minLength, value.length < (minLength ?? 0)),
    ...limited(path, 'maxLength', maxLength, value.length > (maxLength ?? Infinity)),
  ];
  if (fieldErrors.length > 0 || pattern === undefined || new RegExp(pattern, 'u').test(value)) return fieldErrors;
  return [{ path, code: 'pattern', pattern }];
};

const checkInteger: Check = ({ minimum, maximum }, value, path) => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return [{ path, code: 'integer' }];
  return [
    ...limited(path, 'minimum', minimum, value < (minimum ?? -Infinity)),
    ...limited(path, 'maximum', maximum, value > (maximum ?? Infinity)),
  ];
};

const checkMoney: Check = ({ properties = {} }, value, path) => {
  const amount = isRecord(value) ? value['amount'] : undefined;
  if (typeof amount !== 'number') return [{ path, code: 'money' }];
  const { minimum = -Infinity, maximum = Infinity } = properties['amount'] ?? {};
  return amount < minimum || amount > maximum ? [{ path, code: 'money' }] : [];
};

/**
 * Returns the errors of a value that a person has entered. The API checks it again, with rules that no schema has.
 *
 * @param path the JSON pointer of the value
 */
export const fieldErrorsOf = (
  resolve: Resolve,
  schema: FormSchema,
  value: unknown,
  path = '',
): readonly FieldError[] => {
  const resolved = resolve(schema);
  if (value === null && resolved.nullable === true) return [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (kindOf(name, resolved)) {
    case 'money':
      return checkMoney(resolved, value, path);
    case 'object': {
      if (!isRecord(value)) return [{ path, code: 'invalid' }];
      const missing = (resolved.required ?? []).filter((field) => value[field] === undefined);
      return [
        ...missing.map((field): FieldError => ({ path: pointer(path, field), code: 'required' })),
        ...Object.entries(resolved.properties ?? {}).flatMap(([field, inner]) =>
          value[field] === undefined ? [] : fieldErrorsOf(resolve, inner, value[field], pointer(path, field)),
        ),
      ];
    }
    case 'record': {
      if (!isRecord(value)) return [{ path, code: 'invalid' }];
      const [[pattern, inner] = [undefined, {}]] = Object.entries(resolved.patternProperties ?? {});
      return Object.entries(value).flatMap(([key, member]) => {
        if (pattern !== undefined && !new RegExp(pattern, 'u').test(key))
          return [{ path: pointer(path, key), code: 'pattern' as const, pattern }];
        return fieldErrorsOf(resolve, inner, member, pointer(path, key));
      });
    }
    case 'list': {
      if (!Array.isArray(value)) return [{ path, code: 'invalid' }];
      const { minItems, maxItems, items = {} } = resolved;
      return [
        ...limited(path, 'minItems', minItems, value.length < (minItems ?? 0)),
        ...limited(path, 'maxItems', maxItems, value.length > (maxItems ?? Infinity)),
        ...value.flatMap((item, index) => fieldErrorsOf(resolve, items, item, pointer(path, index))),
      ];
    }
    case 'union': {
      const results = (resolved.anyOf ?? []).map((variant) => fieldErrorsOf(resolve, variant, value, path));
      return results.reduce<readonly FieldError[]>(
        (best, errors) => (errors.length < best.length ? errors : best),
        results[0] ?? [],
      );
    }
    case 'boolean':
      return typeof value === 'boolean' ? [] : [{ path, code: 'invalid' }];
    case 'integer':
    case 'percent':
      return checkInteger(resolved, value, path);
    case 'choice':
    case 'time':
    case 'long':
    case 'code':
    case 'text':
      return checkText(resolved, value, path);
    case 'json':
      return [];
  }
};
