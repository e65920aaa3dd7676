import { type Result, fail } from '../../failure.ts';
import type { Message } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** A question. Its text is a personal-text reference. */
type Question = Required<Pick<Message, 'id' | 'text'>>;

/** Decides on a question to the customer. The return waits for the answer, but its deadlines keep running. */
export const requestInfo = (situation: Situation, { id, text }: Question): Result<Outcome> => {
  const admission = checkTransition(situation, 'requestInfo');
  if (!admission.ok) return admission;
  const message: Message = { id, direction: 'asked', at: situation.now, text };
  return toOutcome(situation, [{ type: 'return.info_requested', data: { message } }]);
};

/** The answer of the customer: a personal-text reference, attachments, or both. */
export type InfoAnswer = Pick<Message, 'id' | 'text' | 'evidence'>;

/** Decides on an answer to the last question. The return then waits for a decision. */
export const provideInfo = (situation: Situation, answer: InfoAnswer): Result<Outcome> => {
  const admission = checkTransition(situation, 'provideInfo');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const known = new Set(state.evidence.map(({ id }) => id));
  const errors = (answer.evidence ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `/evidence/${index}`, code: 'unknown', message: 'must be an attachment of the return' }],
  );
  if (errors.length > 0)
    return fail({ code: 'attachment_not_found', detail: 'The return has no attachment with this id.', errors });
  const message: Message = { ...answer, direction: 'answered', at: now };
  return toOutcome(situation, [{ type: 'return.info_provided', data: { message } }]);
};
