import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { FieldError } from '../../../contract/errors.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { changesBetween } from '../../../domain/policies/lifecycle/diff.ts';
import { type ImportReturn, underPath } from '../../../domain/returns/commands/request/import-errors.ts';
import { importReturn as decide } from '../../../domain/returns/commands/request/import-return.ts';
import { registerOrder } from '../../../domain/returns/commands/order/register-order.ts';
import { appendEntries } from '../../../domain/returns/history/history.ts';
import type { Instant, Order, OrderFacts } from '../../../domain/returns/model/order.ts';
import { allowedActions } from '../../../domain/returns/rules/allowed-actions.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import { returnKey } from '../../../store/engine/keys.ts';
import type { Session } from '../../../store/engine/session.ts';
import type { Write } from '../../../store/engine/transact.ts';
import { markPublished } from '../../../store/events/event-partitions.ts';
import {
  type KnownOrder,
  readKnownOrder,
  readRefund,
  writeLedger,
  writeOrder,
  writeRefund,
} from '../../../store/orders/orders.ts';
import { createActorKeyPair } from '../../../store/personal/encrypt-actor.ts';
import { type SaltedText, writeTexts } from '../../../store/personal/personal.ts';
import { createTextReference, dataSubjectOf } from '../../../store/personal/text-references.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { findByExternalRefs, readEntries, readReturn, writeMarkers } from '../../../store/returns/returns.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { execute, fingerprint, type Plan } from '../../execution/execute.ts';
import { duplicateReturn, orderNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { latestObservationAt } from '../../execution/observation.ts';
import { returnResponse } from '../../execution/return-response.ts';
import { writeChangedReturn } from '../../execution/write-changed-return.ts';
import { separatePersonal, writeCustomer } from '../orders/customer.ts';
import { termsForRequest } from '../decisions/terms-config.ts';
import { newIds } from './plan-return.ts';
import { referenceReasonTexts } from './reason-texts.ts';

type ImportInput = Input<'importReturn'>;
type ImportPlan = Result<Plan<Output<'importReturn'>>>;

/** Returns the facts of a request that a later one is compared with, without free texts and the facts of the order. */
const factsOf = (input: ImportInput) => {
  const { source: _, externalId: __, order, lines, ...facts } = input;
  return {
    ...facts,
    order: { platform: order.platform, orderId: order.orderId },
    lines: lines.map(({ reason, ...line }) => ({ ...line, reason: { code: reason.code } })),
  };
};

/** The facts of an order that decide what is owed, and which law applies. */
const decisiveFacts = ({ currency, country, customer, lines }: OrderFacts) => ({
  currency,
  country,
  customer: { id: customer?.id },
  lines: lines.map(({ lineId, unitPrice, taxIncluded }) => ({ lineId, unitPrice, taxIncluded })),
});

/**
 * Returns the stated facts that the order has otherwise. Of an order that another source registered, and of one that was
 * observed later, the import states nothing.
 */
const orderDifferences = (order: Order | undefined, { source, order: { facts, ...ref } }: ImportInput) => {
  if (order === undefined || facts === undefined || order.facts.source !== source) return [];
  const stated = separatePersonal({ ...ref, ...facts, source });
  if (stated.observedAt < order.observed.at) return [];
  const known = decisiveFacts(order.facts);
  const linesById = new Map(known.lines.map((line) => [line.lineId, line]));
  const lines = stated.facts.lines.map(({ lineId }) => {
    const line = linesById.get(lineId);
    return { ...line, taxIncluded: line?.taxIncluded ?? false };
  });
  const changes = changesBetween({ ...known, lines }, decisiveFacts(stated.facts), '/order/facts');
  return changes.filter(({ after }) => after !== undefined);
};

/** The most fields that an error names. */
const maxDifferences = 10;

const otherContent = (returnId: string, paths: readonly string[]): Failure => ({
  ...duplicateReturn(returnId),
  detail:
    'This return is already imported with other content. An import never changes a return: change it by commands.',
  errors: paths.map((path): FieldError => ({ path, code: 'duplicate', message: 'must be as it was imported' })),
});

/** Answers a repeat with the return as it is now. */
const answerKnown = async (session: Session, input: ImportInput, returnId: string): Promise<ImportPlan> => {
  const [[first], state] = await Promise.all([readEntries(session, returnId, 0, 1), readReturn(session, returnId)]);
  if (first?.type !== 'return.imported' || state === undefined) return fail(duplicateReturn(returnId));
  const { order, ledger } = await readKnownOrder(session, state.order);
  const changes = [...changesBetween(first.data.facts, factsOf(input), ''), ...orderDifferences(order, input)];
  const paths = changes.slice(0, maxDifferences).map(({ path }) => path);
  if (paths.length > 0) return fail(otherContent(returnId, paths));
  const now = new Date().toISOString();
  const actions = order === undefined ? [] : allowedActions({ state, order, ledger, now });
  return ok({ reply: returnResponse(state, actions).reply, writes: [] });
};

/** An order with the facts of the import, and the customer that they name. */
type ImportedOrder = { readonly order: Order; readonly customer: readonly Write[] };

const withFacts = async (
  session: Session,
  { source, order: { facts: stated, ...ref } }: ImportInput,
  known: KnownOrder,
  now: Instant,
): Promise<Result<ImportedOrder>> => {
  // A shop knows its order better. An import adds lines only to an order that the same source began.
  if (known.order !== undefined && (stated === undefined || known.order.facts.source !== source))
    return ok({ order: known.order, customer: [] });
  if (stated === undefined) return fail(orderNotFound('/order'));
  const { facts, person, observedAt } = separatePersonal({ ...ref, ...stated, source });
  const registration = {
    ref,
    facts,
    observedAt,
    latest: latestObservationAt(new Date(now)),
    id: `ord_${newUlid()}`,
    now,
  };
  const registered = registerOrder(known, registration);
  if (!registered.ok) return fail(underPath('/order/facts', registered.failure));
  const order = registered.value;
  const customer = await writeCustomer(session, { order, before: known.order }, { person, observedAt });
  return ok({ order, customer });
};

/** Names the refund of an import that has no id at the platform. */
const refundIdOf = ({ source, externalId, refund }: ImportInput): string =>
  (refund?.externalId ?? `${source}.${externalId}`).slice(0, 100);

const refundRecorded: Failure = {
  code: 'duplicate_return',
  detail: 'A refund with this id is already recorded for the order.',
  errors: [{ path: '/refund/externalId', code: 'duplicate', message: 'must be the id of no recorded refund' }],
};

const instant = (at: string): Instant => new Date(at).toISOString();

/** Returns the command of an import, and the texts that its references stand for. */
const commandOf = (input: ImportInput, lineIds: readonly string[]) => {
  const { source, externalId, status, order: _, lines: stated, refund, requestedAt, ...rest } = input;
  const { decidedAt, receivedAt, endedAt, ...request } = rest;
  const { lines, texts } = referenceReasonTexts(
    stated.map(({ received: __, kept: ___, ...line }) => line),
    lineIds,
  );
  const { externalId: __, method = 'original_payment', occurredAt, ...paid } = refund ?? { occurredAt: '' };
  const command: ImportReturn = {
    source,
    externalId,
    status,
    requestedAt: instant(requestedAt),
    ...(decidedAt !== undefined && { decidedAt: instant(decidedAt) }),
    ...(receivedAt !== undefined && { receivedAt: instant(receivedAt) }),
    ...(endedAt !== undefined && { endedAt: instant(endedAt) }),
    request: { ...request, lines, externalRefs: [{ platform: source, id: externalId }] },
    units: stated,
    ...(refund !== undefined && {
      refund: { ...paid, amount: refund.amount, method, occurredAt: instant(occurredAt) },
    }),
  };
  return { command, texts };
};

const planImport = async (session: Session, input: ImportInput, call: Call): Promise<ImportPlan> => {
  const { platform, orderId } = input.order;
  const ref = { platform, orderId };
  const [duplicate, known, paid, { changed }, key] = await Promise.all([
    findByExternalRefs(session, [{ platform: input.source, id: input.externalId }]),
    readKnownOrder(session, ref),
    input.refund && readRefund(session, ref, refundIdOf(input)),
    readReasons(session),
    currentKey(session),
  ]);
  if (duplicate !== undefined) return answerKnown(session, input, duplicate);
  if (paid !== undefined) return fail(refundRecorded);
  const now = new Date().toISOString();
  const found = await withFacts(session, input, known, now);
  if (!found.ok) return found;
  const { order, customer } = found.value;

  const { publicKey: actorKey, text: keyText } = createActorKeyPair();
  const ids = { ...newIds(input.lines.length, dataSubjectOf(order)), actorKey };
  const { command, texts } = commandOf(input, ids.lineIds);
  const waiver = createTextReference(`waiver/${newUlid()}`, `Settled in ${input.source}.`);
  const refund = {
    id: `rfd_${newUlid()}`,
    externalId: refundIdOf(input),
    now,
    latest: latestObservationAt(new Date(now)),
  };
  const { terms } = termsForRequest(undefined, order, command.request, command.requestedAt, ids.lineIds);
  const decision = decide(
    { order, ledger: known.ledger, now: refund.latest, reasons: mergeReasons(changed) },
    command,
    terms,
    { ...ids, refund, waiver: waiver.seal },
  );
  if (!decision.ok) return fail(decision.failure);
  const { steps, ledger, refund: booked } = decision.value;
  const { source, externalId } = input;
  const next = appendEntries(
    undefined,
    [{ type: 'return.imported', data: { source, externalId, facts: factsOf(input), steps } }],
    { ...eventMetadata(call, ids, terms.policyVersion), at: now },
  );
  const { state } = next;
  const isWaived = state.waiver !== undefined;
  const stored: readonly SaltedText[] = [keyText, ...texts, ...(isWaived ? [waiver.text] : [])];
  return ok({
    reply: { ...returnResponse(state, allowedActions({ state, order, ledger, now })).reply, status: 201 },
    writes: [
      ...writeChangedReturn(next, undefined, key, call),
      ...(order === known.order
        ? [writeLedger(order, ledger, known.ledgerVersion)]
        : writeOrder(order, { ...known, ledger })),
      ...customer,
      ...writeMarkers(state),
      ...writeTexts(state, stored),
      ...(booked === undefined
        ? []
        : [writeRefund({ refund: booked, fingerprint: fingerprint('importReturn', input) })]),
      markPublished(returnKey(state.id).pk, state.version),
    ],
  });
};

/**
 * Imports a return of another system as one entry of its history. A repeat changes nothing. Of two concurrent requests
 * for the same return, one stores it and the other one finds it.
 */
export const importReturn = async (input: ImportInput, call: Call): Promise<Result<Reply<Output<'importReturn'>>>> =>
  execute('importReturn', input, call, async (session) => {
    const planned = await planImport(session, input, call);
    if (planned.ok) return planned;
    // A concurrent import of the same return may have taken the units that this one lacks.
    const twin = await findByExternalRefs(session, [{ platform: input.source, id: input.externalId }]);
    return twin === undefined ? planned : answerKnown(session, input, twin);
  });
