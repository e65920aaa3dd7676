import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Decision } from './failure.ts';
import type { Words } from './request-info.ts';
import type { Message } from './return.ts';
import type { Situation } from './situation.ts';

/** Decides on an answer to the last question. The return waits for its decision again. */
export const provideInfo = (situation: Situation, { id, text }: Words): Decision<Outcome> => {
  const admission = admitted(situation, 'provideInfo');
  if (!admission.ok) return admission;
  const message: Message = { id, direction: 'answered', at: situation.now, text };
  return conclude(situation, [{ type: 'return.info_provided', data: { message } }]);
};
