import type { Appliers } from './appliers.ts';
import { changedLines } from './changed-lines.ts';
import type { GrantedLine, Inspected, MissingLine, ReceivedLine } from './entry.ts';
import type { Unexpected } from '../model/goods.ts';
import { withHonoured, withoutLate } from '../goods/missing-units.ts';
import type { Line } from '../model/return.ts';

const receive = (line: Line, { quantity, late, accepted }: ReceivedLine): Line => {
  const { quantities } = line;
  return {
    ...line,
    missing: withoutLate(line.missing, late),
    quantities: {
      ...quantities,
      received: quantities.received + quantity,
      missing: quantities.missing - late,
      accepted: quantities.accepted + accepted,
    },
  };
};

const miss = (line: Line, { quantity, cause }: MissingLine): Line => {
  const { quantities } = line;
  const known = line.missing.find((entry) => entry.cause === cause) ?? { quantity: 0, cause, granted: 0 };
  // A correction may have left several entries of one cause.
  const others = line.missing.filter((entry) => entry !== known);
  return {
    ...line,
    missing: [...others, { ...known, quantity: known.quantity + quantity }],
    quantities: { ...quantities, missing: quantities.missing + quantity },
  };
};

const inspect = (line: Line, found: Inspected['lines'][number]): Line => {
  const { quantities } = line;
  const { lineId: _, ...inspection } = found;
  const { quantity } = inspection;
  return {
    ...line,
    inspections: [...line.inspections, inspection],
    quantities:
      inspection.outcome === 'accept'
        ? { ...quantities, accepted: quantities.accepted + quantity }
        : { ...quantities, refused: quantities.refused + quantity },
  };
};

const disposed = (item: Unexpected, { unexpected }: Inspected): Unexpected => {
  const { disposition, note } = unexpected.find(({ id }) => id === item.id) ?? {};
  return {
    ...item,
    ...(disposition === undefined ? {} : { disposition }),
    ...(note === undefined ? {} : { note }),
  };
};

const grant = (line: Line, { quantity, of }: GrantedLine): Line => ({
  ...line,
  missing: of === 'missing' ? withHonoured(line.missing, quantity) : line.missing,
  quantities: { ...line.quantities, granted: line.quantities.granted + quantity },
});

/** What events of goods that came, or did not, change in a return. */
export const goodsAppliers = {
  // A return that was over when they came goes on: its status is one that follows from its quantities again, and what
  // had closed it is not there to be undone any more.
  'items.received': (state, { lines }) => ({
    status: 'approved',
    lines: changedLines(state, lines, receive),
    released: [],
  }),
  'items.unexpected': ({ unexpected }, { items }) => ({ unexpected: [...unexpected, ...items] }),
  'items.missing': (state, { lines }) => ({ lines: changedLines(state, lines, miss) }),
  'inspection.recorded': (state, data) => ({
    lines: changedLines(state, data.lines, inspect),
    unexpected: state.unexpected.map((item) => disposed(item, data)),
  }),
  'items.granted': (state, { lines }) => ({ lines: changedLines(state, lines, grant) }),
} satisfies Partial<Appliers>;
