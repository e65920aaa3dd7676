import { isRecord } from './schema.ts';

/* What a command changes: the difference between a resource before and after it, without the fields that say nothing. */

/** A step of the way to a changed value: a field, or an entry of a list with its id and place. */
export type Step = string | { readonly list: string; readonly id: string; readonly place: number };

export type Change = {
  readonly path: readonly Step[];
  /** Absent for an addition. */
  readonly before?: unknown;
  /** Absent for a removal. */
  readonly after?: unknown;
};

/** Fields that change with every command, and say nothing that another field does not say. */
const silent = new Set(['version', 'updatedAt', 'allowedActions', 'events', 'gross', 'tax', 'net', 'hash']);

/** Fields that responses of commands leave out, because they are personal. Their absence is no change. */
const withheld = new Set([
  'actor',
  'customer',
  'email',
  'erased',
  'evidence',
  'expiresAt',
  'label',
  'labelUrl',
  'name',
  'note',
  'reason',
  'text',
  'trackingNumber',
  'trackingUrl',
  'url',
]);

const idNames = ['parcelId', 'refundId', 'exchangeId', 'id', 'lineId', 'type', 'cause', 'code'] as const;

const idOf = (entry: unknown): string | undefined => {
  if (!isRecord(entry)) return undefined;
  const name = idNames.find((each) => typeof entry[each] === 'string');
  return name === undefined ? undefined : String(entry[name]);
};

/** Whether both values are amounts of money, which change as a whole. */
const isMoney = (value: unknown): boolean => isRecord(value) && 'amount' in value && 'currency' in value;

const isSilent = (name: string, after: unknown, depth: number): boolean =>
  silent.has(name) || (after === undefined && withheld.has(name)) || (depth === 0 && /[a-z]At$/.test(name));

/** Whether a new value says the same as its absence. */
const saysNothing = (value: unknown): boolean => value === false || value === 0 || value === '';

const changesOfList = (name: string, lists: readonly (readonly unknown[])[], path: readonly Step[]): Change[] => {
  const [before = [], after = []] = lists;
  if (![...before, ...after].every((entry) => idOf(entry) !== undefined))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path: [...path, name], before, after }];
  const old = new Map(before.map((entry) => [idOf(entry), entry]));
  const step = (id: string, place: number): Step => ({ list: name, id, place: place + 1 });
  const kept = new Set(after.map(idOf));
  return [
    ...after.flatMap((entry, place) => {
      const id = idOf(entry) ?? '';
      const here = [...path, step(id, place)];
      return old.has(id) ? changesAt(old.get(id), entry, here) : [{ path: here, after: entry }];
    }),
    ...before.flatMap((entry, place) =>
      kept.has(idOf(entry)) ? [] : [{ path: [...path, step(idOf(entry) ?? '', place)], before: entry }],
    ),
  ];
};

const changesAt = (before: unknown, after: unknown, path: readonly Step[]): Change[] => {
  if (!isRecord(before) || !isRecord(after) || isMoney(before) || isMoney(after))
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (isSilent(name, next, path.length) || (old === undefined && saysNothing(next))) return [];
    if (Array.isArray(old) || Array.isArray(next))
      return changesOfList(name, [Array.isArray(old) ? old : [], Array.isArray(next) ? next : []], path);
    // A new group of fields, such as the reason of a cancellation, is shown field by field.
    if (isRecord(next) && old === undefined && !isMoney(next)) return changesAt({}, next, [...path, name]);
    return changesAt(old, next, [...path, name]);
  });
};

/**
 * Lists what differs between two values of a resource. Entries of lists are compared by their ids.
 * A personal text that is absent afterwards does not count: responses of commands leave them out.
 */
export const changesOf = (before: unknown, after: unknown): readonly Change[] => changesAt(before, after, []);
