import { wouldDecide } from '../../policies/backtest/line-groups.ts';
import { toComparedDecision } from '../../policies/backtest/outcome.ts';
import type { ShadowDecision } from '../../policies/decision/stored-decision.ts';
import { type Catalogue, findPolicy, shadowedDraft } from '../../policies/life/catalogue.ts';
import { errorName, log } from '../../runtime/log.ts';
import type { Session } from '../../store/engine/session.ts';
import { readPolicyVersion } from '../../store/policies/policies.ts';
import { evaluateDocument } from './evaluate-request.ts';
import type { EvaluationRequest, PolicyDecision } from './policy-decision.ts';

const evaluateDraft = async (
  session: Session,
  { policyId, version }: { readonly policyId: string; readonly version: number },
  question: EvaluationRequest,
): Promise<ShadowDecision | undefined> => {
  const draft = await readPolicyVersion(session, policyId, version);
  // The draft was published or saved again since the catalogue was read. Its current version applies.
  if (draft === undefined || draft.head.published !== undefined) return undefined;
  const policyDecision = await evaluateDocument(session, { policyId, version }, draft.document, question);
  if (policyDecision === undefined) return undefined;
  const { selectors } = draft.document;
  if (!wouldDecide(policyDecision.facts, { policyId }, { policyId, selectors })) return undefined;
  return {
    policyId,
    version,
    revision: draft.head.revision,
    ...toComparedDecision(policyDecision.evaluation, policyDecision.facts),
  };
};

/**
 * Evaluates the shadow draft of the deciding policy. It has no effect: its failures are logged and do not fail the
 * request.
 */
export const evaluateShadow = async (
  session: Session,
  catalogue: Catalogue,
  { policyId, facts }: PolicyDecision,
  question: Omit<EvaluationRequest, 'requestedAt'>,
  traceId: string,
): Promise<ShadowDecision | undefined> => {
  const policy = findPolicy(catalogue, policyId);
  const version = policy && shadowedDraft(policy);
  if (version === undefined) return undefined;
  try {
    return await evaluateDraft(session, { policyId, version }, { ...question, requestedAt: facts.requestedAt });
  } catch (error) {
    log('warn', 'shadow draft not evaluated', { traceId, policyId, version, error: errorName(error) });
    return undefined;
  }
};
