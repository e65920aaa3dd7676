import { at } from '../example-story.ts';
import type { Output } from '../schemas.ts';

const policyId = 'pol_01KAJ3S7W4E6R8T0Y2V4X6Z8B0';
const actor = { clientId: 'shop-office' };
const rule = (days: number) => ({
  id: 'window',
  phase: 'window',
  text: `${days} days from delivery`,
  window: { anchor: 'delivered', days },
});
const approval = { id: 'all', phase: 'approval', text: 'Somebody looks at every return.', approval: 'manual' };
const document = { selectors: { countries: ['DE'] }, rules: [rule(30), approval] };

const policy: Output<'getPolicy'> = {
  policyId,
  name: 'Germany',
  revision: 2,
  latest: 1,
  inForce: 1,
  createdAt: at.ordered,
  updatedAt: at.asked,
};

const draft: Output<'getVersion'> = {
  policyId,
  version: 1,
  status: 'draft',
  revision: 1,
  note: 'Thirty days, as agreed',
  createdAt: at.ordered,
  createdBy: actor,
  updatedAt: at.ordered,
  updatedBy: actor,
  document,
};

const published: Output<'getVersion'> = {
  ...draft,
  status: 'published',
  revision: 2,
  publishedAt: at.asked,
  publishedBy: actor,
  effectiveFrom: at.asked,
};
const { document: _, ...summary } = published;

/** A shop writes down by what rules it takes goods back, and publishes them. */
export const policyExamples = {
  listPolicies: { body: {}, output: { items: [policy], nextCursor: null } },
  getPolicy: { body: {}, output: policy },
  listVersions: { body: {}, output: { items: [summary], nextCursor: null } },
  getVersion: { body: {}, output: published },
  diffVersions: {
    body: {},
    output: {
      policyId,
      from: 1,
      to: 2,
      changes: [{ rule: 'window', path: '/window/days', change: 'changed' as const, before: 30, after: 60 }],
    },
  },
  createPolicy: { body: { name: policy.name, document, note: 'Thirty days, as agreed' }, output: draft },
  saveDraft: {
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
  lintDraft: {
    body: {},
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
  testDraft: {
    body: {},
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
  shadowDraft: { body: { enabled: true }, output: { ...draft, shadowed: true } },
  publish: {
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
  archive: { body: { at: at.came }, output: { ...policy, revision: 3, updatedAt: at.came } },
};
