import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Attachment } from './evidence.ts';
import { refused, type Decision } from './failure.ts';
import type { Situation } from './situation.ts';

/** Decides on evidence for a return or one of its lines, in any status: what it shows may come out late. */
export const addAttachment = (situation: Situation, given: Omit<Attachment, 'addedAt'>): Decision<Outcome> => {
  const admission = admitted(situation, 'addAttachment');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  if (given.lineId !== undefined && !state.lines.some(({ id }) => id === given.lineId)) {
    const errors = [{ path: '/lineId', code: 'unknown', message: 'must be a line of the return' }];
    return refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors });
  }
  return conclude(situation, [{ type: 'attachment.added', data: { attachment: { ...given, addedAt: now } } }]);
};
