import type Type from 'typebox';
import { reading } from '../entry.ts';
import { at, entry, ref, returnId } from '../example-story.ts';
import { Decision, DecisionPath } from './decision.ts';

/** An approved decision on a shirt that is too small and within its window. */
const decision: Type.Static<typeof Decision> = {
  decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  at: at.asked,
  returnId,
  order: ref,
  policyId: 'pol_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  policyVersion: 'pol_01KAJ3V9Z8QW4T6R2M5N7P0XYB/1',
  verdict: 'approved',
  approval: 'auto',
  lines: [
    {
      orderLineId: '1',
      verdict: 'eligible',
      codes: [],
      missing: [],
      returnableUntil: '2026-12-18T23:00:00.000Z',
      resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
    },
  ],
  fees: [],
  settings: { shipping: 'full_if_whole_order' },
  explanation: ['The return is approved.', 'You can return 1 × Shirt, white, M until 18 December 2026.'],
  counterfactuals: [],
  trace: [
    {
      phase: 'window',
      rule: 'thirty-days',
      text: 'Anything may be returned for thirty days after it came.',
      line: 0,
      result: 'matched',
      inputs: { 'line.deliveredAt': '2026-11-18T10:00:00.000Z', requestedAt: at.asked },
      effect: { end: '2026-12-18T23:00:00.000Z', expired: false },
    },
  ],
  facts: { requestedAt: at.asked },
  factsHash: entry.hash,
  digest: entry.hash,
  reproduced: true,
};

/* The operation on decisions of policies. */

export const getDecision = reading({
  path: '/decisions/{decisionId}',
  scope: 'returns:read',
  summary: 'Read a decision and its explanation',
  description:
    'A policy decides when a return is requested or re-evaluated. The response has each rule with the facts that it read and its effect. `counterfactuals` shows which facts would lead to a better verdict.\n\nThe service stores the facts of a decision and evaluates them again at each read. `reproduced` shows whether the result is the same.\n\nIt writes the `explanation` for the customer at each read, in the language of `Accept-Language`. The explanation uses the present titles of the order. The response has no personal data.',
  params: DecisionPath,
  answers: Decision,
  localized: true,
  refuses: ['decision_not_found'],
  example: { output: decision },
});
