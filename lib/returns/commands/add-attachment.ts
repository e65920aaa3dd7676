import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Attachment } from '../model/goods.ts';
import { decided, type Decision } from '../failure.ts';
import { lineOf } from './line-of.ts';
import type { Situation } from '../situation.ts';

/** Decides on evidence for a return or one of its lines, in any status: what it shows may come out late. */
export const addAttachment = (situation: Situation, given: Omit<Attachment, 'addedAt'>): Decision<Outcome> => {
  const admission = admitted(situation, 'addAttachment');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const line = given.lineId === undefined ? decided(undefined) : lineOf(state, given.lineId);
  if (!line.ok) return line;
  return conclude(situation, [{ type: 'attachment.added', data: { attachment: { ...given, addedAt: now } } }]);
};
