import { reading, replacing } from '../entry.ts';
import { ReasonDefinition, ReasonFacts, ReasonList, ReasonPath, ReasonQuery } from './reasons.ts';
import { canonicalReason, reason, reasonFacts } from '../example-story.ts';

/* The operations on reasons. */

export const listReasons = reading({
  path: '/reasons',
  scope: 'returns:read',
  summary: 'List the reasons for returns',
  description:
    'All of them on one page, by code: the canonical ones, which have version 0 until they are changed, and those that the shop added.',
  query: ReasonQuery,
  answers: ReasonList,
  example: { output: { items: [{ ...canonicalReason, version: 0 }, reason], nextCursor: null } },
});

export const putReason = replacing({
  path: '/reasons/{code}',
  scope: 'returns:admin',
  summary: 'Create or replace a reason for returns',
  description:
    'Replaces the whole reason, or creates it: If-None-Match is for one that has no version yet, which a canonical one that nobody has changed has not either. At most 200 in all. Returns that were requested before stay as they are. Answers 201 for a first version.',
  params: ReasonPath,
  body: ReasonFacts,
  answers: ReasonDefinition,
  ifMatch: 'required_or_none',
  success: [200, 201],
  refuses: ['version_mismatch', 'precondition_required'],
  example: { body: reasonFacts, output: reason },
});
