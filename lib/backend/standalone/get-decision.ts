import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import { readDecision } from '../../store/decisions.ts';
import { readDocument } from '../../store/policies.ts';
import type { Call, Reply } from '../port.ts';
import { decisionView } from './ruling/decision-view.ts';
import { withStore } from './execute.ts';
import { decisionNotFound } from './failures.ts';
import { readied } from './ruling/judge.ts';

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
    const document = await readDocument(session, policyId, version);
    if (document === undefined) throw new Error(`${policyId} has no version ${version}`);
    const compiled = readied(document);
    const view = decisionView({ policyId, version, document, compiled, facts, evaluation: evaluate(compiled, facts) });
    const body = { decisionId: id, at, returnId, order, ...view, reproduced: view.digest === digest };
    return ok({
      status: 200,
      body: { ...body, ...(shadow === undefined ? {} : { shadow: structuredClone(shadow) }) } as Output<'getDecision'>,
    });
  });
