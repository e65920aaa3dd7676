import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientOptions } from '../../../access/client/public.ts';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { addressError } from '../../../runtime/address.ts';
import { suggestion } from '../../../runtime/nearest.ts';
import type { AccessSettings } from '../../../runtime/service-access.ts';
import { readCertificate, readClientSecret } from './credentials.ts';
import { isLocalName, localNames, readLocalAccess, stackFileOf } from './local-profiles.ts';
import { accessOf, type Environment, type Profile, type ProfileFile, readProfiles } from './profiles.ts';

/** The settings of the command line. They win over the environment, which wins over the profile. */
export type Flags = {
  readonly profile?: string | undefined;
  readonly serviceUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly tokenPath?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecretFile?: string | undefined;
  readonly secretId?: string | undefined;
};

/** The access of a command to a service. */
export type Settings = Pick<ClientOptions, 'serviceUrl' | 'authUrl' | 'credentials'> & {
  readonly access: AccessSettings;
  /** The profile that the settings come from, if any. */
  readonly profile: string | undefined;
};

const inEnvironment = (env: Environment, name: string): string | undefined => env[name] || undefined;

/** Returns the name of the profile of a command; undefined where the command needs none. */
const chooseProfile = (flags: Flags, env: Environment, { default: usual, profiles }: ProfileFile) => {
  const names = Object.keys(profiles);
  const given = flags.profile ?? inEnvironment(env, 'RETURNS_PROFILE') ?? usual;
  if (given !== undefined) return given;
  if (names.length > 0) return names.length === 1 ? names[0] : undefined;
  return existsSync(stackFileOf(env)) ? 'local' : undefined;
};

/** A profile, and the secret that the local stack names. */
type Found = { readonly profile: Profile; readonly secret?: string };

const findProfile = async (
  name: string | undefined,
  { profiles, file }: ProfileFile,
  env: Environment,
): Promise<Result<Found, string>> => {
  if (name === undefined) return ok({ profile: {} });
  const own = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (own !== undefined) return ok({ profile: own });
  if (isLocalName(name)) {
    const local = await readLocalAccess(name, env);
    if (!local.ok) return local;
    const { clientSecret, ...profile } = local.value;
    return ok({ profile, secret: clientSecret });
  }
  const names = [...Object.keys(profiles), ...localNames];
  return fail(`There is no profile ${name} in ${file}.${suggestion(name, names) || ` There are ${names.join(', ')}.`}`);
};

/** Returns how to name a service, for a command without one. */
const remedyOf = (name: string | undefined, { profiles, file }: ProfileFile): string => {
  if (name !== undefined) return `Add it to the profile ${name}`;
  const names = Object.keys(profiles);
  return names.length > 0
    ? `Choose a profile with --profile: ${names.join(', ')}`
    : `Start a local stack in this folder with npm start, or write the profile of a stage into ${file}`;
};

const optionError = (name: string, value: string | undefined, remedy: string): string | undefined => {
  if (value === undefined) return `There is no ${name}. ${remedy}; or set --${name}.`;
  const error = addressError(value);
  return error === undefined ? undefined : `The ${name} ${error}.`;
};

/** A profile with exactly one source of its secret. A flag for another source replaces it. */
const withSource = (profile: Profile, { secretId, clientSecretFile }: Flags): Result<Profile, string> => {
  const { secretId: _, clientSecretFile: __, clientSecretCommand: ___, ...rest } = profile;
  if (secretId !== undefined && clientSecretFile !== undefined)
    return fail('Use only one of --secret-id and --client-secret-file.');
  if (secretId !== undefined) return ok({ ...rest, secretId });
  if (clientSecretFile !== undefined) return ok({ ...rest, clientSecretFile: resolve(clientSecretFile) });
  const sources = [profile.secretId, profile.clientSecretFile, profile.clientSecretCommand];
  return sources.filter((source) => source !== undefined).length > 1
    ? fail(
        'The profile has several sources of the secret. Keep one of secretId, clientSecretFile, clientSecretCommand.',
      )
    : ok(profile);
};

const credentialsOf = async (
  { profile, secret }: Found,
  flags: Flags,
  env: Environment,
  signal: AbortSignal,
): Promise<Result<ClientOptions['credentials'], string>> => {
  const sourced = withSource(profile, flags);
  if (!sourced.ok) return sourced;
  const isByFlag = flags.secretId !== undefined || flags.clientSecretFile !== undefined;
  const fromEnvironment = isByFlag ? undefined : inEnvironment(env, 'RETURNS_CLIENT_SECRET');
  const { secretId } = sourced.value;
  if (secretId !== undefined && fromEnvironment === undefined) return ok({ secretId });
  const clientId = flags.clientId ?? inEnvironment(env, 'RETURNS_CLIENT_ID') ?? profile.clientId;
  if (clientId === undefined) return fail('There is no client id. Set clientId in the profile, or --client-id.');
  const found = await readClientSecret(fromEnvironment ?? (isByFlag ? undefined : secret), sourced.value, signal);
  if (!found.ok) return found;
  const certificate = await readCertificate(sourced.value);
  return certificate.ok ? ok({ clientId, clientSecret: found.value, ...certificate.value }) : certificate;
};

/**
 * Returns the access of a command. Sources in this order: options, the environment (RETURNS_…), the profile. Every
 * failure is one sentence without a secret.
 */
export const resolveSettings = async (
  flags: Flags,
  env: Environment,
  signal: AbortSignal,
): Promise<Result<Settings, string>> => {
  const file = await readProfiles(env);
  if (!file.ok) return file;
  const name = chooseProfile(flags, env, file.value);
  const found = await findProfile(name, file.value, env);
  if (!found.ok) return found;
  const { profile } = found.value;
  const serviceUrl = flags.serviceUrl ?? inEnvironment(env, 'RETURNS_URL') ?? profile.serviceUrl;
  const authUrl = flags.authUrl ?? inEnvironment(env, 'RETURNS_AUTH_URL') ?? profile.authUrl;
  const remedy = remedyOf(name, file.value);
  const error = optionError('service-url', serviceUrl, remedy) ?? optionError('auth-url', authUrl, remedy);
  if (error !== undefined || serviceUrl === undefined || authUrl === undefined) return fail(error ?? '');
  const credentials = await credentialsOf(found.value, flags, env, signal);
  if (!credentials.ok) return credentials;
  const tokenPath = flags.tokenPath ?? inEnvironment(env, 'RETURNS_TOKEN_PATH') ?? profile.tokenPath;
  const access = { ...accessOf(profile), ...(tokenPath === undefined ? {} : { tokenPath }) };
  return ok({ profile: name, serviceUrl, authUrl, access, credentials: credentials.value });
};

/** A row of the list of profiles. */
export type ProfileRow = {
  readonly name: string;
  readonly serviceUrl: string | undefined;
  readonly clientId: string | undefined;
  /** Where the secret comes from. */
  readonly secret: string;
  readonly isDefault: boolean;
};

const sourceOf = ({ secretId, clientSecretFile, clientSecretCommand }: Profile): string => {
  if (secretId !== undefined) return 'Secrets Manager';
  if (clientSecretFile !== undefined) return 'file';
  return clientSecretCommand === undefined ? 'RETURNS_CLIENT_SECRET' : 'command';
};

/** Lists the profiles of the user, and those of a local stack that runs. It reads no secret of the user. */
export const listProfiles = async (flags: Flags, env: Environment): Promise<Result<readonly ProfileRow[], string>> => {
  const file = await readProfiles(env);
  if (!file.ok) return file;
  const chosen = chooseProfile(flags, env, file.value);
  const own = Object.entries(file.value.profiles).map(([name, profile]) => ({
    name,
    serviceUrl: profile.serviceUrl,
    clientId: profile.clientId,
    secret: sourceOf(profile),
    isDefault: name === chosen,
  }));
  const local: ProfileRow[] = [];
  for (const name of localNames.filter((localName) => !Object.hasOwn(file.value.profiles, localName))) {
    const access = await readLocalAccess(name, env);
    if (!access.ok) continue;
    const { serviceUrl, clientId } = access.value;
    local.push({ name, serviceUrl, clientId, secret: 'local stack', isDefault: name === chosen });
  }
  return ok([...own, ...local]);
};
