import { decided, type Decision, refused } from '../failure.ts';
import { isSame } from '../history/canonical-json.ts';
import type { Event } from '../history/entry.ts';
import type { Updated } from '../history/life-events.ts';
import type { Attachment } from '../model/goods.ts';
import type { Note, Return } from '../model/return.ts';
import type { Situation } from '../situation.ts';
import { admitted, lineOf } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';

/** Decides on evidence for a return or one of its lines, in any status: what it shows may come out late. */
export const addAttachment = (situation: Situation, given: Omit<Attachment, 'addedAt'>): Decision<Outcome> => {
  const admission = admitted(situation, 'addAttachment');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const line = given.lineId === undefined ? decided(undefined) : lineOf(state, given.lineId);
  if (!line.ok) return line;
  return conclude(situation, [{ type: 'attachment.added', data: { attachment: { ...given, addedAt: now } } }]);
};

/** Decides on a note for those who work on the return, its text already sealed. */
export const addNote = (situation: Situation, note: Omit<Note, 'at'>): Decision<Outcome> => {
  const admission = admitted(situation, 'addNote');
  if (!admission.ok) return admission;
  return conclude(situation, [{ type: 'note.added', data: { note: { ...note, at: situation.now } } }]);
};

/** A merge patch (RFC 7396) of what a client may keep with a return. */
export type ReturnPatch = {
  readonly tags?: Return['tags'] | null;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
  readonly externalRefs?: Return['externalRefs'] | null;
};

const maxMetadata = 50;

const mergeMetadata = (known: Return['metadata'], patch: NonNullable<ReturnPatch['metadata']>): Return['metadata'] => {
  const merged = new Map<string, string | null>([...Object.entries(known), ...Object.entries(patch)]);
  return Object.fromEntries([...merged].filter((entry): entry is [string, string] => entry[1] !== null));
};

const patched = (state: Return, { tags, metadata, externalRefs }: ReturnPatch): Updated => ({
  ...(tags === undefined ? {} : { tags: tags ?? [] }),
  ...(metadata === undefined ? {} : { metadata: metadata === null ? {} : mergeMetadata(state.metadata, metadata) }),
  ...(externalRefs === undefined ? {} : { externalRefs: externalRefs ?? [] }),
});

/**
 * Decides on a change of tags, metadata and external references, in any status.
 *
 * @returns the event; none when all is as the patch wants it already
 */
export const updateReturn = (state: Return, patch: ReturnPatch): Decision<Event | undefined> => {
  const next = patched(state, patch);
  if (Object.keys(next.metadata ?? {}).length > maxMetadata) {
    const message = `must come to at most ${maxMetadata} entries`;
    const errors = [{ path: '/metadata', code: 'max_properties', message }];
    return refused({ code: 'invalid_request', detail: 'The return would have too much metadata.', errors });
  }
  return decided(isSame({ ...state, ...next }, state) ? undefined : { type: 'return.updated', data: next });
};
