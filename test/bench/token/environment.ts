import { functionEnvironment } from '../../../lib/local/emulators/function-spec.ts';
import { fixedToken, secretId, type World } from '../world.ts';

export type Environment = Readonly<Record<string, string>>;

/** No candidate reaches a table or a queue. */
const nowhere = 'http://127.0.0.1:9';

/** Returns the environment of every candidate of the connected mode, ours as deployed by the template. */
export const environmentOf = ({ secretsManager, authUrl, serviceUrl }: World['origins']): Environment => ({
  ...functionEnvironment({ dynamodb: nowhere, sqs: nowhere, secretsManager, s3: nowhere, eventBridge: nowhere }),
  SERVICE_URL: serviceUrl,
  AUTH_URL: authUrl,
  CLIENT_SECRET_ID: secretId,
  FIXED_TOKEN: fixedToken,
  LOG_LEVEL: 'info',
});
