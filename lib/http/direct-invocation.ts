import type { FieldError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { fail, ok, type Failure, type Result } from '../contract/result.ts';
import { isObject, type JsonObject } from '../runtime/json.ts';
import { largestBody } from './body.ts';
import { deepFields } from './nesting.ts';
import { pointer } from './pointer.ts';
import { unknownField } from './unknown-field.ts';

/** An operation as a Step Functions task or another function asks for it: what HTTP has in headers stands beside the input. */
export type Invocation = {
  /** The fields of path, query and body in one object. */
  readonly input: JsonObject;
  readonly idempotencyKey?: string;
  /** A version, or an ETag as it was answered; 0 for what is not there yet. */
  readonly ifMatch?: number | string;
  readonly dryRun?: boolean;
  readonly onBehalfOf?: string;
  readonly acceptLanguage?: string;
};

/** Far more fields than an invocation has: the faults of the others would not be in the answer. */
const mostFields = 100;

type Field = { readonly fits: (value: unknown) => boolean; readonly type: string };

const text: Field = { fits: (value) => typeof value === 'string', type: 'string' };

const fields: Readonly<Record<keyof Invocation, Field>> = {
  input: { fits: isObject, type: 'object' },
  idempotencyKey: text,
  ifMatch: { fits: (value) => typeof value === 'string' || typeof value === 'number', type: 'integer or string' },
  dryRun: { fits: (value) => typeof value === 'boolean', type: 'boolean' },
  onBehalfOf: text,
  acceptLanguage: text,
};

const knows = (operation: Operation, name: string): name is keyof Invocation =>
  Object.hasOwn(fields, name) &&
  (name !== 'dryRun' || operation.dryRun) &&
  (name !== 'acceptLanguage' || operation.localized === true);

const refuse = (errors: readonly FieldError[]) =>
  fail<Failure>({ code: 'invalid_request', detail: 'The event is not an invocation of this operation.', errors });

const faultsOf = (operation: Operation, event: JsonObject): readonly FieldError[] => [
  ...(Object.hasOwn(event, 'input') ? [] : [{ path: '/input', code: 'required', message: 'is required' }]),
  ...Object.entries(event)
    .slice(0, mostFields)
    .flatMap(([name, value]): FieldError[] => {
      const path = pointer(name);
      if (!knows(operation, name)) {
        const allowed = Object.keys(fields).filter((known) => knows(operation, known));
        return [{ path, code: 'unknown_field', message: unknownField(name, allowed) }];
      }
      const { fits, type } = fields[name];
      return fits(value) ? [] : [{ path, code: 'type', message: `must be ${type}` }];
    }),
];

/** What an event asks for, once it is an invocation of the operation by its form; the input itself is looked at later. */
export const invocationOf = (operation: Operation, event: unknown): Result<Invocation> => {
  if (!isObject(event)) return refuse([{ path: '', code: 'type', message: 'must be object' }]);
  const deep = deepFields(event);
  if (deep.length > 0) return refuse(deep);
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > largestBody) {
    return fail({
      code: 'payload_too_large',
      detail: `An invocation may have ${largestBody} bytes of JSON; this one has ${bytes}.`,
    });
  }
  const faults = faultsOf(operation, event);
  // Every field that is there has just been found to be of its type.
  return faults.length === 0 ? ok(event as Invocation) : refuse(faults);
};
