import { isMoney, isRecord } from './record.ts';

/* The difference between two states of a resource. Each screen has its own words for it. */

/** A step of the way to a changed value: a field, or an entry of a list with its id and place. */
export type Step = string | { readonly list: string; readonly id: string; readonly place: number };

export type Change = {
  readonly path: readonly Step[];
  /** Absent for an addition. */
  readonly before?: unknown;
  /** Absent for a removal. */
  readonly after?: unknown;
};

/** Whether a person does not need the change of a field. `depth` is 0 for a field of the resource itself. */
export type IsSilent = (name: string, after: unknown, depth: number) => boolean;

/** Every change has these. They tell a person nothing. */
const isBookkeeping: IsSilent = (name) => name === 'version' || name === 'updatedAt';

/** The fields that tell the entries of a list apart. An own id goes before the id of a line. */
const idNames = [
  'parcelId',
  'refundId',
  'exchangeId',
  'recoveryId',
  'attachmentId',
  'inspectionId',
  'unexpectedId',
  'discrepancyId',
  'id',
  'lineId',
  'type',
  'cause',
  'code',
];

const idOf = (entry: unknown): string | undefined => {
  if (!isRecord(entry)) return undefined;
  const id = idNames.map((name) => entry[name]).find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : undefined;
};

type Place = { readonly entry: unknown; readonly place: number };

/** Returns the entries of a list by their ids, or undefined if one has none or two have the same. */
const byId = (entries: readonly unknown[]): ReadonlyMap<string, Place> | undefined => {
  const found = new Map<string, Place>();
  for (const [index, entry] of entries.entries()) {
    const id = idOf(entry);
    if (id === undefined || found.has(id)) return undefined;
    found.set(id, { entry, place: index + 1 });
  }
  return found;
};

/** Whether a new value says the same as its absence. */
const saysNothing = (value: unknown): boolean => value === false || value === 0 || value === '';

/** Whether two values have the same JSON, with their fields in the same order. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Lists what differs between two states of a resource. Entries of lists are compared by their ids, amounts as a whole.
 *
 * @param isSilent leaves out fields
 */
export const changesOf = (
  before: unknown,
  after: unknown,
  isSilent: IsSilent = isBookkeeping,
  path: readonly Step[] = [],
): readonly Change[] => {
  const whole = (): readonly Change[] =>
    isSame(before, after)
      ? []
      : [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
  if (!isRecord(before) || !isRecord(after) || isMoney(before) || isMoney(after)) return whole();
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (isSilent(name, next, path.length) || (old === undefined && saysNothing(next))) return [];
    if (Array.isArray(old) || Array.isArray(next))
      return changesOfList(name, listOf(old), listOf(next), isSilent, path);
    // A new group of fields, such as the reason of a cancellation, is shown field by field.
    const isNewGroup = isRecord(next) && old === undefined && !isMoney(next);
    return changesOf(isNewGroup ? {} : old, next, isSilent, [...path, name]);
  });
};

const changesOfList = (
  list: string,
  before: readonly unknown[],
  after: readonly unknown[],
  isSilent: IsSilent,
  path: readonly Step[],
): readonly Change[] => {
  const [old, next] = [byId(before), byId(after)];
  if (old === undefined || next === undefined)
    return isSame(before, after) ? [] : [{ path: [...path, list], before, after }];
  return [...new Set([...next.keys(), ...old.keys()])].flatMap((id) => {
    const place = (next.get(id) ?? old.get(id))?.place ?? 0;
    return changesOf(old.get(id)?.entry, next.get(id)?.entry, isSilent, [...path, { list, id, place }]);
  });
};
