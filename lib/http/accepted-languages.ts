import type { Call } from '../contract/port.ts';
import type { Operation } from '../contract/operation.ts';

/** What a header can carry, and no more than anyone needs to name languages. */
const usable = /^[\x20-\x7e]{1,500}$/;

/**
 * The languages that a request accepts, for an operation that has texts. A field that cannot be used is ignored, as if it
 * had not been sent: RFC 9110, 12.5.4 lets a server disregard it.
 */
export const acceptedLanguages = ({ localized }: Operation, field: string | undefined): Pick<Call, 'acceptLanguage'> =>
  localized === true && field !== undefined && usable.test(field) ? { acceptLanguage: field } : {};
