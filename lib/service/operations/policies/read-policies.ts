import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { maxVersions } from '../../../domain/policies/lifecycle/catalogue.ts';
import { diffPolicies } from '../../../domain/policies/lifecycle/diff.ts';
import { readCatalogue, readDocument, readVersionHeads } from '../../../store/policies/policies.ts';
import { policyView, versionSummary, versionView } from '../../views/policy-views.ts';
import { readKnownPolicy, versionNotFound, readKnownVersion } from './known-policy.ts';

/** Compares two versions of a policy. */
export const diffVersions = async (
  input: Input<'diffVersions'>,
  call: Call,
): Promise<Result<Reply<Output<'diffVersions'>>>> =>
  withStore(call, async (session) => {
    const { policyId, from, to } = input;
    const found = await readKnownPolicy(session, policyId);
    if (!found.ok) return found;
    const { latest } = found.value.policy;
    const [before, after] = await Promise.all(
      [from, to].map(async (version) => readDocument(session, policyId, version)),
    );
    if (before === undefined) return fail(versionNotFound('/from', latest));
    if (after === undefined) return fail(versionNotFound('/to', latest));
    return ok({ status: 200, body: { policyId, from, to, changes: [...diffPolicies(before, after)] } });
  });

/** Reads a policy without the documents of its versions. */
export const getPolicy = async (input: Input<'getPolicy'>, call: Call): Promise<Result<Reply<Output<'getPolicy'>>>> =>
  withStore(call, async (session) => {
    const found = await readKnownPolicy(session, input.policyId);
    if (!found.ok) return found;
    const { policy } = found.value;
    return ok({ status: 200, body: policyView(policy, new Date().toISOString()), version: policy.revision });
  });

const defaultLimit = 50;

/** Lists policies, the newest first. Their ids begin with the time. */
export const listPolicies = async (
  input: Input<'listPolicies'>,
  call: Call,
): Promise<Result<Reply<Output<'listPolicies'>>>> =>
  withStore(call, async (session) => {
    const { limit = defaultLimit, cursor } = input;
    const scope = cursorScope('listPolicies', call, {});
    const before = cursor === undefined ? ok(undefined) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const now = new Date().toISOString();
    const { policies } = await readCatalogue(session);
    const found = policies
      .filter(({ id }) => before.value === undefined || id < before.value)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > page.length && last !== undefined ? await signCursor(last.id, scope) : ok(null);
    if (!next.ok) return next;
    const items = page.map((policy) => policyView(policy, now));
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });

/** Reads a version of a policy with its document. */
export const getVersion = async (
  input: Input<'getVersion'>,
  call: Call,
): Promise<Result<Reply<Output<'getVersion'>>>> =>
  withStore(call, async (session) => {
    const found = await readKnownVersion(session, input.policyId, input.version);
    if (!found.ok) return found;
    const { policy, known } = found.value;
    const body = versionView(policy, known, new Date().toISOString());
    return ok({ status: 200, body, version: known.head.revision });
  });

/** Lists the versions of a policy without their documents, the newest first. */
export const listVersions = async (
  input: Input<'listVersions'>,
  call: Call,
): Promise<Result<Reply<Output<'listVersions'>>>> =>
  withStore(call, async (session) => {
    const { policyId, limit = defaultLimit, cursor } = input;
    const scope = cursorScope('listVersions', call, { policyId });
    const position = cursor === undefined ? ok(String(maxVersions + 1)) : await openCursor(cursor, scope);
    if (!position.ok) return position;
    // One more than the limit shows whether there is a next page.
    const heads = await readVersionHeads(session, policyId, Number(position.value), limit + 1);
    // Read after the versions, so it includes all their changes.
    const found = await readKnownPolicy(session, policyId);
    if (!found.ok) return found;
    const { policy } = found.value;
    const page = heads.slice(0, limit);
    const last = page.at(-1);
    const next =
      heads.length > page.length && last !== undefined ? await signCursor(String(last.version), scope) : ok(null);
    if (!next.ok) return next;
    const now = new Date().toISOString();
    const items = page.map((head) => versionSummary(policy, head, now));
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });
