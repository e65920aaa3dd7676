import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { user as exampleUser } from '../../lib/contract/example-story.ts';
import { userKey } from '../../lib/store/engine/keys.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';

/** Puts a user into the list of users, as a command of the user does. Clients have no user. */
export const putUser = async ({ aws }: StackInfo, user = exampleUser): Promise<typeof exampleUser> => {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  try {
    const Item = { ...userKey(user.userId), name: user.name };
    await table.send(new PutCommand({ TableName: aws.tables['standalone.Table'], Item }));
  } finally {
    table.destroy();
  }
  return user;
};
