import { reading, replacing } from '../entry.ts';
import { ReasonDefinition, ReasonFacts, ReasonList, ReasonPath, ReasonQuery } from './reasons.ts';
import { canonicalReason, reason, reasonFacts } from '../example-story.ts';

/* The operations on reasons. */

export const listReasons = reading({
  path: '/reasons',
  scope: 'returns:read',
  summary: 'List the reasons for returns',
  description:
    'One page has all reasons, sorted by code. It has the canonical reasons and those that the shop added. A canonical reason has version 0 until the shop changes it.',
  tool: { use: 'Use it for the codes of reasons that createReturn accepts.' },
  query: ReasonQuery,
  answers: ReasonList,
  example: { output: { items: [{ ...canonicalReason, version: 0 }, reason], nextCursor: null } },
});

export const putReason = replacing({
  path: '/reasons/{code}',
  scope: 'returns:admin',
  summary: 'Create or replace a reason for returns',
  description:
    'Send `If-None-Match: *` for a reason that has no version yet, and `If-Match` for any other. A canonical reason that was never changed has no version. There are at most 200 reasons in total.\n\nThe operation replaces the whole reason, or creates it. Earlier returns do not change. The status is 201 for the first version of a reason.',
  params: ReasonPath,
  body: ReasonFacts,
  answers: ReasonDefinition,
  ifMatch: 'required_or_none',
  success: [200, 201],
  errors: ['version_mismatch', 'precondition_required'],
  example: { body: reasonFacts, output: reason },
});
