import type { Output } from '../../contract/contract.ts';
import { decryptActor } from '../../store/personal/encrypt-actor.ts';
import { publicActor, type TextReference } from '../../domain/returns/model/actor.ts';
import type { Attachment, Parcel } from '../../domain/returns/model/goods.ts';
import type { Order, OrderOrigin } from '../../domain/returns/model/order.ts';
import type { Line, Note, Return } from '../../domain/returns/model/return.ts';
import { feesOf } from '../../domain/returns/money/deductions.ts';
import { fulfilled, returnable } from '../../domain/returns/money/line-units.ts';
import { type Ledger, ledgerLine } from '../../domain/returns/money/order-ledger.ts';
import { recoveryDue } from '../../domain/returns/money/recovery.ts';
import { refundStatus } from '../../domain/returns/money/refund-status.ts';
import { deadlinesOf } from '../../domain/returns/rules/deadlines.ts';
import { nextStep } from '../../domain/returns/rules/next-step.ts';
import { obligationsOf } from '../../domain/returns/rules/obligations.ts';
import type { AllowedAction } from '../../domain/returns/rules/states.ts';
import type { Link } from '../../store/engine/presign.ts';
import type { StoredPerson } from '../../store/personal/personal.ts';
import type { UserName } from '../../store/personal/user-names.ts';
import { refundView } from './policy-views.ts';

/** The customer of an order, if known. */
type OptionalPerson = StoredPerson | undefined;

/** Makes the wire form of a person's name and address; undefined for an unknown person. */
export const personView = (known: OptionalPerson) =>
  known?.erased === true ? { erased: true as const } : known?.person;

/**
 * Makes the wire form of an order. Responses of commands pass no `person`, because a writer must not read the customer.
 */
export const orderView = ({ facts, observed, ...order }: Order, known?: { person: OptionalPerson }) => {
  const { customer, completeness = 'full', ...rest } = facts;
  const knownCustomer = known === undefined ? undefined : { ...customer, ...personView(known.person) };
  return structuredClone({
    ...order,
    ...rest,
    ...(knownCustomer === undefined || Object.keys(knownCustomer).length === 0 ? {} : { customer: knownCustomer }),
    completeness,
    observedAt: observed.at,
  }) as Output<'getOrder'>;
};

/** Makes the wire form of the returnable units of an order, by line. */
export const returnableView = ({ platform, orderId, facts }: Order, ledger: Ledger): Output<'getReturnable'> => ({
  platform,
  orderId,
  lines: facts.lines.map((line) => ({
    lineId: line.lineId,
    ...(line.sku === undefined ? {} : { sku: line.sku }),
    quantity: line.quantity,
    fulfilled: fulfilled(line),
    held: ledgerLine(ledger, line.lineId).held,
    refunded: ledgerLine(ledger, line.lineId).refundedAlone,
    withdrawn: ledgerLine(ledger, line.lineId).withdrawn?.units ?? 0,
    returnable: returnable(ledger, line),
  })),
});

type PersonalData = {
  readonly person: OptionalPerson;
  readonly texts: ReadonlyMap<string, string>;
  /** The names of signed-in users, by digest. */
  readonly userNames: ReadonlyMap<string, UserName>;
  /** Links to evidence files, by attachment. */
  readonly links: ReadonlyMap<string, Link>;
};

type WithText<Carrier, Field extends string> = Omit<Carrier, Field> & { readonly [Name in Field]?: string };

/**
 * Replaces a personal-text reference by its text for permitted readers, or by a mark if it is erased.
 * The texts are read after the state and are written with it. So a missing text was erased.
 */
const withText = <Field extends string, Carrier extends { readonly [Name in Field]?: TextReference }>(
  field: Field,
  carrier: Carrier,
  personal?: PersonalData,
): WithText<Carrier, Field> & { readonly erased?: true } => {
  const { [field]: seal, ...rest } = carrier;
  const text = seal === undefined ? undefined : personal?.texts.get(seal.ref);
  const isErased = seal !== undefined && personal !== undefined && text === undefined;
  const shown: WithText<Carrier, Field> = { ...rest, ...(text === undefined ? {} : { [field]: text }) };
  return isErased ? { ...shown, erased: true as const } : shown;
};

/** Returns the evidence of a line, or of the return as a whole, for permitted readers. */
const evidenceOf = (evidence: readonly Attachment[], lineId: string | undefined, personal?: PersonalData) =>
  personal === undefined
    ? {}
    : {
        evidence: evidence
          .filter((attachment) => attachment.lineId === lineId)
          .map((attachment) => ({ ...attachment, ...personal.links.get(attachment.id) })),
      };

const reasonView = ({ source, ...reason }: Line['reason'], personal?: PersonalData) => ({
  ...withText('note', reason, personal),
  ...(source === undefined ? {} : { source: withText('label', source, personal) }),
});

const lineView = ({ id, inspections, ...line }: Line, evidence: readonly Attachment[], personal?: PersonalData) => ({
  lineId: id,
  ...line,
  ...evidenceOf(evidence, id, personal),
  reason: reasonView(line.reason, personal),
  inspections: inspections.map((inspection) => withText('note', inspection, personal)),
});

/** Makes the view of a parcel. Only permitted readers get the fields that reveal where the customer lives. */
const parcelView = (
  { id: parcelId, trackingNumber, trackingUrl, labelUrl, ...parcel }: Parcel,
  personal?: PersonalData,
) => ({
  parcelId,
  ...parcel,
  ...withText('trackingNumber', { ...(trackingNumber && { trackingNumber }) }, personal),
  ...withText('trackingUrl', { ...(trackingUrl && { trackingUrl }) }, personal),
  ...withText('labelUrl', { ...(labelUrl && { labelUrl }) }, personal),
});

const noteView = ({ actor, ...note }: Note, personal?: PersonalData) => ({
  ...withText('note', note, personal),
  actor: personal === undefined ? publicActor(actor) : decryptActor(actor, personal.texts, personal.userNames),
});

/** Returns the texts that people wrote, each in its field. */
const writtenTexts = (state: Return, personal?: PersonalData) => {
  const { rejection, cancellation, messages, notes, decision, waiver, reopening, correction } = state;
  return {
    ...(rejection === undefined ? {} : { rejection: withText('note', rejection, personal) }),
    ...(cancellation === undefined ? {} : { cancellation: withText('note', cancellation, personal) }),
    messages: messages.map(({ evidence, ...message }) => ({
      ...withText('text', message, personal),
      ...(personal === undefined || evidence === undefined ? {} : { evidence }),
    })),
    notes: notes.map((note) => noteView(note, personal)),
    ...(decision === undefined
      ? {}
      : {
          decision: {
            ...decision,
            overrides: decision.overrides.map((override) => withText('reason', override, personal)),
          },
        }),
    ...(waiver === undefined ? {} : { waiver: withText('reason', waiver, personal) }),
    ...(reopening === undefined ? {} : { reopening: withText('reason', reopening, personal) }),
    ...(correction === undefined ? {} : { correction: withText('reason', correction, personal) }),
  };
};

/** The reader's permissions and the allowed actions. Without `actions` the view has none. */
type ViewOptions = {
  readonly actions?: readonly AllowedAction[];
  readonly personal?: PersonalData;
  readonly origin?: OrderOrigin | undefined;
};

/** Makes the wire form of who owes whom in a return. */
const obligationViews = (state: Return) => {
  const money = (amount: number) => ({ amount, currency: state.lines[0]?.amounts.gross.currency });
  return obligationsOf(state).map(({ amount, booked, settled, due, ...obligation }) => ({
    ...obligation,
    amount: money(amount),
    booked: money(booked),
    settled: money(settled),
    due: money(due),
  }));
};

/**
 * Makes the wire form of a return. Ids have the names that they have in paths and requests. Responses of commands pass
 * no `personal`. They have neither the customer nor texts nor evidence.
 */
export const returnView = (state: Return, { actions, personal, origin }: ViewOptions = {}): Output<'getReturn'> => {
  const { head: _, subject: __, actorKey: ___, terms, waivers: ____, released: _____, ...others } = state;
  const {
    id,
    customer,
    lines,
    unexpected,
    evidence,
    refunds,
    parcels,
    exchanges,
    shopExchanges = [],
    paymentsLeft,
    promotion: ______,
    assignee,
    ...rest
  } = others;
  const zero = { amount: 0, currency: lines[0]?.amounts.gross.currency };
  return {
    returnId: id,
    ...(terms.withdrawal !== undefined && { withdrawalId: terms.withdrawal.withdrawalId }),
    ...rest,
    ...(origin !== undefined && { origin }),
    ...writtenTexts(state, personal),
    // The person who returns a gift need not know the payer. The same holds for the shop's agent.
    ...(personal === undefined || state.isGift ? {} : { customer: { ...customer, ...personView(personal.person) } }),
    lines: lines.map((line) => lineView(line, evidence, personal)),
    ...evidenceOf(evidence, undefined, personal),
    unexpected: unexpected.map((item) => withText('note', item, personal)),
    parcels: parcels.map((parcel) => parcelView(parcel, personal)),
    refunds: refunds.map(refundView),
    exchanges: exchanges.map(({ id: exchangeId, ...exchange }) => ({ exchangeId, ...exchange })),
    ...(assignee && { assignee }),
    ...(shopExchanges.length > 0 && { shopExchanges }),
    ...(paymentsLeft !== undefined && { paymentsLeft: { ...zero, amount: paymentsLeft } }),
    ...(personal !== undefined && { obligations: obligationViews(state) }),
    fees: feesOf(state),
    recoveryDue: { ...zero, amount: recoveryDue(state) },
    refundStatus: refundStatus(state),
    deadlines: deadlinesOf(state),
    ...(actions !== undefined && { allowedActions: actions, nextStep: nextStep(state) }),
  } as Output<'getReturn'>;
};
