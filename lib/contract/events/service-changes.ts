import Type from 'typebox';
import { about, Count, id, Instant, Sha256Hex } from '../scalars.ts';
import { openChange } from './change-fields.ts';

const { Optional: optional } = Type;

const policyId = about(id('pol'), 'The id of the policy.');
const policyName = about(Type.String(), 'The name of the policy.');

const earlier = about(
  Type.Object({
    at: about(Instant, 'When the previous tree was begun.'),
    size: about(Count, 'The number of returns in the previous tree.'),
    found: about(Count, 'The number of those returns that the new tree contains. The service deletes no return.'),
  }),
  'The previous anchor. Absent in the first one.',
);

/** The changes of policies, anchors, erasures, webhook endpoints and summaries, by event type. */
export const serviceChanges = {
  'policy.archived': openChange('Emitted when a policy is archived.', {
    policyId,
    name: policyName,
    archivedFrom: about(Instant, 'From when the policy decides no return.'),
  }),
  'policy.published': openChange('Emitted when a version of a policy is published.', {
    policyId,
    name: policyName,
    version: about(Count, 'The number of the published version.'),
    effectiveFrom: about(Instant, 'From when the version decides returns.'),
    effectiveUntil: optional(about(Instant, 'Until when the version decides returns. Absent when no end is set.')),
  }),
  'policy.superseded': openChange('Emitted when a version of a policy replaces an earlier version.', {
    policyId,
    version: about(Count, 'The number of the replaced version.'),
    supersededBy: about(Count, 'The number of the version that replaces it.'),
    effectiveUntil: about(Instant, 'Until when the replaced version decided returns.'),
  }),
  'history.anchored': openChange('Emitted when the service anchors the histories of all returns in one Merkle root.', {
    at: about(Instant, 'When the tree was begun.'),
    before: about(Type.String(), 'The tree contains every return whose id is lower than this one.'),
    size: about(Count, 'The number of returns in the tree.'),
    root: about(Sha256Hex, 'The Merkle root over the histories of these returns.'),
    earlier: optional(earlier),
  }),
  'privacy.erased': openChange(
    'Emitted when an erasure job has ended. The event contains the job and its counts, and does not identify the person.',
    {},
  ),
  'webhook_endpoint.disabled': openChange(
    'Emitted when the service disables a webhook endpoint after failures of 72 hours or a status 410.',
    {},
  ),
  'summary.daily': openChange('Emitted when the service has summarized the returns that were requested on a day.', {
    day: about(Type.String(), 'The day in UTC, such as 2026-11-20.'),
    returns: about(Count, 'The number of returns that were requested on this day.'),
  }),
};
