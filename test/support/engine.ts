import { vi } from 'vitest';
import { stackKeysId } from './history-keys.ts';
import type { Received } from './http-server.ts';
import { stack } from './stack.ts';

/** Hands a request on to an engine, with another body where one is given. */
export const forward = async (
  { path, headers, body }: Received,
  engine: string,
  changed = body,
): Promise<{ status: number; body: Buffer }> => {
  const given = Object.entries(headers).filter(([name]) => /^(authorization|content-type|x-amz-.*)$/.test(name));
  const response = await fetch(`${engine}${path}`, {
    method: 'POST',
    headers: given.map(([name, value]): [string, string] => [name, String(value)]),
    body: changed,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
};

/** Whether a request to the engine is for an operation of its. */
export const isFor = ({ headers }: Received, operation: string): boolean =>
  String(headers['x-amz-target']).endsWith(`.${operation}`);

/** Has what is imported from now on work on the stack's table, through an engine at `origin`, by the stack's keys. */
export const useEngine = (origin: string): void => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', origin);
  vi.stubEnv('TABLE_NAME', stack().aws.tables['standalone.Table'] ?? '');
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', stack().aws.secretsManager);
  vi.stubEnv('HISTORY_KEYS_ID', stackKeysId);
  vi.resetModules();
};
