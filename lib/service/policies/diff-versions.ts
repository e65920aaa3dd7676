import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { diff } from '../../policies/life/diff.ts';
import { readDocument } from '../../store/policies/policies.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { readKnown } from './known-policy.ts';
import { versionNotFound } from './policy-failures.ts';

/** Tells what two versions of a policy say differently. */
export const diffVersions = async (
  input: Input<'diffVersions'>,
  call: Call,
): Promise<Result<Reply<Output<'diffVersions'>>>> =>
  withStore(call, async (session) => {
    const { policyId, from, to } = input;
    const found = await readKnown(session, policyId);
    if (!found.ok) return found;
    const { latest } = found.value.policy;
    const [before, after] = await Promise.all([from, to].map(async (one) => readDocument(session, policyId, one)));
    if (before === undefined) return fail(versionNotFound('/from', latest));
    if (after === undefined) return fail(versionNotFound('/to', latest));
    return ok({ status: 200, body: { policyId, from, to, changes: [...diff(before, after)] } });
  });
