import { isObject, type JsonObject } from '../../json.ts';
import { instant } from '../text.ts';

/*
 * Commerce's REST API and its events write one thing in several ways: numbers as numbers or as texts with four decimals,
 * times without a zone.
 */

/** The objects of a list; none where it is no list. */
export const rowsOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** What is told under extension_attributes. */
export const extensionOf = ({ extension_attributes: value }: JsonObject): JsonObject => (isObject(value) ? value : {});

/** An id, as text. A number beyond 2^53 has lost its last digits, and is none. */
export const idOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return typeof value === 'string' && /^[1-9]\d{0,29}$/.test(value) ? value : undefined;
};

/** As many as the contract carries. */
const mostUnits = 100_000;

/** Whole units; nothing for a part of one, or for none told. */
export const unitsOf = (value: unknown): number | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const [, digits] = /^(\d{1,6})(?:\.0{1,12})?$/.exec(String(value)) ?? [];
  return digits === undefined || Number(digits) > mostUnits ? undefined : Number(digits);
};

/** An instant: times without a zone are UTC. */
export const timeOf = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const [, day, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(value) ?? [];
  return instant(day === undefined ? value : `${day}T${clock ?? ''}Z`);
};

/** An instant as Commerce compares it. */
export const asCommerceTime = (at: string): string => at.slice(0, 19).replace('T', ' ');
