import type Type from 'typebox';
import { reading } from '../entry.ts';
import { at, entry, ref, returnId } from '../example-story.ts';
import { approval, policyId, rule } from '../policies/examples.ts';
import { Decision, DecisionPath } from './decision.ts';

const deliveredAt = '2026-11-20T16:00:00.000Z';
const end = '2026-12-21T00:00:00.000Z';

/** The decision of the example policy on a shirt that is too small and within its window. */
const decision: Type.Static<typeof Decision> = {
  decisionId: 'dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB',
  at: at.requested,
  returnId,
  order: ref,
  policyId,
  policyVersion: `${policyId}/1`,
  verdict: 'needs_review',
  approval: 'manual',
  lines: [
    {
      orderLineId: '1',
      verdict: 'eligible',
      codes: [],
      missing: [],
      returnableUntil: end,
      resolutions: ['refund', 'exchange', 'store_credit', 'repair', 'none'],
    },
  ],
  fees: [],
  settings: {},
  explanation: ['We need to review the return.', 'You can return 1 × SHIRT-M until 20 December 2026.', approval.text],
  counterfactuals: [],
  trace: [
    {
      phase: 'facts',
      rule: 'facts.completeness',
      result: 'not_matched',
      inputs: { 'order.completeness': 'full' },
    },
    {
      phase: 'integrity',
      rule: 'integrity.delivered',
      line: 0,
      result: 'not_matched',
      inputs: { 'line.delivered': true },
    },
    {
      phase: 'window',
      rule: 'window',
      text: rule(30).text,
      line: 0,
      result: 'matched',
      inputs: { 'line.deliveredAt': deliveredAt, requestedAt: at.requested },
      effect: { end, expired: false },
    },
    {
      phase: 'approval',
      rule: 'all',
      text: approval.text,
      result: 'matched',
      inputs: {},
      effect: { approval: 'manual' },
    },
  ],
  facts: {
    requestedAt: at.requested,
    order: {
      platform: 'web',
      country: 'CH',
      currency: 'EUR',
      lastDeliveredAt: deliveredAt,
      completeness: 'full',
      timeZone: 'UTC',
      value: 3998,
    },
    customer: { lists: [] },
    return: {
      initiatedBy: 'customer',
      isGift: false,
      quantity: 1,
      value: 1999,
      reasons: ['fit.too_small'],
      skus: ['SHIRT-M'],
    },
    lines: [
      {
        orderLineId: '1',
        quantity: 1,
        unitPrice: 1999,
        value: 1999,
        sku: 'SHIRT-M',
        reason: 'fit.too_small',
        reasonGroup: 'fit',
        resolution: 'refund',
        hasNote: true,
        hasEvidence: false,
        fault: 'customer',
        delivered: true,
        deliveredAt,
        rights: [],
      },
    ],
  },
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
  tool: { use: 'Use it to explain why a policy allowed or rejected a line, rule by rule.' },
  params: DecisionPath,
  answers: Decision,
  localized: true,
  errors: ['decision_not_found'],
  example: { output: decision },
});
