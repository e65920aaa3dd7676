import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Decision } from '../failure.ts';
import type { Note } from '../model/return.ts';
import type { Situation } from '../situation.ts';

/** Decides on a note for those who work on the return, its text already sealed. */
export const addNote = (situation: Situation, note: Omit<Note, 'at'>): Decision<Outcome> => {
  const admission = admitted(situation, 'addNote');
  if (!admission.ok) return admission;
  return conclude(situation, [{ type: 'note.added', data: { note: { ...note, at: situation.now } } }]);
};
