import type { Entry, Event, Requested, SettledLine } from './entry.ts';
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

/** The status that an event leads to. */
export const statusAfter = (event: Event): Status => {
  switch (event.type) {
    case 'return.requested':
      return 'requested';
    case 'return.approved':
      return 'approved';
    case 'return.rejected':
      return 'rejected';
  }
};

const request = (data: Requested, at: string): Omit<Return, 'status' | 'version' | 'head' | 'updatedAt'> => ({
  ...data,
  lines: data.lines.map(({ quantity, ...line }) => ({ ...line, quantities: { requested: quantity, ...noUnits } })),
  requestedAt: at,
  createdAt: at,
});

const settle = (line: Line, lines: readonly SettledLine[]): Line => {
  const settled = lines.find(({ lineId }) => lineId === line.id);
  if (settled === undefined) return line;
  const { approved, rejected, amounts } = settled;
  return { ...line, quantities: { ...line.quantities, approved, rejected }, amounts };
};

/** What an event changes in a return, besides its place in the history. */
const changes = (state: Return, event: Exclude<Event, { type: 'return.requested' }>, at: string): Partial<Return> => {
  const lines = state.lines.map((line) => settle(line, event.data.lines));
  switch (event.type) {
    case 'return.approved':
      return { lines, approvedAt: at };
    case 'return.rejected':
      return { lines, rejectedAt: at, rejection: event.data.rejection };
  }
};

/**
 * The return after one more entry. A return is the fold of its history and nothing else.
 *
 * @throws Error when a history begins with anything but a request: such a history is broken
 */
export const fold = (state: Return | undefined, entry: Entry): Return => {
  const mark = { status: entry.to, version: entry.sequence, head: entry.hash, updatedAt: entry.at };
  if (entry.type === 'return.requested') return { ...request(entry.data, entry.at), ...mark };
  if (state === undefined) throw new Error(`history begins with ${entry.type}`);
  return { ...state, ...changes(state, entry, entry.at), ...mark };
};
