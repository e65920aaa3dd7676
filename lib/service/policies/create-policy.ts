import { ulid } from 'ulid';
import type { Input, Output } from '../../contract/contract.ts';
import { basePath } from '../../contract/operation.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { actorOf } from '../../execution/event-metadata.ts';
import { execute } from '../../execution/execute.ts';
import { type CataloguedPolicy, maxPolicies, withPolicy } from '../../policies/life/catalogue.ts';
import { standardPolicy } from '../../policies/templates/standard.ts';
import { readCatalogue, writeCatalogue, writePolicyVersion } from '../../store/policies/policies.ts';
import { versionView } from '../../views/policy-views.ts';
import { validateDocument, requireOneOf } from './examine-policy.ts';
import { policyInvalid } from './known-policy.ts';

const tooManyPolicies = policyInvalid('The maximum number of policies is reached.', [
  { path: '/name', code: 'max_items', message: `must not add to the maximum of ${maxPolicies} policies` },
]);

/** Creates a policy whose first version is a draft. */
export const createPolicy = async (
  input: Input<'createPolicy'>,
  call: Call,
): Promise<Result<Reply<Output<'createPolicy'>>>> => {
  const { name, document: inputDocument, template, note } = input;
  const one = requireOneOf(input, 'document', 'template');
  if (!one.ok) return one;
  const document = validateDocument(template === undefined ? inputDocument : standardPolicy);
  // An invalid document may hold a number without a fingerprint, such as 1e400.
  if (!document.ok) return document;
  return execute('createPolicy', input, call, async (session) => {
    const catalogue = await readCatalogue(session);
    if (catalogue.policies.length >= maxPolicies) return fail(tooManyPolicies);
    const [now, by] = [new Date().toISOString(), actorOf(call)];
    const id = `pol_${ulid()}`;
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
