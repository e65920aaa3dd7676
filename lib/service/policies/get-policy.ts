import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { readKnown } from './known-policy.ts';
import { policyView } from '../../views/policy-views.ts';

/** Reads a policy, without what its versions say. */
export const getPolicy = async (input: Input<'getPolicy'>, call: Call): Promise<Result<Reply<Output<'getPolicy'>>>> =>
  withStore(call, async (session) => {
    const found = await readKnown(session, input.policyId);
    if (!found.ok) return found;
    const { policy } = found.value;
    return ok({ status: 200, body: policyView(policy, new Date().toISOString()), version: policy.revision });
  });
