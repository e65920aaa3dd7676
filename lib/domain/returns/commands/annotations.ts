import type { Result } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { isSame } from '../history/canonical-json.ts';
import type { Event } from '../history/entry.ts';
import type { ReturnUpdated } from '../history/lifecycle-events.ts';
import type { ActorUser } from '../model/actor.ts';
import type { Attachment } from '../model/goods.ts';
import type { Instant } from '../model/order.ts';
import type { Note, Return, ShopExchange } from '../model/return.ts';
import { exchangedAtShop, isExchangedAtShop } from '../money/exchanges.ts';
import type { Situation } from '../situation.ts';
import { checkTransition, findLine } from './check-transition.ts';
import { toOutcome, type Outcome } from './outcome.ts';

/**
 * Decides on evidence for a return or one of its lines. Evidence is accepted in any status, because it may arrive late.
 */
export const addAttachment = (situation: Situation, attachment: Omit<Attachment, 'addedAt'>): Result<Outcome> => {
  const admission = checkTransition(situation, 'addAttachment');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const line = attachment.lineId === undefined ? ok(undefined) : findLine(state, attachment.lineId);
  if (!line.ok) return line;
  return toOutcome(situation, [{ type: 'attachment.added', data: { attachment: { ...attachment, addedAt: now } } }]);
};

/** Decides on an internal note. Its text is a personal-text reference. */
export const addNote = (situation: Situation, note: Omit<Note, 'at'>): Result<Outcome> => {
  const admission = checkTransition(situation, 'addNote');
  if (!admission.ok) return admission;
  return toOutcome(situation, [{ type: 'note.added', data: { note: { ...note, at: situation.now } } }]);
};

/**
 * Decides on the user who is responsible for a return. Work may remain after its end, so any status allows it.
 *
 * @param assignee null for no user
 * @returns undefined when the return has this assignee already
 */
export const assignReturn = (situation: Situation, assignee: ActorUser | null): Result<Outcome | undefined> => {
  const admission = checkTransition(situation, 'assignReturn');
  if (!admission.ok) return admission;
  if ((situation.state.assignee?.id ?? null) === (assignee?.id ?? null)) return ok(undefined);
  return toOutcome(situation, [{ type: 'return.assigned', data: { assignee } }]);
};

/** A merge patch (RFC 7396) of the fields that a client may store with a return. */
export type ReturnPatch = {
  readonly tags?: Return['tags'] | null;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
  readonly externalRefs?: Return['externalRefs'] | null;
  readonly shopExchanges?: readonly ShopExchange[] | null;
};

const maxMetadata = 50;

const mergeMetadata = (known: Return['metadata'], patch: NonNullable<ReturnPatch['metadata']>): Return['metadata'] => {
  const merged = new Map<string, string | null>([...Object.entries(known), ...Object.entries(patch)]);
  return Object.fromEntries([...merged].filter((entry): entry is [string, string] => entry[1] !== null));
};

const patchFields = (state: Return, { tags, metadata, externalRefs, shopExchanges }: ReturnPatch): ReturnUpdated => ({
  ...(tags === undefined ? {} : { tags: tags ?? [] }),
  ...(metadata === undefined ? {} : { metadata: metadata === null ? {} : mergeMetadata(state.metadata, metadata) }),
  ...(externalRefs === undefined ? {} : { externalRefs: externalRefs ?? [] }),
  ...(shopExchanges === undefined ? {} : { shopExchanges: shopExchanges ?? [] }),
});

/** Returns the discrepancy of a return of which the shop exchanges units; none if it has the discrepancy already. */
const exchangeDiscrepancies = (before: Return, { shopExchanges }: ReturnUpdated, at: Instant): readonly Event[] =>
  !isExchangedAtShop({ shopExchanges: shopExchanges ?? [] }) ||
  before.discrepancies.some(({ code }) => code === exchangedAtShop.code)
    ? []
    : [{ type: 'discrepancy.found', data: { discrepancies: [{ ...exchangedAtShop, at }] } }];

/**
 * Decides on a change of tags, metadata, external references and exchanges at the shop, in any status.
 *
 * @returns the events; none when the patch changes nothing
 */
export const updateReturn = (state: Return, patch: ReturnPatch, now: Instant): Result<readonly Event[]> => {
  const next = patchFields(state, patch);
  if (Object.keys(next.metadata ?? {}).length > maxMetadata) {
    const message = `must have at most ${maxMetadata} entries in total`;
    const errors = [{ path: '/metadata', code: 'max_properties', message }];
    return fail({
      code: 'invalid_request',
      detail: 'The return would have too many metadata entries. Remove some with null.',
      errors,
    });
  }
  const before = { shopExchanges: [], ...state };
  if (isSame({ ...before, ...next }, before)) return ok([]);
  return ok([{ type: 'return.updated', data: next }, ...exchangeDiscrepancies(state, next, now)]);
};
