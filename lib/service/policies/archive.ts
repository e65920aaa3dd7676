import { holds } from '../../contract/if-match.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { tellArchived } from '../../events/policy-happenings.ts';
import { archivePolicy, withPolicy } from '../../policies/life/catalogue.ts';
import { policyPartition } from '../../store/engine/keys.ts';
import { writeHappening } from '../../store/events/outbox.ts';
import { writeCatalogue } from '../../store/policies/policies.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { actorOf, causeOf } from '../../execution/circumstances.ts';
import { execute } from '../../execution/execute.ts';
import { versionMismatch } from '../../execution/failures.ts';
import { inMilliseconds } from '../../execution/in-milliseconds.ts';
import { readKnown } from './known-policy.ts';
import { invalidRequest } from './policy-failures.ts';
import { policyView } from '../../views/policy-views.ts';

const inPast = invalidRequest({ path: '/at', code: 'minimum', message: 'must not be in the past' });

/** Ends all that is published of a policy. Where nothing is in force or to come, nothing changes. */
export const archive = async (input: Input<'archive'>, call: Call): Promise<Result<Reply<Output<'archive'>>>> =>
  execute('archive', input, call, async (session) => {
    const found = await readKnown(session, input.policyId);
    if (!found.ok) return found;
    const { catalogue, policy } = found.value;
    if (!holds(call.ifMatch, policy.revision)) return fail(versionMismatch(policy.revision, 'policy'));
    const now = new Date().toISOString();
    const at = input.at === undefined ? now : inMilliseconds(input.at);
    if (at < now) return fail(inPast);
    const next = archivePolicy(policy, at, { at: now, by: actorOf(call) });
    if (next === undefined)
      return ok({ reply: { status: 200, body: policyView(policy, now), version: policy.revision }, writes: [] });
    const told = tellArchived(next, at, { ...causeOf(call), at: now });
    return ok({
      reply: { status: 200, body: policyView(told.policy, now), version: told.policy.revision },
      writes: [
        writeCatalogue(withPolicy(catalogue, told.policy)),
        ...told.happenings.map((happening) => writeHappening(policyPartition(policy.id), happening)),
      ],
    });
  });
