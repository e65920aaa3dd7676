import { resolve } from 'node:path';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, parseObject } from '../../../runtime/json.ts';
import { type Environment, readPrivateFile } from './profiles.ts';

/*
 * The profiles of the local stack (`npm start`): `local` is its connected mode, `local-standalone` its standalone mode.
 * They come from the file that the stack writes about itself.
 */

const modes = { local: 'connected', 'local-standalone': 'standalone' } as const;

export type LocalName = keyof typeof modes;
export const localNames = Object.keys(modes) as readonly LocalName[];

export const isLocalName = (name: string): name is LocalName => Object.hasOwn(modes, name);

/** The access of a local profile: this client has all scopes. */
export type LocalAccess = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

const clientId = 'returns-admin';

/** Returns the file of the stack: RETURNS_STACK, or that of a stack in the working directory. */
export const stackFileOf = (env: Environment): string => resolve(env['RETURNS_STACK'] || '.local/stack.json');

const secretOf = (clients: unknown): unknown =>
  Array.isArray(clients)
    ? clients.find((client: unknown) => isObject(client) && client['clientId'] === clientId)?.clientSecret
    : undefined;

const textIn = (value: unknown, name: string): string | undefined => {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
};

/** Reads the access to a mode of the local stack. */
export const readLocalAccess = async (name: LocalName, env: Environment): Promise<Result<LocalAccess, string>> => {
  const file = stackFileOf(env);
  const text = await readPrivateFile(file);
  if (!text.ok) return text;
  if (text.value === undefined) return fail(`${file} does not exist. Start the local stack: npm start.`);
  const stack = parseObject(text.value);
  const serviceUrl = textIn(stack?.[modes[name]], 'url');
  const authUrl = textIn(stack, 'issuer');
  const clientSecret = secretOf(stack?.['clients']);
  return serviceUrl === undefined || authUrl === undefined || typeof clientSecret !== 'string'
    ? fail(`${file} does not describe a stack. Start the local stack again: npm start.`)
    : ok({ serviceUrl, authUrl, clientId, clientSecret });
};
