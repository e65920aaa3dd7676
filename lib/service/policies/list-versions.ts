import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { ok, type Result } from '../../contract/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { maxVersions } from '../../policies/life/catalogue.ts';
import { readVersionHeads } from '../../store/policies/policies.ts';
import { versionSummary, versionView } from '../../views/policy-views.ts';
import { readKnownPolicy, readKnownVersion } from './known-policy.ts';

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

const defaultLimit = 50;

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
