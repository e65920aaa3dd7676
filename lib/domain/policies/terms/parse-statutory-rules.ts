import { countryOf } from '../../../runtime/country.ts';
import type { StatutoryRule } from '../law/statutory-rules.ts';
import { isDate } from '../time/calendar.ts';
import { placeOf } from '../time/holidays.ts';
import {
  anyValue,
  isMembers,
  isWholeNumberUpTo,
  mergeFields,
  oneOf,
  type FieldRule,
  type FieldShape,
  pointerStep,
  upTo,
} from './parse-fields.ts';

const listOf =
  (fits: (item: unknown) => boolean, what: string): FieldRule =>
  (value) =>
    Array.isArray(value) && value.every(fits) ? undefined : `must be a list of ${what}`;

const words = (...known: readonly string[]): FieldRule =>
  listOf((item) => known.some((word) => word === item), known.join(', '));

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 500;

const within: FieldRule = (value) =>
  isMembers(value) &&
  Object.keys(value).length === 1 &&
  (isWholeNumberUpTo(value['days'], 3650) || isWholeNumberUpTo(value['years'], 30))
    ? undefined
    : 'must have days from 0 to 3650, or years from 0 to 30';

const isExemption = (value: unknown): boolean =>
  isMembers(value) &&
  Object.keys(value).length === 3 &&
  isText(value['code']) &&
  isText(value['source']) &&
  (value['decidedAt'] === 'request' || value['decidedAt'] === 'inspection');

const hasFields = (value: unknown, ...names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  isMembers(value) && Object.keys(value).length === names.length && names.every((name) => name in value);

const feeWords = words('inspection', 'return_shipping', 'promotion');

const extension: FieldRule = (value) =>
  value === null ||
  (hasFields(value, 'within', 'waivedFees', 'source') &&
    within(value['within']) === undefined &&
    feeWords(value['waivedFees']) === undefined &&
    isText(value['source']))
    ? undefined
    : 'must be null, or have within (days or years), waivedFees (a list of inspection, return_shipping, promotion) and source';

/** The fields that a law may lack. */
const optionalShape = {
  holidays: listOf((item) => typeof item === 'string' && isDate(item), 'dates, such as "2027-10-04"'),
  holidaysOf: listOf(
    (item) => typeof item === 'string' && placeOf(item) !== undefined,
    'places with a table of holidays, such as "PT" or "DE-BY"',
  ),
  extension,
} satisfies FieldShape;

const shape = {
  source: (value) => (isText(value) ? undefined : 'must be a text of up to 500 characters'),
  countries: listOf(
    (item) => typeof item === 'string' && countryOf(item) === item,
    'countries of ISO 3166-1, such as "DE"',
  ),
  saleTypes: words('distance', 'off_premises', 'in_store'),
  claim: oneOf('any', 'fault'),
  window: { within, roll: oneOf('none', 'next_working_day') },
  exemptions: listOf(isExemption, 'objects with code, source, and decidedAt: request or inspection'),
  fees: feeWords,
  shipping: oneOf('none', 'standard', 'full'),
  refund: { days: upTo(3650), from: oneOf('request', 'receipt') },
} satisfies Readonly<
  Record<Exclude<keyof StatutoryRule, 'law' | 'overridden' | keyof typeof optionalShape>, FieldRule | FieldShape>
>;

/** Returns the shape of a rule. A law without a period has null in place of the fields. */
const shapeOf = (changes: unknown): FieldShape => {
  const isNull = (field: string) => isMembers(changes) && changes[field] === null;
  return {
    ...shape,
    ...optionalShape,
    ...(isNull('window') ? { window: anyValue } : {}),
    ...(isNull('refund') ? { refund: anyValue } : {}),
  };
};

const requireAllFields = (value: unknown, whole: FieldShape, parentPath: string): void => {
  if (!isMembers(value)) return;
  for (const [field, rule] of Object.entries(whole)) {
    if (value[field] === undefined) throw new Error(`${parentPath}${pointerStep(field)} is missing`);
    if (typeof rule !== 'function') requireAllFields(value[field], rule, `${parentPath}${pointerStep(field)}`);
  }
};

const changedRule = (
  law: string,
  known: StatutoryRule | undefined,
  changes: unknown,
  parentPath: string,
): StatutoryRule => {
  const rule = mergeFields(known, changes, shapeOf(changes), parentPath);
  requireAllFields(rule, shape, parentPath);
  // Every given field is checked, and the others come from the known rule.
  return { ...rule, law, overridden: true } as unknown as StatutoryRule;
};

/**
 * Returns the statutory rules of a deployment: the known rules with its changes.
 * A known law takes the given fields, a new law needs all fields, and null removes a law.
 *
 * @param allChanges changes by the name of the law
 * @param parentPath the JSON Pointer of `allChanges`
 * @throws Error with the JSON Pointer of the first invalid field
 */
export const parseStatutoryRules = (
  known: readonly StatutoryRule[],
  allChanges: unknown,
  parentPath: string,
): readonly StatutoryRule[] => {
  if (!isMembers(allChanges)) throw new Error(`${parentPath} must map laws to changes, such as {"EU 2011/83": {…}}`);
  const changes = new Map(Object.entries(allChanges));
  const laws = new Set([...known.map(({ law }) => law), ...changes.keys()]);
  return [...laws].flatMap((law) => {
    const before = known.find((rule) => rule.law === law);
    if (!changes.has(law)) return before ?? [];
    const change = changes.get(law);
    const at = `${parentPath}${pointerStep(law)}`;
    if (change !== null) return changedRule(law, before, change, at);
    if (before === undefined)
      throw new Error(`${at} is not a known law; the laws are ${known.map((rule) => rule.law).join(', ')}`);
    return [];
  });
};
