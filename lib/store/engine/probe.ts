import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Session } from './session.ts';

/** Reads an item that is never there: whoever gets that far can read the table. */
export const probe = async (session: Session): Promise<void> =>
  void (await session.send(new GetCommand({ TableName: table(), Key: { pk: 'PROBE', sk: 'PROBE' } })));
