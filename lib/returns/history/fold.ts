import { apply } from './apply.ts';
import { changedLines } from './changed-lines.ts';
import { derivedStatus } from './derived-status.ts';
import type { Entry, Event, EventOf } from './entry.ts';
import type { Return, Unversioned } from '../model/return.ts';
import { reachedAt } from './status-times.ts';

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
  exchanged: 0,
};

const request = (data: EventOf<'return.requested'>['data'], at: string): Unversioned => {
  const { amounts: _, observed, judgement, ...requested } = data;
  return {
    ...requested,
    ...(judgement === undefined ? {} : { decision: { ...judgement, overridden: false, overrides: [] } }),
    status: 'requested',
    lines: requested.lines.map(({ quantity, ...line }) => ({
      ...line,
      quantities: { requested: quantity, ...noUnits },
      inspections: [],
      missing: [],
    })),
    parcels: [],
    unexpected: [],
    refunds: [],
    waivers: [],
    recoveries: [],
    exchanges: [],
    evidence: [],
    discrepancies: [],
    messages: [],
    notes: [],
    released: [],
    // A platform may tell of a request later than it was made: rights and due dates count from when it was.
    requestedAt: observed?.occurredAt ?? at,
    createdAt: at,
    updatedAt: at,
  };
};

/** An event in its place, but for what ties it to the entry before. */
type Happened = Event & { readonly at: string };

/**
 * The return after something happened to it, but for its version and the head of its history.
 *
 * @throws Error when a history begins with anything but a request: such a history is broken
 */
export const after = (state: Unversioned | undefined, event: Happened): Unversioned => {
  const { at } = event;
  if (event.type === 'return.requested') return request(event.data, at);
  if (state === undefined) throw new Error(`history begins with ${event.type}`);
  const changed = { ...state, ...apply(state, event) };
  const lines = changedLines(changed, event.data.amounts ?? [], (line, { amounts }) => ({ ...line, amounts }));
  const status = derivedStatus(changed);
  const reached = status === state.status ? {} : reachedAt(status, at);
  return { ...changed, lines, status, ...reached, updatedAt: at };
};

/** The return after one more entry. A return is the fold of its history and nothing else. */
export const fold = (state: Return | undefined, entry: Entry): Return => ({
  ...after(state, entry),
  version: entry.sequence,
  head: entry.hash,
});
