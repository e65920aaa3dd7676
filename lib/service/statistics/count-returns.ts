import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '../../runtime/log.ts';
import { openSession } from '../../store/engine/session.ts';
import { count } from './count.ts';

/** Time reserved before the function's timeout, to report the outcome. */
const reserveMs = 1_000;

/** The ids of changed returns, each once. */
const changedIn = ({ Records }: DynamoDBStreamEvent): readonly string[] => {
  const ids = Records.flatMap(({ dynamodb }) => {
    const { pk, sk } = dynamodb?.Keys ?? {};
    const [, returnId] = /^RETURN#(ret_.+)$/.exec(pk?.S ?? '') ?? [];
    return returnId !== undefined && sk?.S === 'SNAPSHOT' ? [returnId] : [];
  });
  return [...new Set(ids)];
};

/**
 * Counts the returns that the stream of the table reports, in their current state.
 *
 * @throws errors of the store. Lambda retries the batch, and no return counts twice.
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
