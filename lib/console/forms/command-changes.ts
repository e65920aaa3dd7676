import { type Change, changesOf, type IsSilent } from '../api/changes.ts';

/** Fields that change with every command, and say nothing that another field does not say. */
const silent = new Set([
  'version',
  'updatedAt',
  'allowedActions',
  'nextStep',
  'obligations',
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
  silent.has(name) || (after === undefined && withheld.has(name)) || (depth === 0 && /[a-z]At$/.test(name));

/**
 * Lists what a command changes. A personal text that is absent afterwards does not count: responses of commands leave
 * them out.
 */
export const commandChanges = (before: unknown, after: unknown): readonly Change[] =>
  changesOf(before, after, isSilent);
