import type { FeeType } from '../../returns/model/refund.ts';
import type { Evaluation, LineEvaluation, Settings } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import { factsCheck } from './facts.ts';
import { settings } from './rule.ts';
import { closed, listOf, type Check } from './shape.ts';
import { amount, bps, code, instant, mostValues, name, oneOf, resolution, ruleId } from './values.ts';

/** What an evaluation must say; what is not named does not matter. */
type Expectation = Partial<Pick<Evaluation, 'verdict' | 'approval' | 'fees' | 'settings'>> & {
  readonly returnableUntil?: string;
  readonly lines?: readonly Partial<LineEvaluation>[];
};

const line = closed<Partial<LineEvaluation>>(
  {},
  {
    orderLineId: name,
    verdict: oneOf('eligible', 'needs_review', 'ineligible'),
    code,
    codes: listOf(code, mostValues),
    missing: listOf(name, mostValues),
    returnableUntil: instant,
    resolutions: listOf(resolution, 5),
    right: name,
  },
  'what is expected of a line',
);

const fee = closed<Partial<NonNullable<Evaluation['fees'][FeeType]>>>(
  {},
  { rule: ruleId, bps, amount, cap: amount },
  'what is expected of a fee',
);

const expectation = closed<Expectation>(
  {},
  {
    verdict: oneOf('approved', 'rejected', 'needs_review'),
    approval: oneOf('auto', 'manual', 'reject'),
    returnableUntil: instant,
    lines: listOf(line, mostValues),
    fees: closed<Evaluation['fees']>({}, { inspection: fee, restocking: fee, return_shipping: fee }, 'the fees'),
    settings: closed<Settings>({}, settings, 'the settings'),
  },
  'what is expected',
);

/** A case that a policy must decide as its author expects before it is published. */
export const goldenCaseCheck: Check = closed<{ name: string; facts: Facts; expect: Expectation }>(
  { name, facts: factsCheck, expect: expectation },
  {},
  'a golden case',
);
