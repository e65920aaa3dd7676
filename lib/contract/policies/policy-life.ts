import Type from 'typebox';
import { Actor, closed, id, Instant, oneOf, orNull, text } from '../scalars.ts';

/**
 * What a policy says: `rules` (each with `id`, `phase`, `text`, the effect of its phase, and `when` it holds), and where
 * needed `selectors`, `favorable`, `categories`, `conditions`, `lists`, `holidays`, and `goldenCases` that must come out as
 * they say before it is published. `language` is that of `text`; `texts` of a rule has the same in other languages. To the
 * schema it is any object: what makes one a policy is looked at in whole, and told with its place by `policy_invalid`.
 */
const PolicyDocument = Type.Record(Type.String(), Type.Unknown(), { $id: 'PolicyDocument' });

const { Optional: optional, Array: list } = Type;

const PolicyId = id('pol');
const VersionNumber = Type.Integer({ minimum: 1, maximum: 200 });
const Revision = Type.Integer({ minimum: 1 });
const Name = text(100, { examples: ['Standard'] });
const Note = text(4000);

export const PolicyPath = closed({ policyId: PolicyId });
export const PolicyVersionPath = closed({ policyId: PolicyId, version: VersionNumber });

/**
 * A policy; its versions say what holds. `latest` is the newest of them, `draft` the one that may still be changed, `inForce`
 * the one that decides now for the orders it selects. `revision`, the ETag, counts the changes of what stands here.
 */
export const Policy = closed(
  {
    policyId: PolicyId,
    name: Name,
    revision: Revision,
    latest: VersionNumber,
    draft: optional(VersionNumber),
    inForce: optional(VersionNumber),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Policy' },
);

/** The newest first. */
export const PolicyList = closed({ items: list(Policy), nextCursor: orNull(Type.String()) }, { $id: 'PolicyList' });

const head = {
  policyId: PolicyId,
  version: VersionNumber,
  status: oneOf('draft', 'published', 'superseded', 'archived'),
  revision: Revision,
  shadowed: optional(Type.Boolean()),
  note: optional(Note),
  createdAt: Instant,
  createdBy: Actor,
  updatedAt: Instant,
  updatedBy: Actor,
  publishedAt: optional(Instant),
  publishedBy: optional(Actor),
  effectiveFrom: optional(Instant),
  effectiveUntil: optional(Instant),
  archivedAt: optional(Instant),
  archivedBy: optional(Actor),
};

/**
 * A version of a policy. `revision`, the ETag, counts how often it was written, publishing included; after that it stays, and
 * so does what the version says. It decides from `effectiveFrom` until `effectiveUntil`, or until another one follows.
 */
export const PolicyVersion = closed({ ...head, document: PolicyDocument }, { $id: 'PolicyVersion' });

/** A version without what it says. */
const PolicyVersionSummary = closed(head, { $id: 'PolicyVersionSummary' });

/** The newest first. */
export const PolicyVersionList = closed(
  { items: list(PolicyVersionSummary), nextCursor: orNull(Type.String()) },
  { $id: 'PolicyVersionList' },
);

/** What it is to say: a document, or a template to begin with. */
export const NewPolicy = closed(
  {
    name: Name,
    document: optional(PolicyDocument),
    template: optional(oneOf('standard')),
    note: optional(Note),
  },
  { $id: 'NewPolicy' },
);

/** What the draft is to say: a document, or a copy of an earlier version. `name` is the policy's, and holds at once. */
export const Draft = closed(
  {
    document: optional(PolicyDocument),
    copyOf: optional(VersionNumber),
    name: optional(Name),
    note: optional(Note),
  },
  { $id: 'Draft' },
);

export const DiffQuery = closed({ from: VersionNumber, to: VersionNumber });

/** What differs at one place: `before` is not there where it was added, `after` where it was removed. */
const PolicyChange = closed(
  {
    rule: optional(text(100)),
    path: Type.String(),
    change: oneOf('added', 'removed', 'changed'),
    before: optional(Type.Unknown()),
    after: optional(Type.Unknown()),
  },
  { $id: 'PolicyChange' },
);

/** From one version to another, the policy's own fields first, then rule by rule; `path` is a JSON Pointer from there. */
export const PolicyDiff = closed(
  { policyId: PolicyId, from: VersionNumber, to: VersionNumber, changes: list(PolicyChange) },
  { $id: 'PolicyDiff' },
);

/** Something that lint found: an `error` keeps the draft from being published. */
const PolicyFinding = closed(
  {
    code: text(100),
    severity: oneOf('error', 'warning'),
    path: Type.String(),
    message: text(1000),
    rules: optional(list(text(100))),
  },
  { $id: 'PolicyFinding' },
);

/** A version that was just published. `warnings` is what lint found in it that did not keep it from being published. */
export const PublishedPolicyVersion = closed(
  { ...head, document: PolicyDocument, warnings: list(PolicyFinding) },
  { $id: 'PublishedPolicyVersion' },
);

export const PolicyLint = closed(
  { policyId: PolicyId, version: VersionNumber, revision: Revision, findings: list(PolicyFinding) },
  { $id: 'PolicyLint' },
);

const GoldenCaseResult = closed(
  {
    name: text(200),
    passed: Type.Boolean(),
    differences: list(closed({ path: Type.String(), expected: Type.Unknown(), found: Type.Unknown() })),
  },
  { $id: 'GoldenCaseResult' },
);

/** The golden cases of a draft, each with what came out otherwise. */
export const PolicyTest = closed(
  {
    policyId: PolicyId,
    version: VersionNumber,
    revision: Revision,
    passed: Type.Boolean(),
    cases: list(GoldenCaseResult),
  },
  { $id: 'PolicyTest' },
);

/** Whether the draft is to be evaluated beside decisions. */
export const Shadowing = closed({ enabled: Type.Boolean() }, { $id: 'Shadowing' });

/** From when the draft decides, now if it does not say; and until when, for good if it does not. */
export const Publication = closed(
  { effectiveFrom: optional(Instant), effectiveUntil: optional(Instant) },
  { $id: 'Publication' },
);

/** From when on the policy decides no more: now, if it does not say. */
export const Archiving = closed({ at: optional(Instant) }, { $id: 'Archiving' });
