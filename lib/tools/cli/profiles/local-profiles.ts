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

/** Reads what the local stack says of itself; the failure names `npm start`. */
const readStack = async (
  env: Environment,
): Promise<Result<{ readonly file: string; readonly stack: unknown }, string>> => {
  const file = stackFileOf(env);
  const text = await readPrivateFile(file);
  if (!text.ok) return text;
  if (text.value === undefined) return fail(`${file} does not exist. Start the local stack: npm start.`);
  return ok({ file, stack: parseObject(text.value) });
};

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const unusable = (file: string) => fail(`${file} does not describe a stack. Start the local stack again: npm start.`);

/** What a rotation at the local stack needs: the Returns Service, the issuer and Secrets Manager. */
export type LocalIssuer = { readonly serviceUrl: string; readonly authUrl: string; readonly secretsManager: string };

/** Reads the addresses of the local stack of both modes. */
export const readLocalIssuer = async (env: Environment): Promise<Result<LocalIssuer, string>> => {
  const read = await readStack(env);
  if (!read.ok) return read;
  const { file, stack } = read.value;
  if (memberOf(stack, 'service') !== undefined)
    return fail(`${file} describes the stack of an adapter. Start one of both modes: npm start.`);
  const serviceUrl = textIn(memberOf(stack, 'standalone'), 'url');
  const authUrl = textIn(stack, 'issuer');
  const secretsManager = textIn(memberOf(stack, 'aws'), 'secretsManager');
  return serviceUrl === undefined || authUrl === undefined || secretsManager === undefined
    ? unusable(file)
    : ok({ serviceUrl, authUrl, secretsManager });
};

/** Reads the access to a mode of the local stack. */
export const readLocalAccess = async (name: LocalName, env: Environment): Promise<Result<LocalAccess, string>> => {
  const read = await readStack(env);
  if (!read.ok) return read;
  const { file, stack } = read.value;
  const serviceUrl = textIn(memberOf(stack, modes[name]), 'url');
  const authUrl = textIn(stack, 'issuer');
  const clientSecret = secretOf(memberOf(stack, 'clients'));
  return serviceUrl === undefined || authUrl === undefined || typeof clientSecret !== 'string'
    ? unusable(file)
    : ok({ serviceUrl, authUrl, clientId, clientSecret });
};
