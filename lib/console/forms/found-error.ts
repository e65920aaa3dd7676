import type { FieldError as ApiError } from '../../contract/errors.ts';
import type { FieldError } from './check.ts';

/** An error of the service as one of the form. `minor` is the limit of an amount, in minor units. */
export type FoundError = Pick<FieldError, 'path' | 'limit'> & {
  /** Absent where the form has no words for it. */
  readonly code?: 'required' | 'minimum' | 'maximum';
  readonly minor?: number;
};

/** Reads an error of the service. One that says more than a limit keeps its message. */
export const foundError = ({ path, code, message }: ApiError): FoundError => {
  if (message === 'is required') return { path, code: 'required' };
  const [, digits] = /^must be at (?:least|most) (\d+)$/.exec(message) ?? [];
  if (digits === undefined || (code !== 'minimum' && code !== 'maximum')) return { path };
  const limit = Number(digits);
  // A form shows an amount and its currency as one field.
  const [, money] = /^(.+)\/amount$/.exec(path) ?? [];
  return money === undefined ? { path, code, limit } : { path: money, code, minor: limit };
};
