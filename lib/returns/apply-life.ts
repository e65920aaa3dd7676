import { adjustLine } from './adjust-line.ts';
import type { Appliers } from './appliers.ts';
import { changedLines } from './changed-lines.ts';
import { openUnits } from './open-units.ts';

/** What questions, notes, the end of a return and what comes after it change. */
export const lifeAppliers = {
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
  'return.reopened': (state, { status, lines, reopening }) => ({
    status,
    lines: changedLines(state, lines, adjustLine),
    reopening,
    released: [],
  }),
  'return.corrected': (state, { lines, correction, status }) => ({
    lines: changedLines(state, lines, adjustLine),
    correction,
    // What had closed it is not there to be undone any more.
    ...(status === undefined ? {} : { status, released: [] }),
  }),
  'note.added': ({ notes }, { note }) => ({ notes: [...notes, note] }),
} satisfies Partial<Appliers>;
