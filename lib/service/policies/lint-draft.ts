import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { findingsOf, findingViews } from './examine-policy.ts';
import { withStore } from '../../execution/execute.ts';
import { readDraft } from './known-policy.ts';
import { noDraft } from './policy-failures.ts';

/** Looks for mistakes in the draft of a policy, and stores nothing. */
export const lintDraft = async (input: Input<'lintDraft'>, call: Call): Promise<Result<Reply<Output<'lintDraft'>>>> =>
  withStore(call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { head, document } = draft.value.known;
    const { policyId, version, revision } = head;
    const found = await findingsOf(session, document);
    return ok({
      status: 200,
      body: { policyId, version, revision, findings: findingViews(found) },
      version: revision,
    });
  });
