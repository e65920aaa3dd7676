import type { Terms } from '../../returns/model/terms.ts';
import type { StatutoryRule } from '../law/statutory-rules.ts';
import { parseStatutoryRules } from './parse-statutory-rules.ts';
import {
  anyValue,
  isMembers,
  isWholeNumberUpTo,
  mergeFields,
  oneOf,
  orNull,
  type FieldRule,
  type FieldShape,
  upTo,
} from './parse-fields.ts';

const maxMinorUnits = 1_000_000_000_000;

const limits: FieldRule = (value) =>
  isMembers(value) &&
  Object.entries(value).every(
    ([currency, limit]) => /^[A-Z]{3}$/.test(currency) && isWholeNumberUpTo(limit, maxMinorUnits),
  )
    ? undefined
    : 'must map currencies to minor units, such as {"EUR": 10000}';

const floorFees = ['inspection', 'return_shipping', 'promotion'];
const floor: FieldRule = (value) =>
  isMembers(value) &&
  Object.keys(value).length === 2 &&
  typeof value['law'] === 'string' &&
  Array.isArray(value['fees']) &&
  value['fees'].every((fee) => floorFees.some((known) => known === fee))
    ? undefined
    : `must be null, or have a law and its allowed fees: ${floorFees.join(', ')}`;

const shape = {
  approval: oneOf('manual', 'auto'),
  refundTiming: oneOf('approved', 'in_transit', 'received', 'inspected'),
  inspection: oneOf('required', 'skipped'),
  shipping: oneOf('none', 'proportional', 'full_if_whole_order', 'statutory'),
  fees: {
    restockingBps: upTo(10_000),
    restockingCap: orNull(upTo(maxMinorUnits)),
    returnShipping: upTo(maxMinorUnits),
    inspectionCapBps: upTo(10_000),
  },
  extras: { returnPostage: upTo(maxMinorUnits), bonusBps: upTo(10_000) },
  deadlines: {
    shipByDays: orNull(upTo(3650)),
    answerByDays: orNull(upTo(3650)),
    inspectByDays: orNull(upTo(3650)),
    refundDueDays: orNull(upTo(3650)),
    refundDueFrom: oneOf('request', 'receipt'),
  },
  floor: orNull(floor),
  refundApprovalLimit: limits,
} satisfies Readonly<
  Record<Exclude<keyof Terms, 'policyVersion' | 'returnless' | 'withdrawal'>, FieldRule | FieldShape>
>;

/** The terms and statutory rules of a deployment. */
export type DeploymentTerms = {
  /** The terms of new returns, before the statutory floor. */
  readonly terms: Terms;
  readonly statutoryRules: readonly StatutoryRule[];
};

/**
 * Parses the terms of a deployment over the defaults. Absent fields have their default.
 *
 * @param text a JSON object with fields of `Terms` other than `policyVersion` and `withdrawal`. It may have changes of statutory rules
 * by the name of the law.
 * @throws Error with the JSON Pointers of the invalid fields
 */
export const parseTerms = (defaults: DeploymentTerms, text: string): DeploymentTerms => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
  const known = { ...shape, statutoryRules: anyValue };
  const { statutoryRules = {}, ...terms } = mergeFields(defaults.terms, parsed, known, '');
  return {
    // Every given field is checked, and the others are the defaults.
    terms: terms as unknown as Terms,
    statutoryRules: parseStatutoryRules(defaults.statutoryRules, statutoryRules, '/statutoryRules'),
  };
};
