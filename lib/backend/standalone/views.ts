import type { Output } from '../../contract/schemas.ts';
import { allowedActions } from '../../returns/allowed-actions.ts';
import type { Line, Return } from '../../returns/return.ts';
import type { Order } from '../../returns/order.ts';
import type { Person } from '../../store/personal.ts';

/** An order as commands answer it: without the customer, whom a write-only caller must not learn. */
export const orderView = ({ facts, observed, ...order }: Order): Output<'registerOrder'> => {
  const { customer: _, completeness = 'full', ...rest } = facts;
  return structuredClone({ ...order, ...rest, completeness, observedAt: observed.at }) as Output<'registerOrder'>;
};

type Personal = { readonly person: Person | undefined; readonly texts: ReadonlyMap<string, string> };

const lineView = (line: Line, personal: Personal | undefined) => {
  const { note, ...reason } = line.reason;
  const text = note === undefined ? undefined : personal?.texts.get(note.ref);
  return { ...line, reason: { ...reason, ...(text === undefined ? {} : { note: text }) } };
};

/** A return on the wire; without `personal`, as commands answer, it carries neither customer nor notes. */
export const returnView = (state: Return, personal?: Personal): Output<'getReturn'> => {
  const { head: _, subject: __, customer, lines, ...rest } = state;
  return structuredClone({
    ...rest,
    ...(personal === undefined ? {} : { customer: { ...customer, ...personal.person } }),
    lines: lines.map((line) => lineView(line, personal)),
    refundStatus: 'none',
    allowedActions: allowedActions(state.status),
  }) as Output<'getReturn'>;
};
