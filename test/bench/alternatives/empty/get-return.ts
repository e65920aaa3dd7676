import { answerOf } from '../answer.ts';

/* The minimum of every cold start: Node and an answer. */
export const handler = async () => answerOf(200, '{}');
