import { setEnvironment } from './environment.ts';
import { stackKeysId } from './history-keys.ts';
import type { Received } from './http-server.ts';
import { stack } from './stack.ts';

/** Forwards a request to an engine, with another body where one is given. */
export const forward = async (
  { path, headers, body }: Received,
  engine: string,
  changed = body,
): Promise<{ status: number; body: Buffer }> => {
  const forwarded = Object.entries(headers).filter(([name]) => /^(authorization|content-type|x-amz-.*)$/.test(name));
  const response = await fetch(`${engine}${path}`, {
    method: 'POST',
    headers: forwarded.map(([name, value]): [string, string] => [name, String(value)]),
    body: changed,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
};

/** Returns whether a request to the engine is for this operation. */
export const isFor = ({ headers }: Received, operation: string): boolean =>
  String(headers['x-amz-target']).endsWith(`.${operation}`);

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
