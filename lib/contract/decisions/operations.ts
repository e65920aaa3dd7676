import { reading } from '../entry.ts';
import { Decision, DecisionPath } from './decision.ts';
import { decision } from './examples.ts';

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
