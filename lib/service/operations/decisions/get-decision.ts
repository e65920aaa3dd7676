import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import { decisionNotFound } from '../../execution/failures.ts';
import { counterfactuals } from '../../../domain/policies/decision/counterfactuals.ts';
import { evaluationDigest, shownTrace } from '../../../domain/policies/decision/stored-decision.ts';
import { evaluate } from '../../../domain/policies/evaluate/evaluate.ts';
import type { Evaluation, LimitedFees } from '../../../domain/policies/evaluation.ts';
import { applyStatutoryLimits } from '../../../domain/policies/law/statutory-floor.ts';
import { versionName } from '../../../domain/policies/lifecycle/in-force.ts';
import { sha256Of } from '../../../domain/returns/history/canonical-json.ts';
import type { Language } from '../../../domain/returns/input-checks.ts';
import { configured } from '../../../runtime/container.ts';
import { readOrder } from '../../../store/orders/orders.ts';
import { readDecision } from '../../../store/policies/decisions.ts';
import { readDocument } from '../../../store/policies/policies.ts';
import { languageFor } from '../../../domain/texts/catalogues.ts';
import { explain } from '../../../domain/texts/explain.ts';
import { itemNames, type ItemNames } from '../../../domain/texts/formats.ts';
import { compileOnce } from './evaluate-request.ts';
import type { PolicyDecision } from './policy-decision.ts';
import { termsConfig } from './terms-config.ts';

const config = configured(termsConfig);

type DecisionView = NonNullable<Output<'quoteReturn'>['decision']>;

const feeList = (fees: Evaluation['fees']) => Object.entries(fees).map(([type, fee]) => ({ type, ...fee }));

/** Returns a list of fees under its name; nothing for an empty one. */
const listed = (name: keyof LimitedFees, fees: Evaluation['fees'] = {}) =>
  Object.keys(fees).length === 0 ? {} : { [name]: feeList(fees) };

/**
 * Makes the wire form of a policy decision, with its explanation.
 *
 * @param items the names of the order lines
 */
export const decisionView = (policyDecision: PolicyDecision, items: ItemNames, language: Language): DecisionView => {
  const { terms, statutoryRules } = config();
  const { document, compiled, facts, evaluation } = policyDecision;
  const held = applyStatutoryLimits(evaluation, facts, statutoryRules, terms.floor);
  const { fees, removedFees, trace, lines, ...said } = held;
  const texts = new Map(document.rules.map(({ id, text }) => [id, text]));
  const { shown, omitted } = shownTrace(trace, texts);
  const view = structuredClone({
    policyId: policyDecision.policyId,
    policyVersion: versionName(policyDecision),
    ...said,
    lines: lines.map(({ fees: own, removedFees: removed, ...line }) => ({
      ...line,
      ...listed('fees', own),
      ...listed('removedFees', removed),
    })),
    fees: feeList(fees),
    ...listed('removedFees', removedFees),
    explanation: explain({ policy: document, facts, evaluation: held, items }, language),
    counterfactuals: counterfactuals(document, compiled, facts, evaluation),
    trace: shown,
    ...(omitted === 0 ? {} : { omitted }),
    facts,
    factsHash: sha256Of(facts),
    digest: evaluationDigest(evaluation),
  });
  // The copy is private to this call. The contract declares its lists as mutable.
  return view as unknown as DecisionView;
};

/**
 * Reads a decision. Its facts are stored and its policy version never changes. So it is evaluated again and compared
 * with the stored digest.
 */
export const getDecision = async (
  input: Input<'getDecision'>,
  call: Call,
): Promise<Result<Reply<Output<'getDecision'>>>> =>
  withStore(call, async (session) => {
    const stored = await readDecision(session, input.decisionId);
    if (stored === undefined) return fail(decisionNotFound);
    const { id, at, returnId, order, policyId, version, facts, digest, shadow } = stored;
    // The stored decision has no texts. They are written for the reader, with the present titles of the order.
    const [document, record] = await Promise.all([readDocument(session, policyId, version), readOrder(session, order)]);
    if (document === undefined) throw new Error(`${policyId} has no version ${version}`);
    const compiled = compileOnce(document);
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
