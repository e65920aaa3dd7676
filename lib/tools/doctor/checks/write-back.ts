import { openSession } from '../../../store/engine/session.ts';
import { countOpenIntents } from '../../../store/write-back/intent-counts.ts';
import { type Check, failed, passed, type CheckContext, warning } from '../check.ts';
import { explainAwsFailure } from './aws-failure.ts';

/*
 * Counts what waits for people in write-back. Import it only when TABLE_NAME is set: the store reads the variable while
 * it loads.
 */

const callMs = 5_000;
const name = 'write-back parked';

/** Counts parked intents, at most a page. It reads no intent. */
export const checkWriteBack = async ({ clock, end }: CheckContext): Promise<readonly Check[]> => {
  using session = openSession(Math.min(end, clock.now() + callMs));
  try {
    const { count, hasMore } = await countOpenIntents(session, 'parked');
    if (count === 0) return [passed(name, 'none')];
    const remedy =
      'Read the reasons with GET /v1/write-back/intents?status=parked, look at the shops, then resolve or retry.';
    return [warning(name, `${hasMore ? 'at least ' : ''}${count} ${count === 1 ? 'intent' : 'intents'}`, remedy)];
  } catch (error) {
    const { detail, remedy } = explainAwsFailure(error, { action: 'dynamodb:Query', variable: 'TABLE_NAME' });
    return [failed(name, `the check could not run: ${detail}`, remedy)];
  }
};
