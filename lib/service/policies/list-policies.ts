import { ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { policyView } from '../../views/policy-views.ts';

const usualLimit = 50;

/** Lists policies, the newest first: their ids begin with the time. */
export const listPolicies = async (
  input: Input<'listPolicies'>,
  call: Call,
): Promise<Result<Reply<Output<'listPolicies'>>>> =>
  withStore(call, async (session) => {
    const { limit = usualLimit, cursor } = input;
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
