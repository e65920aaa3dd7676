import type { Input } from '../../../contract/contract.ts';
import { commandOnReturn } from '../../execution/command.ts';
import { ok } from '../../../runtime/result.ts';
import { type PolicyRequest, keptFacts } from '../../../domain/policies/decision/facts-of.ts';
import type { StoredDecision } from '../../../domain/policies/decision/stored-decision.ts';
import { lineFeeTerms } from '../../../domain/policies/terms/policy-terms.ts';
import { type AddedUnits, type AmendReturn, unitsToAdd } from '../../../domain/returns/commands/request/added-units.ts';
import { amendReturn as decide } from '../../../domain/returns/commands/request/amend-return.ts';
import type { PolicyDecisionByLine } from '../../../domain/returns/commands/request/decide-request.ts';
import type { Instant } from '../../../domain/returns/model/order.ts';
import type { Reasons } from '../../../domain/returns/model/return.ts';
import type { LineFeeTerms } from '../../../domain/returns/model/terms.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import type { Situation } from '../../../domain/returns/situation.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { SaltedText } from '../../../store/personal/personal.ts';
import { createTextReference } from '../../../store/personal/text-references.ts';
import { readReasons, writeDecision } from '../../../store/policies/decisions.ts';
import { readCatalogue } from '../../../store/policies/policies.ts';
import { evaluateRequest, evaluateShadow } from '../decisions/evaluate-request.ts';
import { decisionForReturn, toStoredDecision } from '../decisions/policy-decision.ts';
import { termsWithAdded } from '../decisions/terms-config.ts';
import { referenceReasonTexts } from './reason-texts.ts';

type Amendment = Input<'amendReturn'>;

/** Replaces the texts of an amendment by their references. */
const withTextRefs = (
  { add = [], unexpected = [], raise = [] }: Amendment,
  lineIds: readonly string[],
): { readonly command: AmendReturn; readonly texts: readonly SaltedText[] } => {
  const texts: SaltedText[] = [];
  const sealed = <Entry extends { readonly override?: { readonly reason: string } | undefined }>({
    override,
    ...entry
  }: Entry) => {
    if (override === undefined) return entry;
    const { seal, text } = createTextReference(`override/${newUlid()}`, override.reason);
    texts.push(text);
    return { ...entry, override: { reason: seal } };
  };
  const added = referenceReasonTexts(add, lineIds);
  const items = referenceReasonTexts(unexpected, lineIds.slice(add.length));
  return {
    command: {
      add: added.lines.map(sealed),
      unexpected: items.lines.map(sealed),
      raise: raise.map(sealed),
    },
    texts: [...added.texts, ...items.texts, ...texts],
  };
};

/** A policy decision on added units, and its stored form. */
type Judgement = {
  readonly decisionByLine: PolicyDecisionByLine;
  readonly decision: StoredDecision;
  readonly fees: readonly (LineFeeTerms | undefined)[];
};

type RequestToJudge = {
  readonly request: PolicyRequest;
  readonly requestedAt: Instant;
  readonly reasons: Reasons;
  readonly traceId: string;
};

/** Evaluates the added units by the policy that applies to the order; undefined without one. */
const judge = async (
  session: Session,
  { state, order, ledger, now }: Situation,
  { request, requestedAt, reasons, traceId }: RequestToJudge,
): Promise<Judgement | undefined> => {
  const catalogue = await readCatalogue(session);
  const kept = keptFacts(order, ledger, request.lines);
  const evaluated = { order, request, requestedAt, reasons, kept, returnId: state.id };
  const policyDecision = await evaluateRequest(session, catalogue, evaluated, now);
  if (policyDecision === undefined) return undefined;
  const shadow = await evaluateShadow(session, catalogue, policyDecision, evaluated, traceId);
  const about = { at: now, order, returnId: state.id, ...(shadow === undefined ? {} : { shadow }) };
  const decision = toStoredDecision(policyDecision, about);
  const fees = policyDecision.evaluation.lines.map(lineFeeTerms);
  return { decisionByLine: decisionForReturn(policyDecision, decision.id, []), decision, fees };
};

/** Returns the request for added units, as the customer of the return makes it. */
const requestOf = ({ state: { basis, channel, initiatedBy, isGift } }: Situation, units: readonly AddedUnits[]) => ({
  lines: units.map(({ wanted }) => wanted),
  ...(basis === undefined ? {} : { basis }),
  ...(channel === undefined ? {} : { channel }),
  initiatedBy,
  isGift,
});

/** Adds units to a return. The policy that applies to the order decides on them in the same write. */
export const amendReturn = /* @__PURE__ */ commandOnReturn('amendReturn', (input, { traceId }) => {
  const { add = [], unexpected = [], raise = [] } = input;
  const lineIds = [...add, ...unexpected, ...raise].map(() => `rln_${newUlid()}`);
  const { command, texts } = withTextRefs(input, lineIds);
  return {
    decide: async (situation, session) => {
      const units = unitsToAdd(situation, command);
      if (!units.ok) return units;
      const reasons = mergeReasons((await readReasons(session)).changed);
      const request = requestOf(situation, units.value);
      const { state, order, observed, now } = situation;
      // A platform may report the units later than they were added.
      const requestedAt = observed?.occurredAt ?? now;
      const judged = await judge(session, situation, { request, requestedAt, reasons, traceId });
      const outcome = decide(situation, units.value, {
        reasons,
        lineIds,
        decisionByLine: judged?.decisionByLine,
        fees: judged?.fees ?? [],
        terms: termsWithAdded(state, order, request, requestedAt),
      });
      if (!outcome.ok || judged === undefined) return outcome;
      const { policyVersion } = judged.decisionByLine;
      return ok({ ...outcome.value, policyDecision: { policyVersion, writes: [writeDecision(judged.decision)] } });
    },
    texts,
  };
});
