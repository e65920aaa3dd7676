import { type Change, changesOf, type IsSilent, type Step } from '../api/changes.ts';

/** Fields that change with every command, and say nothing that another field does not say. */
const silent = new Set([
  'version',
  'updatedAt',
  'allowedActions',
  'attempts',
  'nextStep',
  'obligations',
  'occurredAt',
  'events',
  'gross',
  'tax',
  'net',
  'hash',
]);

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

const isSilent: IsSilent = (name, after, depth) =>
  silent.has(name) ||
  (after === undefined && withheld.has(name)) ||
  (depth === 0 && /[a-z]At$/.test(name)) ||
  // The amount of the booked refunds says more than the number of their units.
  (name === 'refunded' && typeof after === 'number');

/** Fields that follow from the entries of a list, where these change too. */
const implied: Readonly<Record<string, string>> = {
  accepted: 'inspections',
  refused: 'inspections',
  refundStatus: 'refunds',
};

/** Returns the name of the changed field; an empty text for a whole entry. */
export const fieldIn = ({ path }: Change): string => {
  const last = path.at(-1);
  return typeof last === 'string' ? last : '';
};

const isImplied = (change: Change, _: number, changes: readonly Change[]): boolean => {
  const list = implied[fieldIn(change)];
  return (
    list !== undefined &&
    changes.some((other) => other.path.some((step) => typeof step === 'object' && step.list === list))
  );
};

/**
 * Lists what a command changes. A personal text that is absent afterwards does not count: responses of commands leave
 * them out.
 */
export const commandChanges = (before: unknown, after: unknown): readonly Change[] =>
  changesOf(before, after, isSilent).filter((...change) => !isImplied(...change));

/** The steps that name a row: the entry of a list, or the whole path to a field. */
export const headOf = (path: readonly Step[]): readonly Step[] =>
  typeof path[0] === 'object' ? path.slice(0, 1) : path;

/** Gathers the changes of each entry of a list, so that a person reads its name once. */
export const groupedChanges = (changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> =>
  Map.groupBy(changes, ({ path }) => JSON.stringify(headOf(path)));
