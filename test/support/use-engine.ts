import { setEnvironment } from './environment.ts';
import { stackKeysId } from './stack-keys.ts';
import { stack } from './stack.ts';

/** Starts a container on the stack's table, through an engine at `origin`, with the stack's keys. */
export const useEngine = (origin: string): void =>
  setEnvironment({
    AWS_ENDPOINT_URL_DYNAMODB: origin,
    TABLE_NAME: stack().aws.tables['standalone.Table'],
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stack().aws.secretsManager,
    HISTORY_KEYS_ID: stackKeysId,
    EVENT_SOURCE: 'urn:returns:unit',
    EVENT_TYPE_PREFIX: 'com.example.returns',
  });
