import { adjustLine } from './adjust-line.ts';
import type { Appliers } from './appliers.ts';
import { changedLines } from './changed-lines.ts';
import type { LineUnits } from '../model/goods.ts';
import type { Renewed, SettledLine } from './entry.ts';
import { openUnits } from '../goods/open-units.ts';
import { live } from '../goods/quantities.ts';
import type { Line, Unversioned } from '../model/return.ts';

const settle = (line: Line, { approved, rejected, returnless }: SettledLine): Line => ({
  ...line,
  quantities: {
    ...line.quantities,
    approved,
    rejected,
    ...(returnless === undefined ? {} : { returnless }),
  },
});

const cancel = (line: Line, { quantity }: LineUnits): Line => {
  const { quantities } = line;
  return { ...line, quantities: { ...quantities, cancelled: quantities.cancelled + quantity } };
};

/** A new decision says all of every line: what the one before said of a line that it does not name is over. */
const renew = ({ judgement, terms, lines: named }: Renewed, lines: readonly Line[]): Partial<Unversioned> => ({
  terms,
  decision: { ...judgement, overridden: false, overrides: [] },
  lines: lines.map((line) => {
    const { eligibility: _, evidenceRequired: __, ...asked } = line;
    const { lineId: ___, ...said } = named.find(({ lineId }) => lineId === line.id) ?? { lineId: line.id };
    return { ...asked, ...said };
  }),
});

/** What events change in a return that are about its course, from its approval to its end, and what is kept with it. */
export const lifeAppliers = {
  'return.approved': (state, { lines, overrides = [] }) => ({
    status: 'approved',
    lines: changedLines(state, lines, settle),
    decision: { ...state.decision, overridden: overrides.length > 0, overrides },
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
  'return.info_requested': ({ messages }, { message }) => ({
    status: 'info_requested',
    messages: [...messages, message],
  }),
  'return.info_provided': ({ messages }, { message }) => ({ status: 'requested', messages: [...messages, message] }),
  'return.completed': (_, { waiver }) => ({ status: 'completed', ...(waiver === undefined ? {} : { waiver }) }),
  'return.expired': (state, { lines }) => ({
    status: 'expired',
    lines: changedLines(state, lines, adjustLine),
    released: openUnits(state),
  }),
  'return.reopened': (state, { status, lines, reopening, renewed }) => {
    const adjusted = changedLines(state, lines, adjustLine);
    return {
      status,
      lines: adjusted,
      reopening,
      released: [],
      ...(renewed === undefined ? {} : renew(renewed, adjusted)),
    };
  },
  'decision.renewed': ({ lines }, renewed) => renew(renewed, lines),
  'return.corrected': (state, { lines, correction, status }) => ({
    lines: changedLines(state, lines, adjustLine),
    correction,
    // What had closed it is not there to be undone any more.
    ...(status === undefined ? {} : { status, released: [] }),
  }),
  'return.updated': (_, { amounts: __, observed: ___, ...fields }) => fields,
  'note.added': ({ notes }, { note }) => ({ notes: [...notes, note] }),
  'attachment.added': (state, { attachment }) => ({ evidence: [...state.evidence, attachment] }),
} satisfies Partial<Appliers>;
