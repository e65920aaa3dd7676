/*
 * Reads variables of the environment. A missing or malformed variable is an error with its name. Only the files with
 * groups of variables import these functions: config.ts, edge-config.ts and mail-config.ts.
 */

import { addressError, baseOf } from '../address.ts';

export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is required`);
  return value;
};

export const url = (name: string): string => {
  const value = required(name);
  const failure = addressError(value);
  if (failure !== undefined) throw new Error(`environment variable ${name} ${failure}`);
  return baseOf(value);
};

export const wholeNumber = (name: string): number => {
  const value = Number(required(name));
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`environment variable ${name} must be a whole number above 0`);
  return value;
};

/** Days, or undefined for `none`. */
export const daysOrNone = (name: string): number | undefined =>
  (process.env[name] || 'none') === 'none' ? undefined : wholeNumber(name);

export const optionalNumber = (name: string, otherwise: number): number =>
  process.env[name] ? wholeNumber(name) : otherwise;

/** The items of a variable, which commas separate. */
export const listOf = (name: string): readonly string[] =>
  (process.env[name] ?? '').split(',').filter((item) => item !== '');

/** The variable of the SDK with another origin of Lambda. */
export const lambdaEndpoint = (): string | undefined => process.env['AWS_ENDPOINT_URL_LAMBDA'] || undefined;
