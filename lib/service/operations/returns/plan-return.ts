import { randomBytes } from 'node:crypto';
import type { Input } from '../../../contract/contract.ts';
import type { Call } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { createActorKeyPair } from '../../../store/personal/encrypt-actor.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import {
  changedFacts,
  type FactDigests,
  type ShadowDecision,
} from '../../../domain/policies/decision/stored-decision.ts';
import { keptFacts } from '../../../domain/policies/decision/facts-of.ts';
import type { Catalogue } from '../../../domain/policies/lifecycle/catalogue.ts';
import { createReturn as decide, type NewReturnIds } from '../../../domain/returns/commands/request/create-return.ts';
import { appendEntries } from '../../../domain/returns/history/history.ts';
import type { HistoryKey } from '../../../domain/returns/history/mac.ts';
import type { Instant, Observation } from '../../../domain/returns/model/order.ts';
import type { Reasons, Return } from '../../../domain/returns/model/return.ts';
import type { Terms } from '../../../domain/returns/model/terms.ts';
import type { Ledger } from '../../../domain/returns/money/order-ledger.ts';
import { rmaNumber } from '../../../domain/returns/rma-number.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { type OrderRecord, writeLedger } from '../../../store/orders/orders.ts';
import { writeTexts } from '../../../store/personal/personal.ts';
import { writeDecision } from '../../../store/policies/decisions.ts';
import { writeMarkers } from '../../../store/returns/returns.ts';
import { openToken } from '../decisions/eligibility-token.ts';
import { evaluateRequest, evaluateVersion, evaluateShadow } from '../decisions/evaluate-request.ts';
import {
  decisionForReturn,
  type EvaluationRequest,
  type PolicyDecision,
  toStoredDecision,
} from '../decisions/policy-decision.ts';
import { termsForRequest } from '../decisions/terms-config.ts';
import { writeChangedReturn } from '../../execution/write-changed-return.ts';
import { referenceReasonTexts } from './reason-texts.ts';

/** A policy decision on a request, and the facts that have changed since its quote. */
type RequestDecision = { readonly policyDecision: PolicyDecision; readonly changed: readonly (keyof FactDigests)[] };

type Request = Pick<
  Input<'createReturn'>,
  'order' | 'lines' | 'basis' | 'channel' | 'initiatedBy' | 'isGift' | 'externalScore' | 'eligibilityToken'
>;

type RequestToEvaluate = Omit<EvaluationRequest, 'request'> & {
  readonly catalogue: Catalogue;
  readonly request: Request;
  readonly now: Instant;
};

/**
 * Returns the decision of the policy that applies, or of the quoted version at the quote's time.
 * Undefined when no policy applies.
 */
const evaluateNewReturn = async (
  session: Session,
  { catalogue, now, request, requestedAt, ...context }: RequestToEvaluate,
): Promise<Result<RequestDecision | undefined>> => {
  const { eligibilityToken: token } = request;
  if (token === undefined) {
    const policyDecision = await evaluateRequest(session, catalogue, { ...context, request, requestedAt }, now);
    return ok(policyDecision && { policyDecision, changed: [] });
  }
  const promised = await openToken(token, request, now);
  if (!promised.ok) return promised;
  const { at, facts } = promised.value;
  const policyDecision = await evaluateVersion(session, promised.value, { ...context, request, requestedAt: at });
  return ok(policyDecision && { policyDecision, changed: changedFacts(facts, policyDecision.facts) });
};

/** Makes the ids of a new return. */
export const newIds = (lines: number, subject: string): NewReturnIds => ({
  id: `ret_${newUlid()}`,
  rmaNumber: rmaNumber(randomBytes(8).readBigUInt64BE()),
  lineIds: Array.from({ length: lines }, () => `rln_${newUlid()}`),
  subject,
});

/** What a new return needs in addition to its input. */
export type NewReturn = {
  readonly record: OrderRecord;
  readonly catalogue: Catalogue;
  readonly reasons: Reasons;
  readonly key: HistoryKey;
  readonly observation: { readonly observed?: Observation };
  /** When the request was made. A platform may report it later, and a withdrawal counts from its declaration. */
  readonly requestedAt: Instant;
  readonly at: Instant;
  /** Changes the terms of the request. */
  readonly termsOf?: (terms: Terms) => Terms;
};

/** A new return, with the writes that store it. */
export type PlannedReturn = { readonly state: Return; readonly ledger: Ledger; readonly writes: readonly Write[] };

const planDecided = (
  input: Input<'createReturn'>,
  call: Call,
  { record: { order, ledger, ledgerVersion }, reasons, observation, requestedAt, at, key, termsOf }: NewReturn,
  { requestDecision, shadow }: { requestDecision: RequestDecision | undefined; shadow: ShadowDecision | undefined },
): Result<PlannedReturn> => {
  const { publicKey: actorKey, text: keyText } = createActorKeyPair();
  const ids = { ...newIds(input.lines.length, dataSubjectOf(order)), actorKey };
  const { observed: reported, eligibilityToken: _, externalScore: __, ...request } = input;
  const { lines, texts } = referenceReasonTexts(request.lines, ids.lineIds);
  const command = { ...request, lines };
  const policyDecision = requestDecision?.policyDecision;
  const { terms: usual, withdrawable } = termsForRequest(policyDecision, order, command, requestedAt, ids.lineIds);
  const terms = termsOf === undefined ? usual : termsOf(usual);
  const metadata = { ...eventMetadata(call, ids, terms.policyVersion), at };
  const status = reported?.status === undefined ? {} : { status: reported.status };
  const decision =
    requestDecision &&
    toStoredDecision(requestDecision.policyDecision, {
      at,
      order,
      returnId: ids.id,
      ...(shadow === undefined ? {} : { shadow }),
    });
  const withDecision = requestDecision &&
    decision && {
      decisionByLine: decisionForReturn(requestDecision.policyDecision, decision.id, requestDecision.changed),
    };
  const outcome = decide(
    { order, ledger, now: at, reasons, withdrawable, ...observation },
    { ...command, ...status, ...withDecision },
    terms,
    ids,
  );
  if (!outcome.ok) return fail(outcome.failure);
  const { state, entries } = appendEntries(undefined, outcome.value.events, metadata);
  return ok({
    state,
    ledger: outcome.value.ledger,
    writes: [
      ...writeChangedReturn({ state, entries }, undefined, key, call),
      writeLedger(order, outcome.value.ledger, ledgerVersion),
      ...writeMarkers(state),
      // The texts belong to the first entry, whatever entries follow it.
      ...writeTexts({ ...state, version: 1 }, [keyText, ...texts]),
      ...(decision === undefined ? [] : [writeDecision(decision)]),
    ],
  });
};

/** Decides on a new return of a registered order, and plans the writes that store it. */
export const planReturn = async (
  session: Session,
  input: Input<'createReturn'>,
  call: Call,
  known: NewReturn,
): Promise<Result<PlannedReturn>> => {
  const { record, catalogue, reasons, requestedAt, at } = known;
  const { order } = record;
  const kept = keptFacts(order, record.ledger, input.lines);
  const requestToEvaluate = { catalogue, reasons, request: input, order, kept, requestedAt, now: at };
  const requestDecision = await evaluateNewReturn(session, requestToEvaluate);
  if (!requestDecision.ok) return requestDecision;
  const shadow =
    requestDecision.value &&
    (await evaluateShadow(
      session,
      catalogue,
      requestDecision.value.policyDecision,
      { order, request: input, reasons, kept },
      call.traceId,
    ));
  return planDecided(input, call, known, { requestDecision: requestDecision.value, shadow });
};
