import { lifeAppliers } from './apply-life.ts';
import { goodsAppliers } from './apply-goods.ts';
import { parcelAppliers } from './apply-parcels.ts';
import { moneyAppliers } from './apply-money.ts';
import type { Appliers } from './appliers.ts';
import type { Event, ExchangeMoved, LineUnits, SettledLine } from './entry.ts';
import { changedLines } from './changed-lines.ts';
import { withExchanges, type Exchange } from './exchanges.ts';
import { openUnits } from './open-units.ts';
import { live, undecided } from './quantities.ts';
import type { Line, Unversioned } from './return.ts';

const settle = (line: Line, { approved, rejected }: SettledLine): Line => ({
  ...line,
  quantities: { ...line.quantities, approved, rejected },
});

/** A unit that nobody had decided on counts as approved once it is cancelled: what is approved is never undone. */
const cancel = (line: Line, { quantity }: LineUnits): Line => {
  const { quantities } = line;
  const approved = quantities.approved + Math.min(quantity, undecided(quantities));
  return { ...line, quantities: { ...quantities, approved, cancelled: quantities.cancelled + quantity } };
};

const moveExchange =
  (status: Exchange['status']) =>
  (state: Unversioned, { exchangeId, externalRef }: ExchangeMoved) => {
    const moved = { status, ...(externalRef === undefined ? {} : { externalRef }) };
    return withExchanges(
      state,
      state.exchanges.map((exchange) => (exchange.id === exchangeId ? { ...exchange, ...moved } : exchange)),
    );
  };

const appliers: Appliers = {
  'return.approved': (state, { lines, overrides = [] }) => ({
    status: 'approved',
    lines: changedLines(state, lines, settle),
    decision: { overridden: overrides.length > 0, overrides },
  }),
  'return.rejected': (state, { lines, rejection }) => ({
    status: 'rejected',
    lines: changedLines(state, lines, settle),
    rejection,
    released: openUnits(state),
  }),
  'return.cancelled': (state, data) => {
    const { cancellation } = data;
    const lines = changedLines(state, data.lines, cancel);
    return lines.some(({ quantities }) => live(quantities) > 0)
      ? { lines, cancellation }
      : { lines, cancellation, status: 'cancelled', released: openUnits(state) };
  },
  ...lifeAppliers,
  ...parcelAppliers,
  ...goodsAppliers,
  'return.updated': (_, { amounts: __, observed: ___, ...fields }) => fields,
  ...moneyAppliers,
  'discrepancy.found': (state, { discrepancies }) => ({
    discrepancies: [...state.discrepancies, ...discrepancies],
  }),
  'exchange.requested': (state, { exchange }) => withExchanges(state, [...state.exchanges, exchange]),
  'exchange.ordered': moveExchange('ordered'),
  'exchange.fulfilled': moveExchange('fulfilled'),
  'exchange.cancelled': moveExchange('cancelled'),
  'attachment.added': (state, { attachment }) => ({ evidence: [...state.evidence, attachment] }),
};

/** What an event changes in a return, besides its place in the history, its status and what its lines are worth. */
export const apply = (state: Unversioned, { type, data }: Exclude<Event, { type: 'return.requested' }>) =>
  // The applier of a type takes the data of that type; TypeScript does not relate the two across the union.
  (appliers[type] as (state: Unversioned, data: unknown) => Partial<Unversioned>)(state, data);
