/*
 * What an event tells of what happened. Events reach receivers that hold no scope, and callers who may not learn of
 * persons: what tells of one is left out, and so are the terms, which are long and of interest to nobody but the return.
 */

/** Fields that tell of a person, of free text, or of nothing that a receiver could use; `request` is the digest of a key. */
const hidden = new Set([
  'customer',
  'subject',
  'actorKey',
  'note',
  'message',
  'evidence',
  'attachment',
  'terms',
  'request',
]);

/** What stands for text that people wrote, whatever its field is called: where it is kept, and its digest. */
const isSealed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'ref' in value && 'digest' in value;

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      hidden.has(name) || isSealed(field) ? [] : [[name, shown(field)]],
    ),
  );
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A thing whose own id has the name that it has in paths. */
const named = (value: unknown, name: string): unknown => {
  if (!isFields(value) || !('id' in value) || name in value) return value;
  const { id, ...rest } = value;
  return { [name]: id, ...rest };
};

const refundOf = (value: unknown): unknown =>
  isFields(value) && 'external' in value ? { ...value, external: named(value['external'], 'externalId') } : value;

/** The data with the names that ids have in answers of the API. Only things of ours: metadata and references stay. */
const withNamedIds = (data: Fields): Fields => {
  const { lines, parcel, refund, exchange } = data;
  return {
    ...(named(data, 'returnId') as Fields),
    ...(Array.isArray(lines) && { lines: lines.map((line) => named(line, 'lineId')) }),
    ...(parcel !== undefined && { parcel: named(parcel, 'parcelId') }),
    ...(refund !== undefined && { refund: named(refundOf(refund), 'refundId') }),
    ...(exchange !== undefined && { exchange: named(exchange, 'exchangeId') }),
  };
};

/** The data of a happening without what only the subject's own readers may see. */
export const publicData = (data: object): Record<string, unknown> => withNamedIds(shown(data) as Fields);
