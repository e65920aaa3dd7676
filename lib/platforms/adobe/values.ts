import type { JsonObject } from '../../runtime/json.ts';
import { objectOf } from '../shared/fields/fields.ts';

/*
 * Commerce's REST API and its events write one thing in several ways: numbers as numbers or as texts with four decimals.
 */

/** What is told under extension_attributes. */
export const extensionOf = ({ extension_attributes: value }: JsonObject): JsonObject => objectOf(value);

/** As many as the contract carries. */
const mostUnits = 100_000;

/** Whole units; nothing for a part of one, or for none told. */
export const unitsOf = (value: unknown): number | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, digits] = /^(\d{1,6})(?:\.0{1,12})?$/.exec(String(value)) ?? [];
  return digits === undefined || Number(digits) > mostUnits ? undefined : Number(digits);
};

/** An instant as Commerce compares it. */
export const asCommerceTime = (at: string): string => at.slice(0, 19).replace('T', ' ');
