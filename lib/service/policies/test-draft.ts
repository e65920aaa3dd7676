import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { casesOf } from './examine-policy.ts';
import { withStore } from '../../execution/execute.ts';
import { readDraft } from './known-policy.ts';
import { noDraft } from './policy-failures.ts';

/** Runs the golden cases of the draft of a policy, and stores nothing. */
export const testDraft = async (input: Input<'testDraft'>, call: Call): Promise<Result<Reply<Output<'testDraft'>>>> =>
  withStore(call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { head, document } = draft.value.known;
    const { policyId, version, revision } = head;
    const cases = casesOf(document).map((one) => ({ ...one, differences: [...one.differences] }));
    const passed = cases.every((one) => one.passed);
    return ok({ status: 200, body: { policyId, version, revision, passed, cases }, version: revision });
  });
