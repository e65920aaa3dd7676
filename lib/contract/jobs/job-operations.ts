import { reading, type Operation } from '../operation.ts';

/* The operations that compare drafts with what is decided, take returns out, erase people, and follow long pieces of work, as lib/contract/operations.ts has those on returns. */

export const backtestDraft = {
  name: 'backtestDraft',
  summary: 'Compare the draft of a policy with decisions that were made',
  method: 'POST',
  path: '/policies/{policyId}/draft/backtest',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: ['policy_not_found', 'policy_version_not_found'],
} as const satisfies Operation;

export const shadowDraft = {
  name: 'shadowDraft',
  summary: 'Evaluate the draft of a policy beside its decisions, without effect',
  method: 'POST',
  path: '/policies/{policyId}/draft/shadow',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['policy_not_found', 'policy_version_not_found', 'version_mismatch'],
} as const satisfies Operation;

export const createExport = {
  name: 'createExport',
  summary: 'Write returns into files',
  method: 'POST',
  path: '/exports',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: [],
} as const satisfies Operation;

export const eraseCustomer = {
  name: 'eraseCustomer',
  summary: 'Erase what is kept of a person',
  method: 'POST',
  path: '/erasures',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: [],
} as const satisfies Operation;

export const listJobs = /* @__PURE__ */ reading({
  name: 'listJobs',
  summary: 'List jobs, newest first',
  path: '/jobs',
  scope: 'returns:admin',
  query: ['status', 'kind', 'limit', 'cursor'],
  refusals: ['invalid_cursor'],
});

export const getJob = /* @__PURE__ */ reading({
  name: 'getJob',
  summary: 'Read how far a job has come, and what it has found',
  path: '/jobs/{jobId}',
  scope: 'returns:admin',
  query: [],
  refusals: ['job_not_found'],
});

export const cancelJob = {
  name: 'cancelJob',
  summary: 'Cancel a job',
  method: 'POST',
  path: '/jobs/{jobId}/cancel',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: ['job_not_found', 'invalid_transition'],
} as const satisfies Operation;
