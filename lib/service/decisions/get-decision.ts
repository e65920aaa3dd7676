import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import { readDecision } from '../../store/policies/decisions.ts';
import { readOrder } from '../../store/orders/orders.ts';
import { readDocument } from '../../store/policies/policies.ts';
import { languageFor } from '../../texts/accept-language.ts';
import { itemNames, type ItemNames } from '../../texts/item.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { decisionView } from './decision-view.ts';
import { withStore } from '../../execution/execute.ts';
import { decisionNotFound } from '../../execution/failures.ts';
import { readied } from './judge.ts';

/**
 * Reads a decision: what it was made on is kept, and the version that made it never changes, so it is made again and
 * compared with what it came to then.
 */
export const getDecision = async (
  input: Input<'getDecision'>,
  call: Call,
): Promise<Result<Reply<Output<'getDecision'>>>> =>
  withStore(call, async (session) => {
    const kept = await readDecision(session, input.decisionId);
    if (kept === undefined) return fail(decisionNotFound);
    const { id, at, returnId, order, policyId, version, facts, digest, shadow } = kept;
    // The decision has no texts: they are written for the reader, with the titles that the order has now.
    const [document, record] = await Promise.all([readDocument(session, policyId, version), readOrder(session, order)]);
    if (document === undefined) throw new Error(`${policyId} has no version ${version}`);
    const compiled = readied(document);
    const items: ItemNames = record === undefined ? new Map() : itemNames(record.order);
    const language = languageFor(call.acceptLanguage);
    const evaluation = evaluate(compiled, facts);
    const view = decisionView({ policyId, version, document, compiled, facts, evaluation }, items, language);
    const body = { decisionId: id, at, returnId, order, ...view, reproduced: view.digest === digest };
    return ok({
      status: 200,
      body: { ...body, ...(shadow === undefined ? {} : { shadow: structuredClone(shadow) }) } as Output<'getDecision'>,
      language,
    });
  });
