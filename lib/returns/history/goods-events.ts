import { grantMissing, removeLate } from '../goods/quantities.ts';
import type { Inspection, LineUnits, MissingUnits, UnexpectedItem } from '../model/goods.ts';
import type { Line } from '../model/return.ts';
import { type Appliers, changedLines } from './lines.ts';

/** Units that came: `late` were given up before, `accepted` are not looked at any more. */
export type ReceivedLine = LineUnits & { readonly late: number; readonly accepted: number };

export type MissingLine = LineUnits & Pick<MissingUnits, 'cause'>;

/** What somebody found: of units of lines, and what becomes of items that belong to none. */
export type InspectionRecorded = {
  readonly lines: readonly (Inspection & { readonly lineId: string })[];
  readonly unexpected: readonly (Required<Pick<UnexpectedItem, 'id' | 'disposition'>> & Pick<UnexpectedItem, 'note'>)[];
};

/** Units that are honoured although they did not come or were refused. */
export type GrantedLine = LineUnits & { readonly of: 'missing' | 'refused' };

/** The events of goods that arrived, or did not. */
export type GoodsEvents = {
  readonly 'items.received': { readonly parcelId?: string; readonly lines: readonly ReceivedLine[] };
  readonly 'items.unexpected': { readonly items: readonly UnexpectedItem[] };
  readonly 'items.missing': { readonly lines: readonly MissingLine[] };
  readonly 'inspection.recorded': InspectionRecorded;
  readonly 'items.granted': { readonly reason: string; readonly lines: readonly GrantedLine[] };
};

const receiveLine = (line: Line, { quantity, late, accepted }: ReceivedLine): Line => {
  const { quantities } = line;
  return {
    ...line,
    missing: removeLate(line.missing, late),
    quantities: {
      ...quantities,
      received: quantities.received + quantity,
      missing: quantities.missing - late,
      accepted: quantities.accepted + accepted,
    },
  };
};

const addMissing = (line: Line, { quantity, cause }: MissingLine): Line => {
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

const inspectLine = (line: Line, found: InspectionRecorded['lines'][number]): Line => {
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

const applyDisposition = (item: UnexpectedItem, { unexpected }: InspectionRecorded): UnexpectedItem => {
  const { disposition, note } = unexpected.find(({ id }) => id === item.id) ?? {};
  return {
    ...item,
    ...(disposition === undefined ? {} : { disposition }),
    ...(note === undefined ? {} : { note }),
  };
};

const grantLine = (line: Line, { quantity, of }: GrantedLine): Line => ({
  ...line,
  missing: of === 'missing' ? grantMissing(line.missing, quantity) : line.missing,
  quantities: { ...line.quantities, granted: line.quantities.granted + quantity },
});

/** What events of goods that came, or did not, change in a return. */
export const goodsAppliers = {
  // A return that was over when they came goes on: its status is one that follows from its quantities again, and what
  // had closed it is not there to be undone any more.
  'items.received': (state, { lines }) => ({
    status: 'approved',
    lines: changedLines(state, lines, receiveLine),
    released: [],
  }),
  'items.unexpected': ({ unexpected }, { items }) => ({ unexpected: [...unexpected, ...items] }),
  'items.missing': (state, { lines }) => ({ lines: changedLines(state, lines, addMissing) }),
  'inspection.recorded': (state, data) => ({
    lines: changedLines(state, data.lines, inspectLine),
    unexpected: state.unexpected.map((item) => applyDisposition(item, data)),
  }),
  'items.granted': (state, { lines }) => ({ lines: changedLines(state, lines, grantLine) }),
} satisfies Appliers<GoodsEvents>;
