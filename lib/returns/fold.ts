import type { CancelledLine, Entry, Event, RefundRecorded, Requested, SettledLine } from './entry.ts';
import { live, undecided } from './quantities.ts';
import type { Line, Return } from './return.ts';
import type { Status } from './states.ts';

const noUnits = {
  approved: 0,
  rejected: 0,
  cancelled: 0,
  returnless: 0,
  received: 0,
  missing: 0,
  accepted: 0,
  refused: 0,
  granted: 0,
  refunded: 0,
};

type Change = Exclude<Event, { type: 'return.requested' }>;

const request = (data: Requested, at: string): Omit<Return, 'status' | 'version' | 'head' | 'updatedAt'> => ({
  ...data,
  lines: data.lines.map(({ quantity, ...line }) => ({ ...line, quantities: { requested: quantity, ...noUnits } })),
  refunds: [],
  discrepancies: [],
  requestedAt: at,
  createdAt: at,
});

/** The lines of a return, those changed that the event names. */
const changed = <Named extends { readonly lineId: string }>(
  state: Return,
  named: readonly Named[],
  change: (line: Line, named: Named) => Line,
): readonly Line[] =>
  state.lines.map((line) => {
    const found = named.find(({ lineId }) => lineId === line.id);
    return found === undefined ? line : change(line, found);
  });

const settle = (line: Line, { approved, rejected, amounts }: SettledLine): Line => ({
  ...line,
  quantities: { ...line.quantities, approved, rejected },
  amounts,
});

/** A unit that nobody had decided on counts as approved once it is cancelled: what is approved is never undone. */
const cancel = (line: Line, { quantity, amounts }: CancelledLine): Line => {
  const { quantities } = line;
  const approved = quantities.approved + Math.min(quantity, undecided(quantities));
  return { ...line, quantities: { ...quantities, approved, cancelled: quantities.cancelled + quantity }, amounts };
};

const refund = (line: Line, { quantity, gross }: RefundRecorded['lines'][number]): Line => ({
  ...line,
  quantities: { ...line.quantities, refunded: line.quantities.refunded + quantity },
  amounts: { ...line.amounts, refunded: { ...gross, amount: line.amounts.refunded.amount + gross.amount } },
});

/** What an event changes in a return, besides its place in the history. */
const changes = (state: Return, event: Change, at: string): Partial<Return> => {
  switch (event.type) {
    case 'return.approved':
      return { status: 'approved', lines: changed(state, event.data.lines, settle), approvedAt: at };
    case 'return.rejected':
      return {
        status: 'rejected',
        lines: changed(state, event.data.lines, settle),
        rejectedAt: at,
        rejection: event.data.rejection,
      };
    case 'return.cancelled': {
      const { cancellation } = event.data;
      const lines = changed(state, event.data.lines, cancel);
      return lines.some(({ quantities }) => live(quantities) > 0)
        ? { lines, cancellation }
        : { lines, cancellation, status: 'cancelled', cancelledAt: at };
    }
    case 'return.updated':
      return event.data;
    case 'refund.recorded':
      return {
        lines: changed(state, event.data.lines, refund),
        refunds: [...state.refunds, event.data.refund],
        discrepancies: [...state.discrepancies, ...event.data.refund.discrepancies],
      };
  }
};

/** An event in its place, but for what ties it to the entry before. */
export type Happened = Event & { readonly at: string };

/**
 * The return after something happened to it, but for its version and the head of its history.
 *
 * @throws Error when a history begins with anything but a request: such a history is broken
 */
const after = (state: Return | undefined, event: Happened): Omit<Return, 'version' | 'head'> => {
  if (event.type === 'return.requested')
    return { ...request(event.data, event.at), status: 'requested', updatedAt: event.at };
  if (state === undefined) throw new Error(`history begins with ${event.type}`);
  return { ...state, ...changes(state, event, event.at), updatedAt: event.at };
};

/** The status that an event leads to. */
export const statusAfter = (state: Return | undefined, event: Happened): Status => after(state, event).status;

/** The return after one more entry. A return is the fold of its history and nothing else. */
export const fold = (state: Return | undefined, entry: Entry): Return => ({
  ...after(state, entry),
  version: entry.sequence,
  head: entry.hash,
});
