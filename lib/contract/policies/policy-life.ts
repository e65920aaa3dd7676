import Type from 'typebox';
import { about, Actor, closed, id, Instant, oneOf, orNull, text } from '../scalars.ts';

/** The document of a policy. The domain has its schema, which the published OpenAPI document shows. */
const PolicyDocument = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'PolicyDocument',
  description:
    'The content of one version of a policy. The service checks the whole document and reports each error with its path (`policy_invalid`).',
});

const { Optional: optional, Array: list } = Type;

const PolicyId = id('pol');
const VersionNumber = Type.Integer({ minimum: 1, maximum: 200 });
const Revision = Type.Integer({ minimum: 1 });
const Name = text(100, { examples: ['Standard'] });
const Note = text(4000);

const policyId = about(PolicyId, 'The id of the policy.');
const name = about(Name, 'The name of the policy, for people.');
const version = about(VersionNumber, 'The number of the version in its policy.');
const note = optional(about(Note, 'A note on the version, for people.'));
const nextCursor = about(orNull(Type.String()), 'The `cursor` of the next page. null on the last page.');

export const PolicyPath = closed({ policyId: PolicyId });
export const PolicyVersionPath = closed({ policyId: PolicyId, version: VersionNumber });

export const Policy = closed(
  {
    policyId,
    name,
    revision: about(Revision, 'The number of changes to the policy. It is the ETag.'),
    latest: about(VersionNumber, 'The number of the newest version.'),
    draft: optional(about(VersionNumber, 'The number of the draft. Absent where the policy has no draft.')),
    inForce: optional(
      about(
        VersionNumber,
        'The number of the version that decides now for the orders that it selects. Absent where no version is in force.',
      ),
    ),
    createdAt: about(Instant, 'When the policy was created.'),
    updatedAt: about(Instant, 'When the policy last changed.'),
  },
  { $id: 'Policy', description: 'A policy. Its versions contain the rules.' },
);

export const PolicyList = closed(
  { items: about(list(Policy), 'The policies of the page, the newest first.'), nextCursor },
  { $id: 'PolicyList', description: 'A page of policies.' },
);

const head = {
  policyId,
  version,
  status: about(
    oneOf('draft', 'published', 'superseded', 'archived'),
    '`draft`: it may still change. `published`: it decides now, or at a later time. `superseded`: a later version replaced it. `archived`: it ended without a replacement.',
  ),
  revision: about(
    Revision,
    'The number of times the version was written, publishing included. It is the ETag. It never changes after publishing.',
  ),
  shadowed: optional(
    about(
      Type.Boolean(),
      'true while the service also evaluates the draft for each decision, without effect. Absent otherwise.',
    ),
  ),
  note,
  createdAt: about(Instant, 'When the version was created as a draft.'),
  createdBy: about(Actor, 'The client that created the version.'),
  updatedAt: about(Instant, 'When the draft was last saved.'),
  updatedBy: about(Actor, 'The client that last saved the draft.'),
  publishedAt: optional(about(Instant, 'When the version was published. Absent for a draft.')),
  publishedBy: optional(about(Actor, 'The client that published the version. Absent for a draft.')),
  effectiveFrom: optional(about(Instant, 'The time from which the version decides. Absent for a draft.')),
  effectiveUntil: optional(
    about(Instant, 'The time at which the version stops deciding. Absent while the version has no end.'),
  ),
  archivedAt: optional(
    about(Instant, 'The time from which the version is archived. Absent where it was not archived.'),
  ),
  archivedBy: optional(about(Actor, 'The client that archived the policy. Absent where it was not archived.')),
};

const document = about(PolicyDocument, 'The rules and settings of the version.');

export const PolicyVersion = closed(
  { ...head, document },
  {
    $id: 'PolicyVersion',
    description:
      'A version of a policy with its document. A published version never changes. It decides from `effectiveFrom` until `effectiveUntil`, or until another version replaces it.',
  },
);

const PolicyVersionSummary = closed(head, {
  $id: 'PolicyVersionSummary',
  description: 'A version of a policy without its document.',
});

export const PolicyVersionList = closed(
  { items: about(list(PolicyVersionSummary), 'The versions of the page, the newest first.'), nextCursor },
  { $id: 'PolicyVersionList', description: 'A page of versions of a policy.' },
);

export const NewPolicy = closed(
  {
    name,
    document: optional(about(PolicyDocument, 'The document of the first version. Required without `template`.')),
    template: optional(about(oneOf('standard'), 'A built-in document to start with, in place of `document`.')),
    note,
  },
  { $id: 'NewPolicy', description: 'A new policy. Send exactly one of `document` and `template`.' },
);

export const Draft = closed(
  {
    document: optional(about(PolicyDocument, 'The new document of the draft. Required without `copyOf`.')),
    copyOf: optional(about(VersionNumber, 'The number of a version of this policy to copy, in place of `document`.')),
    name: optional(
      about(Name, 'A new name of the policy. It takes effect at once. If absent, the policy keeps its name.'),
    ),
    note: optional(about(Note, 'A note on the draft, for people. If absent, the draft has no note.')),
  },
  { $id: 'Draft', description: 'The content of a draft. Send exactly one of `document` and `copyOf`.' },
);

export const DiffQuery = closed({ from: VersionNumber, to: VersionNumber });

const PolicyChange = closed(
  {
    rule: optional(about(text(100), 'The id of the rule that differs. Absent for other fields of the document.')),
    path: about(
      Type.String(),
      'The JSON Pointer of the difference, from the rule or from the document. Empty for a whole rule.',
    ),
    change: about(oneOf('added', 'removed', 'changed'), 'What version `to` does to the value of version `from`.'),
    before: optional(about(Type.Unknown(), 'The value in version `from`. Absent where it was added.')),
    after: optional(about(Type.Unknown(), 'The value in version `to`. Absent where it was removed.')),
  },
  { $id: 'PolicyChange', description: 'One difference between two versions of a policy.' },
);

export const PolicyDiff = closed(
  {
    policyId,
    from: about(VersionNumber, 'The number of the version that is compared.'),
    to: about(VersionNumber, 'The number of the version that it is compared with.'),
    changes: about(list(PolicyChange), 'The differences: first the fields of the document, then each rule.'),
  },
  { $id: 'PolicyDiff', description: 'The differences from one version of a policy to another.' },
);

const PolicyFinding = closed(
  {
    code: about(text(100), 'The kind of mistake, such as `unreachable`.'),
    severity: about(oneOf('error', 'warning'), 'An `error` blocks publishing. A `warning` does not.'),
    path: about(Type.String(), 'The JSON Pointer of the mistake in the document.'),
    message: about(text(1000), 'The mistake in words, in English.'),
    values: optional(
      about(
        Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        'What `message` names beside rules, by name, for a text in another language. Absent where it names nothing else.',
      ),
    ),
    rules: optional(
      about(list(text(100)), 'The ids of the rules that cause the mistake. Absent where no rule causes it.'),
    ),
  },
  { $id: 'PolicyFinding', description: 'A mistake that lint finds in a policy.' },
);

export const PublishedPolicyVersion = closed(
  {
    ...head,
    document,
    warnings: about(
      list(PolicyFinding),
      'The warnings of lint, at most 100. They do not block publishing. `lintDraft` shows all of them before.',
    ),
  },
  { $id: 'PublishedPolicyVersion', description: 'A version that was just published, with the warnings of lint.' },
);

const revision = about(Revision, 'The revision of the draft that was checked.');

export const PolicyLint = closed(
  {
    policyId,
    version,
    revision,
    findings: about(list(PolicyFinding), 'The mistakes in the draft. Empty where lint finds none.'),
  },
  { $id: 'PolicyLint', description: 'The mistakes that lint finds in a draft.' },
);

const CaseDifference = closed({
  path: about(Type.String(), 'The JSON Pointer of the difference, from `expect` of the case.'),
  expected: about(Type.Unknown(), 'The value that the case expects.'),
  found: about(Type.Unknown(), 'The value of the evaluation. null where the evaluation has no such value.'),
});

const GoldenCaseResult = closed(
  {
    name: about(text(200), 'The name of the case.'),
    passed: about(Type.Boolean(), 'Whether the evaluation has all expected values.'),
    differences: about(
      list(CaseDifference),
      'The values that differ from the expected ones. Empty where the case passes.',
    ),
    missing: about(
      list(text(200)),
      'The names of the facts that rules needed and the case does not have, sorted. Such a line needs a review.',
    ),
  },
  { $id: 'GoldenCaseResult', description: 'The result of one golden case.' },
);

export const PolicyTest = closed(
  {
    policyId,
    version,
    revision,
    passed: about(Type.Boolean(), 'Whether all cases pass. true for a draft without cases.'),
    cases: about(list(GoldenCaseResult), 'The results of the cases, in the order of the document.'),
  },
  { $id: 'PolicyTest', description: 'The results of the golden cases of a draft.' },
);

export const Shadowing = closed(
  {
    enabled: about(
      Type.Boolean(),
      'true: the service also evaluates the draft for each decision of the policy, without effect. false: it stops.',
    ),
  },
  { $id: 'Shadowing', description: 'Whether the service evaluates a draft in shadow mode.' },
);

export const Publication = closed(
  {
    effectiveFrom: optional(
      about(Instant, 'The time from which the version decides. It must not be in the past. If absent, now.'),
    ),
    effectiveUntil: optional(
      about(Instant, 'The time at which the version stops deciding. If absent, the version has no end.'),
    ),
  },
  { $id: 'Publication', description: 'The period in which the published version decides.' },
);

export const Archiving = closed(
  {
    at: optional(
      about(Instant, 'The time at which the policy stops deciding. It must not be in the past. If absent, now.'),
    ),
  },
  { $id: 'Archiving', description: 'The time at which a policy ends.' },
);
