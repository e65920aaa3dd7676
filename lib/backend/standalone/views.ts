import type { Output } from '../../contract/schemas.ts';
import { allowedActions } from '../../returns/allowed-actions.ts';
import { fulfilled, ledgerLine, returnable, type Ledger } from '../../returns/ledger.ts';
import { refundStatus } from '../../returns/refund.ts';
import type { Line, Return, Sealed } from '../../returns/return.ts';
import type { Order } from '../../returns/order.ts';
import type { Person } from '../../store/personal.ts';

/** An order on the wire; without `person`, as commands answer, it carries no customer: a writer must not learn of them. */
export const orderView = ({ facts, observed, ...order }: Order, known?: { person: Person | undefined }) => {
  const { customer, completeness = 'full', ...rest } = facts;
  const told = known === undefined ? undefined : { ...customer, ...known.person };
  return structuredClone({
    ...order,
    ...rest,
    ...(told === undefined || Object.keys(told).length === 0 ? {} : { customer: told }),
    completeness,
    observedAt: observed.at,
  }) as Output<'getOrder'>;
};

/** What of an order may still be returned, line by line. */
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
    returnable: returnable(ledger, line),
  })),
});

type Personal = { readonly person: Person | undefined; readonly texts: ReadonlyMap<string, string> };

/** Puts the text back where the state has its seal, for whoever may read it and as long as it is not erased. */
const withNote = <Carrier extends { readonly note?: Sealed }>({ note, ...rest }: Carrier, personal?: Personal) => {
  const text = note === undefined ? undefined : personal?.texts.get(note.ref);
  return { ...rest, ...(text === undefined ? {} : { note: text }) };
};

const lineView = ({ inspections, ...line }: Line, personal?: Personal) => ({
  ...line,
  reason: withNote(line.reason, personal),
  inspections: inspections.map((inspection) => withNote(inspection, personal)),
});

/** A return on the wire; without `personal`, as commands answer, it carries neither customer nor notes. */
export const returnView = (state: Return, personal?: Personal): Output<'getReturn'> => {
  const { head: _, subject: __, terms: ___, customer, lines, unexpected, rejection, cancellation, ...rest } = state;
  return structuredClone({
    ...rest,
    ...(personal === undefined ? {} : { customer: { ...customer, ...personal.person } }),
    lines: lines.map((line) => lineView(line, personal)),
    unexpected: unexpected.map((item) => withNote(item, personal)),
    ...(rejection === undefined ? {} : { rejection: withNote(rejection, personal) }),
    ...(cancellation === undefined ? {} : { cancellation: withNote(cancellation, personal) }),
    refundStatus: refundStatus(state),
    allowedActions: allowedActions(state),
  }) as Output<'getReturn'>;
};
