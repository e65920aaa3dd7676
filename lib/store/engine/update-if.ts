import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isConflict } from './is-conflict.ts';
import type { Session } from './session.ts';

/** Updates an item unless its condition does not hold; says whether it did. */
export const updateIf = async (session: Session, update: UpdateCommandInput): Promise<boolean> => {
  try {
    await session.send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if (isConflict(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};
