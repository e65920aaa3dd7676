import { countryOf } from '../../../money/country.ts';

/** Text that the contract accepts: not empty, and no longer than the field. */
export const clip = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, length).toWellFormed() : undefined;

/** A web address as the contract wants it. */
export const webAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/.test(value) ? value : undefined;

/** An id that somebody else gave, as the contract takes it: up to 200 printable characters, and no space. */
export const platformId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;

/** A reference of a payment provider, as the contract takes it: up to 200 letters, digits and a few signs. */
export const providerReference = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9._:/#+=|~-]{1,200}$/.test(value) ? value : undefined;

/** A country by its two letters (ISO 3166-1), in capitals; nothing for a code that is none, such as ZZ. */
export const countryCode = (value: unknown): string | undefined =>
  typeof value === 'string' ? countryOf(value) : undefined;
