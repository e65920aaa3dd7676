import { ulid } from 'ulid';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Facts } from '../../../lib/domain/policies/facts.ts';
import type { PolicyDocument } from '../../../lib/domain/policies/lifecycle/golden.ts';
import { evaluationDigest, type StoredDecision } from '../../../lib/domain/policies/decision/stored-decision.ts';

export const millisecondsOfDay = 86_400_000;

/** Returns a policy that accepts goods for the given days, without a review. */
export const allowing = (days: number, seller?: string): PolicyDocument => ({
  ...(seller === undefined ? {} : { selectors: { sellers: [seller] } }),
  rules: [
    { id: 'window', phase: 'window', text: `${days} days`, window: { anchor: 'delivered', days } },
    { id: 'auto', phase: 'approval', text: 'No review', approval: 'auto' },
  ],
});

/** Returns the facts of a request the given days after delivery, without a statutory right. */
export const factsAfter = (days: number, requestedAt: number, seller = 'own'): Facts => ({
  requestedAt: new Date(requestedAt).toISOString(),
  order: {
    platform: 'own',
    country: 'US',
    seller,
    currency: 'USD',
    completeness: 'full',
    timeZone: 'UTC',
    value: 1000,
  },
  customer: {},
  return: { initiatedBy: 'customer', isGift: false, quantity: 1, value: 1000, reasons: ['other'], skus: ['SHIRT-M'] },
  lines: [
    {
      orderLineId: '1',
      quantity: 1,
      value: 1000,
      reason: 'other',
      reasonGroup: 'other',
      categories: ['shirts'],
      resolution: 'refund',
      hasNote: false,
      hasEvidence: false,
      delivered: true,
      deliveredAt: new Date(requestedAt - days * millisecondsOfDay).toISOString(),
      rights: [],
    },
  ],
});

/** Returns the stored decision of a version. */
export const storedDecision = (
  {
    policyId,
    version,
    document,
  }: { readonly policyId: string; readonly version: number; readonly document: PolicyDocument },
  facts: Facts,
): StoredDecision => {
  const at = Date.parse(facts.requestedAt);
  return {
    id: `dec_${ulid(at)}`,
    at: facts.requestedAt,
    order: { platform: 'own', orderId: ulid(at) },
    returnId: `ret_${ulid(at)}`,
    policyId,
    version,
    facts,
    digest: evaluationDigest(evaluate(compilePolicy(document), facts)),
  };
};
