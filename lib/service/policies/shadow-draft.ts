import { holds } from '../../contract/if-match.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { changed, shadowedDraft, withPolicy } from '../../policies/life/catalogue.ts';
import { writeCatalogue } from '../../store/policies/policies.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { execute } from '../../execution/execute.ts';
import { versionMismatch } from '../../execution/failures.ts';
import { readDraft } from './known-policy.ts';
import { noDraft } from './policy-failures.ts';
import { versionView } from '../../views/policy-views.ts';

/** Has the draft of a policy evaluated beside each of its decisions from now on, as it then is; or no more. */
export const shadowDraft = async (
  input: Input<'shadowDraft'>,
  call: Call,
): Promise<Result<Reply<Output<'shadowDraft'>>>> =>
  execute('shadowDraft', input, call, async (session) => {
    const draft = await readDraft(session, input.policyId, noDraft);
    if (!draft.ok) return draft;
    const { catalogue, policy, known } = draft.value;
    const { revision } = known.head;
    if (!holds(call.ifMatch, revision)) return fail(versionMismatch(revision, 'draft'));
    const now = new Date().toISOString();
    const isSame = (shadowedDraft(policy) !== undefined) === input.enabled;
    const { shadow: _, ...rest } = policy;
    const next = isSame ? policy : changed(rest, input.enabled ? { shadow: policy.latest } : {}, now);
    return ok({
      reply: { status: 200, body: versionView(next, known, now), version: revision },
      writes: isSame ? [] : [writeCatalogue(withPolicy(catalogue, next))],
    });
  });
