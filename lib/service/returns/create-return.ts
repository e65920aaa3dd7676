import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import type { Input, Output } from '../../contract/contract.ts';
import { basePath } from '../../contract/operation.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, type Failure, ok, type Result } from '../../contract/result.ts';
import { executeReturnCommand, returnResponse } from '../../execution/return-response.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import type { Plan } from '../../execution/execute.ts';
import { observationOf } from '../../execution/observation.ts';
import { duplicateReturn, orderNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { createActorKeyPair } from '../../personal/encrypt-actor.ts';
import { createTextReference, dataSubjectOf } from '../../personal/text-references.ts';
import { changedFacts, type FactDigests, type ShadowDecision } from '../../policies/decision/stored-decision.ts';
import type { Catalogue } from '../../policies/life/catalogue.ts';
import { createReturn as decide, type NewReturnIds } from '../../returns/commands/request/create-return.ts';
import type { CreateReturn } from '../../returns/commands/request/settle-request.ts';
import { appendEntries } from '../../returns/history/history.ts';
import { type HistoryKey, addMacs } from '../../returns/history/mac.ts';
import type { TextReference } from '../../returns/model/actor.ts';
import type { Instant, Observation } from '../../returns/model/order.ts';
import type { Reasons } from '../../returns/model/return.ts';
import { rmaNumber } from '../../returns/rma-number.ts';
import { allowedActions } from '../../returns/rules/allowed-actions.ts';
import { mergeReasons } from '../../returns/rules/reasons.ts';
import type { Session } from '../../store/engine/session.ts';
import { type OrderRecord, readOrder, writeLedger } from '../../store/orders/orders.ts';
import { type SaltedText, writeTexts } from '../../store/personal/personal.ts';
import { readReasons, writeDecision } from '../../store/policies/decisions.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import { findByExternalRefs, writeMarkers, writeReturn } from '../../store/returns/returns.ts';
import { openToken } from '../decisions/eligibility-token.ts';
import { evaluateRequest, evaluateVersion, evaluateShadow } from '../decisions/evaluate-request.ts';
import {
  decisionForReturn,
  type EvaluationRequest,
  type PolicyDecision,
  toStoredDecision,
} from '../decisions/policy-decision.ts';
import { termsForRequest } from '../decisions/terms-config.ts';

/** A policy decision on a request, and the facts that have changed since its quote. */
type RequestDecision = { readonly policyDecision: PolicyDecision; readonly changed: readonly (keyof FactDigests)[] };

type Request = Pick<
  Input<'createReturn'>,
  'order' | 'lines' | 'basis' | 'channel' | 'initiatedBy' | 'isGift' | 'eligibilityToken'
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
  { catalogue, now, request, requestedAt, ...question }: RequestToEvaluate,
): Promise<Result<RequestDecision | undefined>> => {
  const { eligibilityToken: token } = request;
  if (token === undefined) {
    const policyDecision = await evaluateRequest(session, catalogue, { ...question, request, requestedAt }, now);
    return ok(policyDecision && { policyDecision, changed: [] });
  }
  const promised = await openToken(token, request, now);
  if (!promised.ok) return promised;
  const { at, facts } = promised.value;
  const policyDecision = await evaluateVersion(session, promised.value, { ...question, request, requestedAt: at });
  return ok(policyDecision && { policyDecision, changed: changedFacts(facts, policyDecision.facts) });
};

type ReasonSource = NonNullable<Input<'createReturn'>['lines'][number]['reason']['source']>;

/** Replaces the label of a platform reason by a personal-text reference. */
const sourceWithTextRef = ({ label, ...source }: ReasonSource, separateTexts: (label: string) => TextReference) =>
  label === undefined ? source : { ...source, label: separateTexts(label) };

/** Replaces the notes of the input by their references. The texts are stored with the return. */
const seal = (
  input: Omit<Input<'createReturn'>, 'observed' | 'eligibilityToken'>,
  lineIds: readonly string[],
): { readonly command: CreateReturn; readonly texts: readonly SaltedText[] } => {
  const texts: SaltedText[] = [];
  const sealed = (ref: string, text: string) => {
    const { seal: digest, text: stored } = createTextReference(ref, text);
    texts.push(stored);
    return digest;
  };
  const lines = input.lines.map(({ reason: { note, source, ...reason }, ...line }, index) => {
    const ref = lineIds[index] ?? '';
    return {
      ...line,
      reason: {
        ...reason,
        ...(note === undefined ? {} : { note: sealed(ref, note) }),
        // A shop may let its customers write the label.
        ...(source === undefined
          ? {}
          : { source: sourceWithTextRef(source, (label) => sealed(`${ref}/source`, label)) }),
      },
    };
  });
  return { command: { ...input, lines }, texts };
};

const newIds = (lines: number, subject: string): NewReturnIds => ({
  id: `ret_${ulid()}`,
  rmaNumber: rmaNumber(randomBytes(8).readBigUInt64BE()),
  lineIds: Array.from({ length: lines }, () => `rln_${ulid()}`),
  subject,
});

/** The inputs of a decision other than the order. */
type PlanContext = {
  readonly reasons: Reasons;
  readonly requestDecision: RequestDecision | undefined;
  readonly shadow: ShadowDecision | undefined;
  readonly observation: { readonly observed?: Observation };
  readonly at: string;
  readonly key: HistoryKey;
};

/** Returns when the request was made. A platform may report it later. */
const requestedAt = ({ observation, at }: Pick<PlanContext, 'observation' | 'at'>): string =>
  observation.observed?.occurredAt ?? at;

const plan = (
  input: Input<'createReturn'>,
  call: Call,
  { order, ledger, ledgerVersion }: OrderRecord,
  { reasons, requestDecision, shadow, observation, at, key }: PlanContext,
): Result<Plan<Output<'createReturn'>>> => {
  const { publicKey: actorKey, text: keyText } = createActorKeyPair();
  const ids = { ...newIds(input.lines.length, dataSubjectOf(order)), actorKey };
  const { observed: reported, eligibilityToken: _, ...request } = input;
  const { command, texts } = seal(request, ids.lineIds);
  const { terms, withdrawable } = termsForRequest(
    requestDecision?.policyDecision,
    order,
    command,
    requestedAt({ observation, at }),
  );
  const made = { ...eventMetadata(call, ids, terms.policyVersion), at };
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
  const { state, entries } = appendEntries(undefined, outcome.value.events, made);
  return ok({
    ...returnResponse(state, allowedActions({ state, order, ledger: outcome.value.ledger, now: at }), {
      status: 201,
      location: `${basePath}/returns/${state.id}`,
    }),
    writes: [
      ...writeReturn(state, addMacs(entries, key), undefined),
      writeLedger(order, outcome.value.ledger, ledgerVersion),
      ...writeMarkers(state),
      // The texts belong to the first entry, whatever entries follow it.
      ...writeTexts({ ...state, version: 1 }, [keyText, ...texts]),
      ...(decision === undefined ? [] : [writeDecision(decision)]),
    ],
  });
};

/**
 * Returns the failure, unless a concurrent request created the same return.
 * That return may be the cause of the failure.
 */
const failureOrDuplicate = async (session: Session, { externalRefs = [] }: Input<'createReturn'>, failure: Failure) => {
  const twin = externalRefs.length === 0 ? undefined : await findByExternalRefs(session, externalRefs);
  return fail(twin === undefined ? failure : duplicateReturn(twin));
};

/**
 * Creates a return of a registered order. Of two concurrent requests for the same last unit, exactly one succeeds. The
 * policy that applies to the order decides in the same write.
 */
export const createReturn = async (
  input: Input<'createReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'createReturn'>>>> =>
  executeReturnCommand('createReturn', input, call, async (session) => {
    const [record, duplicate, catalogue, { changed }, key] = await Promise.all([
      readOrder(session, input.order),
      findByExternalRefs(session, input.externalRefs ?? []),
      readCatalogue(session),
      readReasons(session),
      currentKey(session),
    ]);
    if (duplicate !== undefined) return fail(duplicateReturn(duplicate));
    if (record === undefined) return fail(orderNotFound('/order'));
    const at = new Date().toISOString();
    const reasons = mergeReasons(changed);
    const { order } = record;
    const observation = observationOf(input.observed, { ...input, order }, at);
    if (!observation.ok) return observation;
    const since = requestedAt({ observation: observation.value, at });
    const requestToEvaluate = { catalogue, reasons, request: input, order, requestedAt: since, now: at };
    const requestDecision = await evaluateNewReturn(session, requestToEvaluate);
    if (!requestDecision.ok) return failureOrDuplicate(session, input, requestDecision.failure);
    const shadow =
      requestDecision.value &&
      (await evaluateShadow(
        session,
        catalogue,
        requestDecision.value.policyDecision,
        { order, request: input, reasons },
        call.traceId,
      ));
    const planned = plan(input, call, record, {
      reasons,
      requestDecision: requestDecision.value,
      shadow,
      observation: observation.value,
      at,
      key,
    });
    return planned.ok ? planned : failureOrDuplicate(session, input, planned.failure);
  });
