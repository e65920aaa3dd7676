import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '../runtime/log.ts';
import { openSession } from '../store/engine/session.ts';
import { count } from './count.ts';

/** Kept back from the function's time, to say how it ended. */
const reserveMs = 1_000;

/** The ids of the returns that have changed, each once. */
const changedIn = ({ Records }: DynamoDBStreamEvent): readonly string[] => {
  const ids = Records.flatMap(({ dynamodb }) => {
    const { pk, sk } = dynamodb?.Keys ?? {};
    const [, returnId] = /^RETURN#(ret_.+)$/.exec(pk?.S ?? '') ?? [];
    return returnId !== undefined && sk?.S === 'SNAPSHOT' ? [returnId] : [];
  });
  return [...new Set(ids)];
};

/**
 * Counts the returns that the table's stream tells of: as they are now, not as they were when the stream was written.
 *
 * @throws what the store throws: Lambda brings the batch again, and what of it was counted is not counted twice
 */
export const countReturns = async (
  event: DynamoDBStreamEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ readonly counted: number }> => {
  using session = openSession(Date.now() + getRemainingTimeInMillis() - reserveMs);
  const { counted, unread } = await count(session, changedIn(event));
  log('info', 'returns counted', { records: event.Records.length, counted, unread: unread.length });
  return { counted };
};
