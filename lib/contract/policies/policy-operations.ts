import { reading, type Operation } from '../operation.ts';

/*
 * The operations on what is decided: quotes, decisions, policies and reasons, as lib/contract/operations.ts has those on
 * orders and returns.
 */

export const quoteReturn = {
  name: 'quoteReturn',
  summary: 'Work out what a refund would come to, of a return or of one that might be asked for',
  method: 'POST',
  path: '/quotes',
  scope: 'returns:read',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  localized: true,
  success: [200],
  refusals: [
    'order_not_found',
    'order_line_not_found',
    'reason_unknown',
    'quantity_exceeds_returnable',
    'return_not_found',
    'return_line_not_found',
    'inspection_pending',
    'refund_exceeds_ceiling',
    'shipping_refund_exceeds_paid',
    'currency_mismatch',
  ],
} as const satisfies Operation;

export const getDecision = /* @__PURE__ */ reading({
  name: 'getDecision',
  summary: 'Read what a policy decided, by which rules, and what would have had to be otherwise',
  path: '/decisions/{decisionId}',
  scope: 'returns:read',
  query: [],
  localized: true,
  refusals: ['decision_not_found'],
});

export const listPolicies = /* @__PURE__ */ reading({
  name: 'listPolicies',
  summary: 'List policies, the newest first',
  path: '/policies',
  scope: 'returns:read',
  query: ['limit', 'cursor'],
  refusals: ['invalid_cursor'],
});

export const getPolicy = /* @__PURE__ */ reading({
  name: 'getPolicy',
  summary: 'Read a policy',
  path: '/policies/{policyId}',
  scope: 'returns:read',
  query: [],
  refusals: ['policy_not_found'],
});

export const listVersions = /* @__PURE__ */ reading({
  name: 'listVersions',
  summary: 'List the versions of a policy, the newest first',
  path: '/policies/{policyId}/versions',
  scope: 'returns:read',
  query: ['limit', 'cursor'],
  refusals: ['policy_not_found', 'invalid_cursor'],
});

export const getVersion = /* @__PURE__ */ reading({
  name: 'getVersion',
  summary: 'Read a version of a policy',
  path: '/policies/{policyId}/versions/{version}',
  scope: 'returns:read',
  query: [],
  refusals: ['policy_not_found', 'policy_version_not_found'],
});

export const diffVersions = /* @__PURE__ */ reading({
  name: 'diffVersions',
  summary: 'Read what two versions of a policy say differently',
  path: '/policies/{policyId}/diff',
  scope: 'returns:read',
  query: ['from', 'to'],
  refusals: ['policy_not_found', 'policy_version_not_found'],
});

export const createPolicy = {
  name: 'createPolicy',
  summary: 'Create a policy, as a draft',
  method: 'POST',
  path: '/policies',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: ['policy_invalid'],
} as const satisfies Operation;

export const saveDraft = {
  name: 'saveDraft',
  summary: 'Save the draft of a policy, or begin the next one',
  method: 'PUT',
  path: '/policies/{policyId}/draft',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'required_or_none',
  dryRun: true,
  success: [200, 201],
  refusals: [
    'policy_not_found',
    'policy_version_not_found',
    'version_published',
    'policy_invalid',
    'version_mismatch',
    'precondition_required',
  ],
} as const satisfies Operation;

export const lintDraft = {
  name: 'lintDraft',
  summary: 'Look for mistakes in the draft of a policy',
  method: 'POST',
  path: '/policies/{policyId}/draft/lint',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['policy_not_found', 'policy_version_not_found'],
} as const satisfies Operation;

export const testDraft = {
  name: 'testDraft',
  summary: 'Run the golden cases of the draft of a policy',
  method: 'POST',
  path: '/policies/{policyId}/draft/test',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['policy_not_found', 'policy_version_not_found'],
} as const satisfies Operation;

export const publish = {
  name: 'publish',
  summary: 'Publish the draft of a policy',
  method: 'POST',
  path: '/policies/{policyId}/publish',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['policy_not_found', 'version_published', 'policy_invalid', 'golden_case_failed', 'version_mismatch'],
} as const satisfies Operation;

export const archive = {
  name: 'archive',
  summary: 'Archive a policy: nothing of it decides any more',
  method: 'POST',
  path: '/policies/{policyId}/archive',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['policy_not_found', 'version_mismatch'],
} as const satisfies Operation;

export const listReasons = /* @__PURE__ */ reading({
  name: 'listReasons',
  summary: 'List the reasons for returns',
  path: '/reasons',
  scope: 'returns:read',
  query: ['active'],
  refusals: [],
});

export const putReason = {
  name: 'putReason',
  summary: 'Create or replace a reason for returns',
  method: 'PUT',
  path: '/reasons/{code}',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'required_or_none',
  dryRun: true,
  success: [200, 201],
  refusals: ['version_mismatch', 'precondition_required'],
} as const satisfies Operation;
