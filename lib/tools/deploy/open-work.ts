import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { countOpenWork, type OpenWork } from '../../store/connected/open-work.ts';
import { clientSettings } from './aws-call.ts';

/** Counts the open work in the table of a connected stage. */
export const readOpenWork = async (region: string, tableName: string): Promise<OpenWork> => {
  const client = new DynamoDBClient({ ...clientSettings, region });
  try {
    return await countOpenWork(DynamoDBDocumentClient.from(client), tableName, Date.now());
  } finally {
    client.destroy();
  }
};

/** Returns why another adapter must not be deployed yet; undefined without open work. */
export const openWorkError = ({ commands, deliveries, isPartial }: OpenWork, deployed: string): string | undefined => {
  if (commands + deliveries === 0) return undefined;
  const least = isPartial ? 'at least ' : '';
  return `adapter: the stage runs the adapter ${deployed}, and ${least}${commands} commands have no known effect, ${least}${deliveries} deliveries are not processed. Wait until they end: a command ends after 24 hours, a delivery by the inbox. Or delete the stage's rows, and deploy then.`;
};
