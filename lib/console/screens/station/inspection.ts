import type { Input } from '../../../contract/contract.ts';
import { uninspected } from '../../api/line-units.ts';
import type { Return } from './units.ts';
import type { Entry, Inspection } from './work.ts';

type Report = Input<'inspect'>;
type Disposition = NonNullable<NonNullable<Report['lines']>[number]['disposition']>;

export const dispositions: readonly Disposition[] = [
  'restock',
  'refurbish',
  'repair',
  'return_to_vendor',
  'donate',
  'recycle',
  'destroy',
  'quarantine',
  'return_to_customer',
];

const isDisposition = (value: string): value is Disposition => (dispositions as readonly string[]).includes(value);

const newEntry = (lineId: string, quantity: number, index: number): Entry => ({
  key: `${lineId} ${index}`,
  lineId,
  quantity: String(quantity),
  grade: '',
  disposition: '',
  deduction: '',
  note: '',
});

/**
 * Returns the entries of an inspection: those of the person, and one for each line that has none. Lines that no longer
 * wait for an inspection are left out.
 */
export const entriesOf = (value: Return, entered: Inspection | undefined): Inspection => ({
  entries: value.lines
    .filter((line) => uninspected(line) > 0)
    .flatMap((line) => {
      const known = entered?.entries.filter(({ lineId }) => lineId === line.lineId) ?? [];
      return known.length > 0 ? known : [newEntry(line.lineId, uninspected(line), 0)];
    }),
  unexpected: entered?.unexpected ?? {},
});

/** Accepts all units. Accepted units go back to the stock if the person chose nothing else. */
export const acceptAll = ({ entries, unexpected }: Inspection): Inspection => ({
  entries: entries.map((entry) => ({ ...entry, outcome: 'accept', disposition: entry.disposition || 'restock' })),
  unexpected,
});

/** Adds an entry for a part of the units of a line, which leave the entry. */
export const split = ({ entries, unexpected }: Inspection, entry: Entry): Inspection => {
  const index = entries.filter(({ lineId }) => lineId === entry.lineId).length;
  const rest = Math.max(1, Number(entry.quantity) - 1);
  return {
    entries: entries.flatMap((known) =>
      known.key === entry.key
        ? [{ ...known, quantity: String(rest) }, newEntry(entry.lineId, 1, index + Date.now())]
        : [known],
    ),
    unexpected,
  };
};

/** Removes an entry of a line. Its units return to the first entry of the line. */
export const merge = ({ entries, unexpected }: Inspection, entry: Entry): Inspection => {
  const first = entries.find((known) => known.lineId === entry.lineId && known.key !== entry.key);
  return {
    entries: entries
      .filter((known) => known.key !== entry.key)
      .map((known) =>
        known.key === first?.key
          ? { ...known, quantity: String(Number(known.quantity) + (Number(entry.quantity) || 0)) }
          : known,
      ),
    unexpected,
  };
};

/** An error in the entries, and the entry that has it. */
export type EntryError = {
  readonly code: 'choose' | 'tooMany' | 'needsDisposition' | 'badDeduction' | 'badQuantity';
  readonly key?: string;
};

const deductionOf = (text: string): number => (text.trim() === '' ? 0 : Number(text.trim().replace(',', '.')));

/** Returns the first error in the entries. */
export const entryErrorOf = (value: Return, { entries, unexpected }: Inspection): EntryError | undefined => {
  const decided = entries.filter(({ outcome }) => outcome !== undefined);
  if (decided.length === 0 && !Object.values(unexpected).some(isDisposition)) return { code: 'choose' };
  for (const { key, lineId, quantity, outcome, disposition, deduction } of decided) {
    const units = Number(quantity);
    if (!Number.isInteger(units) || units < 1) return { code: 'badQuantity', key };
    const line = value.lines.find((candidate) => candidate.lineId === lineId);
    const decidedUnits = decided
      .filter((entry) => entry.lineId === lineId)
      .reduce((sum, entry) => sum + Number(entry.quantity), 0);
    if (line === undefined || decidedUnits > uninspected(line)) return { code: 'tooMany', key };
    if (outcome === 'refuse' && disposition === '') return { code: 'needsDisposition', key };
    const percent = deductionOf(deduction);
    if (outcome === 'accept' && !(percent >= 0 && percent <= 100)) return { code: 'badDeduction', key };
  }
  return undefined;
};

/** Returns the body of the command. Entries without a result are left out. */
export const reportOf = (returnId: string, { entries, unexpected }: Inspection): Report => {
  const lines = entries.flatMap(({ lineId, quantity, outcome, grade, disposition, deduction, note }) => {
    if (outcome === undefined) return [];
    const deductionBps = Math.round(deductionOf(deduction) * 100);
    return [
      {
        lineId,
        quantity: Number(quantity),
        outcome,
        ...(isDisposition(disposition) && { disposition }),
        ...(grade.trim() !== '' && { grade: grade.trim() }),
        ...(outcome === 'accept' && deductionBps > 0 && { deductionBps }),
        ...(note.trim() !== '' && { note: note.trim() }),
      },
    ];
  });
  const items = Object.entries(unexpected).flatMap(([id, disposition]) =>
    isDisposition(disposition) ? [{ id, disposition }] : [],
  );
  return { returnId, ...(lines.length > 0 && { lines }), ...(items.length > 0 && { unexpected: items }) };
};
