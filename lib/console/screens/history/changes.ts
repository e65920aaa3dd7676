/** A changed value between two states of a return. The path has the names of fields, and the ids of items. */
export type Change = { readonly path: readonly string[]; readonly before: unknown; readonly after: unknown };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that change with each entry, or that the person sees elsewhere. */
const left: ReadonlySet<string> = new Set(['version', 'updatedAt', 'allowedActions', 'url', 'expiresAt']);

const idFields = [
  'lineId',
  'parcelId',
  'refundId',
  'exchangeId',
  'recoveryId',
  'attachmentId',
  'inspectionId',
  'unexpectedId',
  'discrepancyId',
  'id',
  'type',
  'code',
];

const idOf = (item: unknown): string | undefined => {
  if (!isMembers(item)) return undefined;
  const id = idFields.map((name) => item[name]).find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : undefined;
};

/** Returns the items of a list by their ids, or undefined if an item has none or two have the same. */
const byId = (items: readonly unknown[]): ReadonlyMap<string, unknown> | undefined => {
  const found = new Map<string, unknown>();
  for (const item of items) {
    const id = idOf(item);
    if (id === undefined || found.has(id)) return undefined;
    found.set(id, item);
  }
  return found;
};

const isMoney = (value: unknown): boolean =>
  isMembers(value) && typeof value['amount'] === 'number' && typeof value['currency'] === 'string';

const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

const inMaps = (
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  path: readonly string[],
): readonly Change[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    changesBetween(before.get(key), after.get(key), [...path, key]),
  );

const fieldsOf = (members: Members): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(members).filter(([name]) => !left.has(name)));

/** Returns the differences between two states. Items of lists are matched by their ids. */
export const changesBetween = (before: unknown, after: unknown, path: readonly string[] = []): readonly Change[] => {
  if (isEmpty(before) && isEmpty(after)) return [];
  if (isMembers(before) && isMembers(after) && !isMoney(before)) return inMaps(fieldsOf(before), fieldsOf(after), path);
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, next] = [byId(before), byId(after)];
    if (old !== undefined && next !== undefined) return inMaps(old, next, path);
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
};
