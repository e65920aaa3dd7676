import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { readKnownVersion } from './known-policy.ts';
import { versionView } from '../../views/policy-views.ts';

/** Reads a version of a policy with what it says. */
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
