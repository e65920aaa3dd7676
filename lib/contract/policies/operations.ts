import { adminCommand, computing, creating, reading, replacing } from '../entry.ts';
import { PageQuery } from '../scalars.ts';
import {
  Archiving,
  DiffQuery,
  Draft,
  NewPolicy,
  Policy,
  PolicyDiff,
  PolicyLint,
  PolicyList,
  PolicyPath,
  PolicyTest,
  PolicyVersion,
  PolicyVersionList,
  PolicyVersionPath,
  Publication,
  PublishedPolicyVersion,
  Shadowing,
} from './policy-life.ts';
import { approval, document, draft, policy, policyId, published, rule, summary } from './examples.ts';
import { at } from '../example-story.ts';
import { Backtest, BacktestJob } from '../jobs/job.ts';
import { job, queued } from '../jobs/examples.ts';

/* The operations on policies. */

export const listPolicies = reading({
  path: '/policies',
  scope: 'returns:read',
  summary: 'List policies, the newest first',
  description: 'With the version that decides now, and the draft where there is one.',
  query: PageQuery,
  answers: PolicyList,
  refuses: ['invalid_cursor'],
  example: { output: { items: [policy], nextCursor: null } },
});

export const getPolicy = reading({
  path: '/policies/{policyId}',
  scope: 'returns:read',
  summary: 'Read a policy',
  description: 'Without what its versions say.',
  params: PolicyPath,
  answers: Policy,
  refuses: ['policy_not_found'],
  example: { output: policy },
});

export const listVersions = reading({
  path: '/policies/{policyId}/versions',
  scope: 'returns:read',
  summary: 'List the versions of a policy, the newest first',
  description: 'Without what they say.',
  params: PolicyPath,
  query: PageQuery,
  answers: PolicyVersionList,
  refuses: ['policy_not_found', 'invalid_cursor'],
  example: { output: { items: [summary], nextCursor: null } },
});

export const getVersion = reading({
  path: '/policies/{policyId}/versions/{version}',
  scope: 'returns:read',
  summary: 'Read a version of a policy',
  description: 'With what it says. A published version never changes; when it decides may still be cut short.',
  params: PolicyVersionPath,
  answers: PolicyVersion,
  refuses: ['policy_not_found', 'policy_version_not_found'],
  example: { output: published },
});

export const diffVersions = reading({
  path: '/policies/{policyId}/diff',
  scope: 'returns:read',
  summary: 'Read what two versions of a policy say differently',
  description: 'Field by field. Rules are told apart by their ids, in whatever order they stand.',
  params: PolicyPath,
  query: DiffQuery,
  answers: PolicyDiff,
  refuses: ['policy_not_found', 'policy_version_not_found'],
  example: {
    output: {
      policyId,
      from: 1,
      to: 2,
      changes: [{ rule: 'window', path: '/window/days', change: 'changed' as const, before: 30, after: 60 }],
    },
  },
});

export const createPolicy = creating({
  path: '/policies',
  scope: 'returns:admin',
  summary: 'Create a policy, as a draft',
  description:
    'From a document, or from a template to be changed. Nothing of it decides before it is published. There may be 100 policies.',
  body: NewPolicy,
  answers: PolicyVersion,
  refuses: ['policy_invalid'],
  example: { body: { name: policy.name, document, note: 'Thirty days, as agreed' }, output: draft },
});

export const saveDraft = replacing({
  path: '/policies/{policyId}/draft',
  scope: 'returns:admin',
  summary: 'Save the draft of a policy, or begin the next one',
  description:
    'With `If-Match` it replaces the draft whose ETag that is. With `If-None-Match: *` it begins the next version: there must be no draft then. Going back to an earlier version is publishing a copy of it: `copyOf`. A policy may have 200 versions.',
  params: PolicyPath,
  body: Draft,
  answers: PolicyVersion,
  ifMatch: 'required_or_none',
  success: [200, 201],
  refuses: [
    'policy_not_found',
    'policy_version_not_found',
    'version_published',
    'policy_invalid',
    'version_mismatch',
    'precondition_required',
  ],
  example: {
    body: { document: { ...document, rules: [rule(60), approval] }, note: 'Sixty days' },
    output: {
      ...draft,
      version: 2,
      note: 'Sixty days',
      createdAt: at.decided,
      updatedAt: at.decided,
      document: { ...document, rules: [rule(60), approval] },
    },
  },
});

export const lintDraft = computing({
  path: '/policies/{policyId}/draft/lint',
  scope: 'returns:admin',
  summary: 'Look for mistakes in the draft of a policy',
  description:
    'Finds rules that can never hold or never count, that another rule makes needless, that contradict each other, or that the law overrules. It also finds amounts without a currency, and a draft without golden cases. An `error` keeps the draft from being published, a `warning` does not. Stores nothing.',
  params: PolicyPath,
  answers: PolicyLint,
  refuses: ['policy_not_found', 'policy_version_not_found'],
  example: {
    output: {
      policyId,
      version: 1,
      revision: 1,
      findings: [
        {
          code: 'reason_unknown',
          severity: 'error' as const,
          path: '/rules/0/when/value/0',
          message: 'must be a reason: fit.too_small, say',
          rules: ['window'],
        },
      ],
    },
  },
});

export const testDraft = computing({
  path: '/policies/{policyId}/draft/test',
  scope: 'returns:admin',
  summary: 'Run the golden cases of the draft of a policy',
  description:
    'Each case with what came out otherwise. Stores nothing. A case that fails keeps the draft from being published.',
  params: PolicyPath,
  answers: PolicyTest,
  refuses: ['policy_not_found', 'policy_version_not_found'],
  example: {
    output: {
      policyId,
      version: 1,
      revision: 1,
      passed: false,
      cases: [
        {
          name: 'A shirt comes late',
          passed: false,
          differences: [{ path: '/verdict', expected: 'rejected', found: 'needs_review' }],
        },
      ],
    },
  },
});

export const backtestDraft = creating({
  path: '/policies/{policyId}/draft/backtest',
  scope: 'returns:admin',
  summary: 'Compare the draft of a policy with decisions that were made',
  description:
    'Begins a job and answers at once, unless the client has five open backtests (429): what the draft, as it is now, would have decided on returns that were decided already. Looked at are the newest, those of all policies; compared are those that the draft would decide: of the same policy, or of a wider one, for orders that it selects. Facts are those that were kept: which lists a customer was on as the version that decided had them, and nothing that it did not look at.',
  params: PolicyPath,
  body: Backtest,
  answers: BacktestJob,
  refuses: ['policy_not_found', 'policy_version_not_found'],
  example: { body: { from: job.request.from }, output: queued },
});

export const shadowDraft = adminCommand({
  path: '/policies/{policyId}/draft/shadow',
  summary: 'Evaluate the draft of a policy beside its decisions, without effect',
  description:
    'While it is `enabled`, each decision of the policy notes what the draft, as it then is, would have decided and paid (`shadow` of the decision). That has no effect; a draft that cannot be read or evaluated hinders nobody. A backtest with the `source` `shadow` counts what differed. It ends when the draft is published.',
  params: PolicyPath,
  body: Shadowing,
  answers: PolicyVersion,
  refuses: ['policy_not_found', 'policy_version_not_found', 'version_mismatch'],
  example: { body: { enabled: true }, output: { ...draft, shadowed: true } },
});

export const publish = adminCommand({
  path: '/policies/{policyId}/publish',
  summary: 'Publish the draft of a policy',
  description:
    'What was published of the policy before decides until this version does. Refused while lint finds errors, while a golden case fails, and while it could decide for the same orders at the same time as another policy that is as narrow (`overlap`). The `warnings` of lint come with the answer: a draft without golden cases is published with one.',
  params: PolicyPath,
  body: Publication,
  answers: PublishedPolicyVersion,
  refuses: ['policy_not_found', 'version_published', 'policy_invalid', 'golden_case_failed', 'version_mismatch'],
  example: {
    body: { effectiveFrom: at.asked },
    output: {
      ...published,
      warnings: [
        {
          code: 'no_golden_cases',
          severity: 'warning' as const,
          path: '/goldenCases',
          message: 'has no golden cases: nothing checks what the policy decides. Add at least one',
        },
      ],
    },
  },
});

export const archive = adminCommand({
  path: '/policies/{policyId}/archive',
  summary: 'Archive a policy: nothing of it decides any more',
  description:
    'All that is published of the policy ends then, what was to come later too; a draft stays. Where nothing is in force or to come, nothing changes.',
  params: PolicyPath,
  body: Archiving,
  answers: Policy,
  refuses: ['policy_not_found', 'version_mismatch'],
  example: { body: { at: at.came }, output: { ...policy, revision: 3, updatedAt: at.came } },
});
