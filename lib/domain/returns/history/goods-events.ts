import { repairedGoingBack } from '../goods/parcels.ts';
import { grantMissing, removeLate, type personalParcelFields } from '../goods/quantities.ts';
import type { TextReference } from '../model/actor.ts';
import type { Inspection, LineUnits, MissingUnits, UnexpectedItem, Parcel } from '../model/goods.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { type Appliers, changedLines } from './lines.ts';

/** Received units. `late` ones were missing before, and `accepted` ones need no inspection. */
export type ReceivedLine = LineUnits & { readonly late: number; readonly accepted: number };

export type MissingLine = LineUnits & Pick<MissingUnits, 'cause'>;

/** The outcome of an inspection: for units of lines, and dispositions of unexpected items. */
export type InspectionRecorded = {
  readonly lines: readonly (Inspection & { readonly lineId: string })[];
  readonly unexpected: readonly (Required<Pick<UnexpectedItem, 'id' | 'disposition'>> & Pick<UnexpectedItem, 'note'>)[];
};

/** Missing or refused units that are granted. */
export type GrantedLine = LineUnits & { readonly of: 'missing' | 'refused' };

/** The events of goods that arrived or are missing. */
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
  // A correction may have left several entries with one cause.
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

/** The changes that goods events make to a return. */
export const goodsAppliers = {
  // A receipt reopens an ended return: its status is derived from its quantities again. Its released units can no
  // longer be restored.
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

type ParcelAdded = { readonly parcel: Parcel };

/** The changed fields of a parcel: `null` for a removed field. A status change has its time. */
export type ParcelUpdated = {
  readonly parcelId: string;
  readonly changes: { readonly carrier?: string | null } & {
    readonly [Field in (typeof personalParcelFields)[number]]?: TextReference | null;
  } & Partial<Pick<Parcel, 'contents'>>;
  readonly moved?: Parcel['events'][number];
};

export type ParcelEvents = {
  readonly 'parcel.added': ParcelAdded;
  readonly 'parcel.updated': ParcelUpdated;
};

/** A return stores only the last events of a parcel. The history has all of them. */
const maxEvents = 100;

const updateParcelFields = (parcel: Parcel, { changes, moved }: ParcelUpdated): Parcel => {
  const fields = Object.entries({ ...parcel, ...changes }).filter(([, value]) => value !== null);
  // Only optional fields of a parcel can be null in its changes.
  const changed = Object.fromEntries(fields) as unknown as Parcel;
  return moved === undefined
    ? changed
    : { ...changed, status: moved.status, events: [...parcel.events, moved].slice(-maxEvents) };
};

/** Returns the lines with the units that go back after a repair, by the parcels of the return. */
const countRepaired = (lines: readonly Line[], parcels: readonly Parcel[]): readonly Line[] =>
  lines.map((line) => {
    const { repaired: before = 0, ...quantities } = line.quantities;
    const repaired = repairedGoingBack(line.id, parcels);
    return repaired === before ? line : { ...line, quantities: { ...quantities, ...(repaired > 0 && { repaired }) } };
  });

const changeParcels = (
  { lines }: Pick<UnversionedReturn, 'lines'>,
  parcels: readonly Parcel[],
): Partial<UnversionedReturn> => ({ parcels, lines: countRepaired(lines, parcels) });

/** The changes that parcel events make to a return. */
export const parcelAppliers = {
  'parcel.added': (state, { parcel }) => changeParcels(state, [...state.parcels, parcel]),
  'parcel.updated': (state, data) =>
    changeParcels(
      state,
      state.parcels.map((parcel) => (parcel.id === data.parcelId ? updateParcelFields(parcel, data) : parcel)),
    ),
} satisfies Appliers<ParcelEvents>;
