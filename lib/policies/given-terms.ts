import type { Terms } from '../returns/rules/terms.ts';

/** What a value must be, in words; undefined when it is. */
type Rule = (value: unknown) => string | undefined;
type Shape = { readonly [field: string]: Rule | Shape };

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

const mostMinorUnits = 1_000_000_000_000;

const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.some((word) => word === value) ? undefined : `must be one of ${words.join(', ')}`;
const upTo =
  (most: number): Rule =>
  (value) =>
    isWhole(value, most) ? undefined : `must be a whole number from 0 to ${most}`;
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);

const limits: Rule = (value) =>
  isMembers(value) &&
  Object.entries(value).every(([currency, limit]) => /^[A-Z]{3}$/.test(currency) && isWhole(limit, mostMinorUnits))
    ? undefined
    : 'must hold minor units by currency, such as {"EUR": 10000}';

const floorFees = ['inspection', 'return_shipping'];
const floor: Rule = (value) =>
  isMembers(value) &&
  Object.keys(value).length === 2 &&
  typeof value['law'] === 'string' &&
  Array.isArray(value['fees']) &&
  value['fees'].every((fee) => floorFees.some((known) => known === fee))
    ? undefined
    : `must be null, or name a law and the fees that it allows: ${floorFees.join(', ')}`;

const shape = {
  approval: oneOf('manual', 'auto'),
  refundTiming: oneOf('approved', 'in_transit', 'received', 'inspected'),
  inspection: oneOf('required', 'skipped'),
  shipping: oneOf('none', 'proportional', 'full_if_whole_order', 'statutory'),
  fees: {
    restockingBps: upTo(10_000),
    restockingCap: orNull(upTo(mostMinorUnits)),
    returnShipping: upTo(mostMinorUnits),
    inspectionCapBps: upTo(10_000),
  },
  deadlines: {
    shipByDays: orNull(upTo(3650)),
    answerByDays: orNull(upTo(3650)),
    inspectByDays: orNull(upTo(3650)),
    refundDueDays: orNull(upTo(3650)),
  },
  floor: orNull(floor),
  refundApprovalLimit: limits,
} satisfies Readonly<Record<Exclude<keyof Terms, 'policyVersion' | 'returnless'>, Rule | Shape>>;

const merge = (known: unknown, given: unknown, rules: Shape, place: string): Readonly<Record<string, unknown>> => {
  if (!isMembers(given)) throw new Error(`${place || '/'} must be an object`);
  const fields = Object.entries(given).map(([field, value]): [string, unknown] => {
    const at = `${place}/${field}`;
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === undefined) throw new Error(`${at} is no such term; there are ${Object.keys(rules).join(', ')}`);
    const before = isMembers(known) ? known[field] : undefined;
    if (typeof rule !== 'function') return [field, merge(before, value, rule, at)];
    const fault = rule(value);
    if (fault !== undefined) throw new Error(`${at} ${fault}`);
    return [field, value];
  });
  return { ...(isMembers(known) ? known : {}), ...Object.fromEntries(fields) };
};

/**
 * The terms that a deployment is given, over those that it has without: what is not named stays.
 *
 * @param given a JSON object with some of the fields of `Terms`, all but `policyVersion`
 * @throws Error with the JSON Pointer of the first field that cannot be right
 */
export const givenTerms = (defaults: Terms, given: string): Terms => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(given);
  } catch {
    throw new Error('must be JSON');
  }
  // Every field was looked at, and the rest is of the terms before.
  return merge(defaults, parsed, shape, '') as unknown as Terms;
};
