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
import { PolicyText, PolicyTextQuery } from './policy-text.ts';
import {
  approval,
  archived,
  document,
  draft,
  policy,
  policyId,
  policyText,
  published,
  rule,
  summary,
} from './examples.ts';
import { at } from '../example-story.ts';
import { Backtest, BacktestJob } from '../jobs/backtest-job.ts';
import { job, queued } from '../jobs/examples.ts';

const noGoldenCases = {
  code: 'no_golden_cases',
  severity: 'warning' as const,
  path: '/goldenCases',
  message: 'has no golden cases: nothing checks what the policy decides. Add at least one',
};

/* The operations on policies. */

export const listPolicies = reading({
  path: '/policies',
  scope: 'returns:read',
  summary: 'List policies, the newest first',
  description:
    'Each policy has the number of the version that decides now. It also has the number of the draft where there is one.',
  tool: { use: 'Use it to find the policies and their versions in force.' },
  query: PageQuery,
  answers: PolicyList,
  errors: ['invalid_cursor'],
  example: { output: { items: [policy], nextCursor: null } },
});

export const getPolicy = reading({
  path: '/policies/{policyId}',
  scope: 'returns:read',
  summary: 'Read a policy',
  description: 'The response has no documents of versions: `getVersion` reads them.',
  tool: { use: 'Use it to see the versions of one policy, and its draft.' },
  params: PolicyPath,
  answers: Policy,
  errors: ['policy_not_found'],
  example: { output: policy },
});

export const listVersions = reading({
  path: '/policies/{policyId}/versions',
  scope: 'returns:read',
  summary: 'List the versions of a policy',
  description: 'The newest version is first. The response has no documents: `getVersion` reads them.',
  params: PolicyPath,
  query: PageQuery,
  answers: PolicyVersionList,
  errors: ['policy_not_found', 'invalid_cursor'],
  example: { output: { items: [summary], nextCursor: null } },
});

export const getVersion = reading({
  path: '/policies/{policyId}/versions/{version}',
  scope: 'returns:read',
  summary: 'Read a version of a policy',
  description:
    'The response has the document of the version. A published version never changes, but its period may still become shorter.',
  tool: { use: 'Use it to read the rules of one version of a policy.' },
  params: PolicyVersionPath,
  answers: PolicyVersion,
  errors: ['policy_not_found', 'policy_version_not_found'],
  example: { output: published },
});

export const diffVersions = reading({
  path: '/policies/{policyId}/diff',
  scope: 'returns:read',
  summary: 'Compare two versions of a policy',
  description:
    'The operation compares the documents field by field. It matches rules by their ids: the order of the rules does not matter.',
  params: PolicyPath,
  query: DiffQuery,
  answers: PolicyDiff,
  errors: ['policy_not_found', 'policy_version_not_found'],
  example: {
    output: {
      policyId,
      from: 1,
      to: 2,
      changes: [
        {
          rule: 'window',
          path: '/text',
          change: 'changed' as const,
          before: '30 days from delivery',
          after: '60 days from delivery',
        },
        { rule: 'window', path: '/window/days', change: 'changed' as const, before: 30, after: 60 },
      ],
    },
  },
});

export const createPolicy = creating({
  path: '/policies',
  scope: 'returns:admin',
  summary: 'Create a policy as a draft',
  description:
    'Send a document, or the name of a template that you change later. A deployment has at most 100 policies.\n\nThe operation stores version 1 as a draft. A draft decides nothing before you publish it.\n\nA document with errors, and one policy too many, fail with `policy_invalid`.',
  body: NewPolicy,
  answers: PolicyVersion,
  errors: ['policy_invalid'],
  example: { body: { name: policy.name, document, note: 'Thirty days, as agreed' }, output: draft },
});

export const saveDraft = replacing({
  path: '/policies/{policyId}/draft',
  scope: 'returns:admin',
  summary: 'Save the draft of a policy',
  description:
    'Send exactly one of these headers:\n\n- `If-Match` replaces the draft that has this ETag.\n- `If-None-Match: *` creates the next version as a draft. The policy must not have a draft yet.\n\nA policy has at most 200 versions. To go back to an earlier version, save a copy of it (`copyOf`) and publish the copy.\n\nA document with errors, and one version too many, fail with `policy_invalid`. `If-Match` on a published version fails with `version_published`. A second draft fails with `version_mismatch`.',
  params: PolicyPath,
  body: Draft,
  answers: PolicyVersion,
  ifMatch: 'required_or_none',
  success: [200, 201],
  errors: [
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
  summary: 'Find mistakes in the draft of a policy',
  description:
    'Lint finds these mistakes:\n\n- rules that never apply, or that never have an effect\n- rules that another rule makes redundant\n- rules that contradict each other\n- rules that the law overrides\n- amounts without a currency\n- flat fees that can exceed the value of the goods\n- unknown categories, reasons and lists\n- a draft without a rule of the phase `approval`\n- a draft without golden cases\n\nAn `error` blocks publishing. A `warning` does not. The operation stores nothing.',
  params: PolicyPath,
  answers: PolicyLint,
  errors: ['policy_not_found', 'policy_version_not_found'],
  example: {
    output: {
      policyId,
      version: 1,
      revision: 1,
      findings: [
        {
          code: 'unknown_reason',
          severity: 'error' as const,
          path: '/rules/0/when/value/0',
          message: 'must be a known reason code',
          rules: ['window'],
        },
        noGoldenCases,
      ],
    },
  },
});

export const testDraft = computing({
  path: '/policies/{policyId}/draft/test',
  scope: 'returns:admin',
  summary: 'Run the golden cases of a draft',
  description:
    'The response shows each case with its differences from the expected result, and the facts that it lacks. A failed case blocks publishing. The operation stores nothing.',
  params: PolicyPath,
  answers: PolicyTest,
  errors: ['policy_not_found', 'policy_version_not_found'],
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
          missing: [],
        },
      ],
    },
  },
});

export const backtestDraft = creating({
  path: '/policies/{policyId}/draft/backtest',
  scope: 'returns:admin',
  summary: 'Compare a draft with past decisions',
  description:
    'The policy must have a draft. A client may have five open backtests: the next one fails with 429.\n\nThe operation starts a job and responds at once. The job evaluates the draft, as it is now, on returns that were decided before.\n\n- The job reads the newest decisions of all policies.\n- It compares the decisions that the draft would make. The draft must select the order, and its policy must be the one that decided, or a narrower one.\n- It uses the facts that were stored with each decision. The lists of a customer are those of the version that decided. A fact that this version did not read is unknown.',
  params: PolicyPath,
  body: Backtest,
  answers: BacktestJob,
  errors: ['policy_not_found', 'policy_version_not_found'],
  example: { body: { from: job.request.from }, output: queued },
});

export const shadowDraft = adminCommand({
  path: '/policies/{policyId}/draft/shadow',
  summary: 'Start or stop shadowing a draft',
  description:
    'The policy must have a draft.\n\nWhile `enabled` is true, the service also evaluates the draft for each decision of the policy. It uses the draft as it is at that time. The decision records the verdict and the refund of the draft in `shadow`. The draft has no effect. A draft that cannot be read or evaluated never blocks a decision.\n\nA backtest with the `source` `shadow` counts the differences. Shadowing ends when the draft is published.',
  params: PolicyPath,
  body: Shadowing,
  answers: PolicyVersion,
  errors: ['policy_not_found', 'policy_version_not_found', 'version_mismatch'],
  example: { body: { enabled: true }, output: { ...draft, shadowed: true } },
});

export const publish = adminCommand({
  path: '/policies/{policyId}/publish',
  summary: 'Publish the draft of a policy',
  description:
    'The draft must meet these conditions:\n\n- Lint finds no errors in it (`policy_invalid`).\n- Each golden case passes (`golden_case_failed`).\n- No other policy of the same narrowness can decide for the same orders at that time (`policy_invalid` with `overlap`).\n- If the deployment requires a second person, the caller has saved no revision of it (`second_person_required`).\n\nThe version that was published before decides until this version takes effect. The response has the `warnings` of lint. A draft without golden cases is published with a warning.',
  params: PolicyPath,
  body: Publication,
  answers: PublishedPolicyVersion,
  errors: [
    'policy_not_found',
    'version_published',
    'second_person_required',
    'policy_invalid',
    'golden_case_failed',
    'version_mismatch',
  ],
  example: {
    body: {},
    output: {
      ...published,
      warnings: [noGoldenCases],
    },
  },
});

export const archive = adminCommand({
  path: '/policies/{policyId}/archive',
  summary: 'Archive a policy',
  description:
    'All published versions of the policy end at `at`. Versions that were to start later never start. A draft stays.\n\nWhere no version is in force or starts later, nothing changes.',
  params: PolicyPath,
  body: Archiving,
  answers: Policy,
  errors: ['policy_not_found', 'version_mismatch'],
  example: { body: {}, output: archived },
});

export const getPolicyText = reading({
  path: '/policies/text',
  scope: 'returns:read',
  summary: 'Read what a customer may rely on',
  description:
    'The statements are about complete orders of consumers, placed on `date` in a `country` and `channel`. Without `date` that is today, in the time zone of the country. Without `channel` they hold for every channel.\n\nThe texts are in `language`, or else in the language of `Accept-Language`. `format` selects one of the formats.\n\nA statement is made only where every decision agrees with it. It names no rule on single customers and no threshold. `omitted` lists what cannot be said exactly, and why. Where no policy applies for certain, the list of statements is empty.\n\nA date that does not exist fails with `invalid_request`.',
  tool: {
    use: 'Use it to tell a customer the return policy of a country: these sentences are what the engine does.',
    input: ['country', 'channel', 'date', 'language'],
  },
  query: PolicyTextQuery,
  answers: PolicyText,
  localized: true,
  errors: [],
  example: {
    output: policyText,
  },
});
