import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Decision } from '../../failure.ts';
import type { Message } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';

/** A question, its text already sealed. */
export type Question = Required<Pick<Message, 'id' | 'text'>>;

/** Decides on a question to the customer. The return waits for the answer; its deadlines do not. */
export const requestInfo = (situation: Situation, { id, text }: Question): Decision<Outcome> => {
  const admission = admitted(situation, 'requestInfo');
  if (!admission.ok) return admission;
  const message: Message = { id, direction: 'asked', at: situation.now, text };
  return conclude(situation, [{ type: 'return.info_requested', data: { message } }]);
};
