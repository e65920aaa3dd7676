import type Type from 'typebox';
import { reading } from '../entry.ts';
import { at, entry, ref, returnId } from '../example-story.ts';
import { Decision, DecisionPath } from './decision.ts';

/** The decision on a shirt that is too small: within its window, and approved. */
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
  summary: 'Read what a policy decided, by which rules, and what would have had to be otherwise',
  description:
    'What the policy said when the return was asked for, or was judged anew: every rule with the facts it looked at, what it did, and what would have had to be otherwise. It is made again from what was kept, and `reproduced` tells that it came to the very same. The `explanation` is written for the customer at each read, in the language of Accept-Language and with the titles that the order has now. Nothing of it is personal.',
  params: DecisionPath,
  answers: Decision,
  localized: true,
  refuses: ['decision_not_found'],
  example: { output: decision },
});
