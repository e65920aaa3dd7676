import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { diffPolicies } from '../../policies/life/diff.ts';
import { readCatalogue, readDocument } from '../../store/policies/policies.ts';
import { policyView } from '../../views/policy-views.ts';
import { readKnownPolicy, versionNotFound } from './known-policy.ts';

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
    const [before, after] = await Promise.all([from, to].map(async (one) => readDocument(session, policyId, one)));
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
