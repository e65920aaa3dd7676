import type { Input, Output } from '../../../contract/contract.ts';
import { ifMatchHolds } from '../../../contract/if-match.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { actorOf } from '../../execution/event-metadata.ts';
import { execute, type Plan, withStore } from '../../execution/execute.ts';
import { versionMismatch } from '../../execution/failures.ts';
import {
  changePolicy,
  maxVersions,
  shadowedDraft,
  withPolicy,
  withSaver,
  type CataloguedPolicy,
  maxPolicies,
} from '../../../domain/policies/lifecycle/catalogue.ts';
import type { PolicyDocument } from '../../../domain/policies/lifecycle/golden.ts';
import { standardPolicy } from '../../../domain/policies/templates/standard.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import {
  type PolicyVersion,
  readDocument,
  writeCatalogue,
  writePolicyVersion,
  readCatalogue,
} from '../../../store/policies/policies.ts';
import { versionView } from '../../views/policy-views.ts';
import { runDocumentCases, validateDocument, lintFindings, findingViews, requireOneOf } from './examine-policy.ts';
import {
  draftExists,
  noDraft,
  policyInvalid,
  readDraft,
  readKnownPolicy,
  versionNotFound,
  versionPublished,
} from './known-policy.ts';

/** Starts or stops the shadow evaluation of a policy's current draft with each of its decisions. */
export const shadowDraft = async (
  input: Input<'shadowDraft'>,
  call: Call,
): Promise<Result<Reply<Output<'shadowDraft'>>>> =>
  execute('shadowDraft', input, call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { catalogue, policy, known } = draft.value;
    const { revision } = known.head;
    if (!ifMatchHolds(call.ifMatch, revision)) return fail(versionMismatch(revision, 'draft'));
    const now = new Date().toISOString();
    const isSame = (shadowedDraft(policy) !== undefined) === input.enabled;
    const { shadow: _, ...rest } = policy;
    const next = isSame ? policy : changePolicy(rest, input.enabled ? { shadow: policy.latest } : {}, now);
    return ok({
      reply: { status: 200, body: versionView(next, known, now), version: revision },
      writes: isSame ? [] : [writeCatalogue(withPolicy(catalogue, next))],
    });
  });

/** Runs the golden cases of the draft of a policy, and stores nothing. */
export const testDraft = async (input: Input<'testDraft'>, call: Call): Promise<Result<Reply<Output<'testDraft'>>>> =>
  withStore(call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { head, document } = draft.value.known;
    const { policyId, version, revision } = head;
    const cases = runDocumentCases(document).map(({ differences, missing, ...result }) => ({
      ...result,
      differences: [...differences],
      missing: [...missing],
    }));
    const passed = cases.every((result) => result.passed);
    return ok({ status: 200, body: { policyId, version, revision, passed, cases }, version: revision });
  });

/** Lints the draft of a policy, and stores nothing. */
export const lintDraft = async (input: Input<'lintDraft'>, call: Call): Promise<Result<Reply<Output<'lintDraft'>>>> =>
  withStore(call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { head, document } = draft.value.known;
    const { policyId, version, revision } = head;
    const found = await lintFindings(session, document);
    return ok({
      status: 200,
      body: { policyId, version, revision, findings: findingViews(found) },
      version: revision,
    });
  });

type SaveDraftInput = { readonly input: Input<'saveDraft'>; readonly call: Call; readonly document: PolicyDocument };
type SaveDraftPlan = Result<Plan<Output<'saveDraft'>>>;

const tooManyVersions = policyInvalid('The policy has the maximum number of versions.', [
  { path: '/policyId', code: 'max_items', message: `must be a policy with fewer than ${maxVersions} versions` },
]);

/** Plans the next version of a policy, as a draft. */
const createDraft = async (session: Session, { input, call, document }: SaveDraftInput): Promise<SaveDraftPlan> => {
  const { policyId, name, note } = input;
  const found = await readKnownPolicy(session, policyId);
  if (!found.ok) return found;
  const { catalogue, policy } = found.value;
  if (policy.draft) return fail(draftExists(policy.latest));
  if (policy.latest >= maxVersions) return fail(tooManyVersions);
  const [now, by] = [new Date().toISOString(), actorOf(call)];
  const head = {
    policyId,
    version: policy.latest + 1,
    revision: 1,
    ...(note === undefined ? {} : { note }),
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    updatedBy: by,
    savedBy: [by],
  };
  const next = changePolicy(
    policy,
    { latest: head.version, draft: true, ...(name === undefined ? {} : { name }) },
    now,
  );
  const draft: PolicyVersion = { head, document };
  return ok({
    reply: { status: 201, body: versionView(next, draft, now), version: head.revision },
    writes: [writeCatalogue(withPolicy(catalogue, next)), writePolicyVersion(draft)],
  });
};

/** Plans the replacement of a draft. A new name applies to the policy itself. */
const replaceDraft = async (session: Session, { input, call, document }: SaveDraftInput): Promise<SaveDraftPlan> => {
  const { policyId, name, note } = input;
  const found = await readDraft(session, policyId, versionPublished);
  if (!found.ok) return found;
  const { catalogue, policy, known } = found.value;
  if (!ifMatchHolds(call.ifMatch, known.head.revision)) return fail(versionMismatch(known.head.revision, 'draft'));
  const [now, by] = [new Date().toISOString(), actorOf(call)];
  const { note: _, ...before } = known.head;
  const head = {
    ...before,
    revision: before.revision + 1,
    ...(note === undefined ? {} : { note }),
    updatedAt: now,
    updatedBy: by,
    savedBy: withSaver(before, by),
  };
  const draft: PolicyVersion = { head, document };
  const renamed = name === undefined || name === policy.name ? undefined : changePolicy(policy, { name }, now);
  return ok({
    reply: { status: 200, body: versionView(policy, draft, now), version: head.revision },
    writes: [
      writePolicyVersion(draft),
      ...(renamed === undefined ? [] : [writeCatalogue(withPolicy(catalogue, renamed))]),
    ],
  });
};

/** Returns the new document: the given one, or that of another version. */
const documentOf = async (
  session: Session,
  { policyId, copyOf, document }: Input<'saveDraft'>,
): Promise<Result<PolicyDocument>> => {
  if (copyOf === undefined) return validateDocument(document);
  const found = await readKnownPolicy(session, policyId);
  if (!found.ok) return found;
  const copied = await readDocument(session, policyId, copyOf);
  return copied === undefined ? fail(versionNotFound('/copyOf', found.value.policy.latest)) : ok(copied);
};

/** Saves the draft of a policy, or creates the next version when there is none. */
export const saveDraft = async (input: Input<'saveDraft'>, call: Call): Promise<Result<Reply<Output<'saveDraft'>>>> => {
  const source = requireOneOf(input, 'document', 'copyOf');
  if (!source.ok) return source;
  // An invalid document may hold a number without a fingerprint, such as 1e400.
  const validated = input.document === undefined ? undefined : validateDocument(input.document);
  if (validated?.ok === false) return validated;
  return execute('saveDraft', input, call, async (session) => {
    const document = validated ?? (await documentOf(session, input));
    if (!document.ok) return document;
    const saving = { input, call, document: document.value };
    return call.ifMatch === 0 ? createDraft(session, saving) : replaceDraft(session, saving);
  });
};

const tooManyPolicies = policyInvalid('The maximum number of policies is reached.', [
  { path: '/name', code: 'max_items', message: `must not add to the maximum of ${maxPolicies} policies` },
]);

/** Creates a policy whose first version is a draft. */
export const createPolicy = async (
  input: Input<'createPolicy'>,
  call: Call,
): Promise<Result<Reply<Output<'createPolicy'>>>> => {
  const { name, document: inputDocument, template, note } = input;
  const source = requireOneOf(input, 'document', 'template');
  if (!source.ok) return source;
  const document = validateDocument(template === undefined ? inputDocument : standardPolicy);
  // An invalid document may hold a number without a fingerprint, such as 1e400.
  if (!document.ok) return document;
  return execute('createPolicy', input, call, async (session) => {
    const catalogue = await readCatalogue(session);
    if (catalogue.policies.length >= maxPolicies) return fail(tooManyPolicies);
    const [now, by] = [new Date().toISOString(), actorOf(call)];
    const id = `pol_${newUlid()}`;
    const times = { createdAt: now, updatedAt: now };
    const policy: CataloguedPolicy = { id, name, revision: 1, ...times, latest: 1, draft: true, published: [] };
    const head = {
      policyId: id,
      version: 1,
      revision: 1,
      ...(note === undefined ? {} : { note }),
      ...times,
      createdBy: by,
      updatedBy: by,
      savedBy: [by],
    };
    const draft = { head, document: document.value };
    return ok({
      reply: {
        status: 201,
        body: versionView(policy, draft, now),
        version: head.revision,
        location: `${basePath}/policies/${id}/versions/1`,
      },
      writes: [writeCatalogue(withPolicy(catalogue, policy)), writePolicyVersion(draft)],
    });
  });
};
