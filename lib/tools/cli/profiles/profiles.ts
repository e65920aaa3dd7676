import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, parseObject } from '../../../runtime/json.ts';
import { suggestion } from '../../../runtime/nearest.ts';
import { accessSettingNames, type AccessSettings, parseServiceAccess } from '../../../runtime/service-access.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The access to one stage. Files are absolute paths. */
export type Profile = AccessSettings & {
  readonly serviceUrl?: string;
  readonly authUrl?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  /** A program and its arguments. It prints the secret, such as the command of a keychain. No shell runs it. */
  readonly clientSecretCommand?: readonly string[];
  /** The name or ARN of a secret of AWS Secrets Manager with the credentials. */
  readonly secretId?: string;
  /** PEM files for mutual TLS. */
  readonly certificateFile?: string;
  readonly privateKeyFile?: string;
  readonly caFile?: string;
};

export type ProfileFile = {
  readonly file: string;
  /** The profile that a command takes without `--profile`. */
  readonly default: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
};

const files = ['clientSecretFile', 'certificateFile', 'privateKeyFile', 'caFile'] as const;
const texts = ['serviceUrl', 'authUrl', 'clientId', 'secretId', ...files] as const;
const accessFields = accessSettingNames();
const fieldNames: readonly string[] = [...texts, ...accessFields, 'clientSecretCommand'];

/** Returns the file of the profiles: RETURNS_CONFIG, or the one of the XDG base directories. */
const profileFileOf = (env: Environment): string =>
  env['RETURNS_CONFIG'] || join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'returns/config.json');

/** Returns why a file is not safe for a secret; undefined where it is. Windows has no such modes. */
const modeError = (
  file: string,
  { mode, uid }: { readonly mode: number; readonly uid: number },
): string | undefined => {
  if (process.platform === 'win32') return undefined;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own && uid !== 0) return `${file} belongs to another user.`;
  if ((mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return `${file} has the mode ${shown}, so other users can read it. Run: chmod 600 ${file}`;
};

/**
 * Reads a file that may hold a secret. It rejects a file that other users can read.
 *
 * @returns undefined for a file that does not exist
 */
export const readPrivateFile = async (file: string): Promise<Result<string | undefined, string>> => {
  try {
    // The mode of the open file: another file may have its name in the meantime.
    await using handle = await open(file);
    const error = modeError(file, await handle.stat());
    return error === undefined ? ok(await handle.readFile('utf8')) : fail(error);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? ok(undefined) : fail(`${file} cannot be read (${code ?? 'unknown'}).`);
  }
};

const isCommand = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');

/** Returns the settings of the access that a profile has. */
export const accessOf = (profile: AccessSettings): AccessSettings =>
  Object.fromEntries(accessFields.flatMap((name) => (profile[name] === undefined ? [] : [[name, profile[name]]])));

const isSetting = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (isObject(value) && Object.values(value).every((text) => typeof text === 'string'));

/** Returns the error of the settings of the access, as the start of a sentence. */
const accessError = (fields: Readonly<Record<string, unknown>>): string | undefined => {
  const wrong = accessFields.find((name) => fields[name] !== undefined && !isSetting(fields[name]));
  if (wrong !== undefined) return `${wrong} must be a text, a number or an object of texts`;
  const parsed = parseServiceAccess(accessOf(fields));
  const [first] = parsed.ok ? [] : parsed.failure;
  return first && `${first.setting} ${first.error}`;
};

/** Checks a profile. A message quotes no value, since a value may be a secret in the wrong place. */
const parseProfile = (name: string, value: unknown, folder: string): Result<Profile, string> => {
  if (!isObject(value)) return fail(`The profile ${name} must be an object.`);
  for (const field of Object.keys(value)) {
    if (fieldNames.includes(field)) continue;
    const help =
      field === 'clientSecret'
        ? ' Store the secret in a file, and name it by clientSecretFile.'
        : suggestion(field, fieldNames);
    return fail(`The profile ${name} has the unknown field ${field}.${help}`);
  }
  const wrong = texts.find(
    (field) => value[field] !== undefined && (typeof value[field] !== 'string' || value[field] === ''),
  );
  if (wrong !== undefined) return fail(`${wrong} of the profile ${name} must be a text.`);
  const error = accessError(value);
  if (error !== undefined) return fail(`The profile ${name} is wrong: ${error}.`);
  if (value['clientSecretCommand'] !== undefined && !isCommand(value['clientSecretCommand']))
    return fail(`clientSecretCommand of the profile ${name} must be a list: a program and its arguments.`);
  const paths = files.flatMap((field) => {
    const path = value[field];
    return typeof path === 'string' ? [[field, resolve(folder, path)] as const] : [];
  });
  return ok({ ...(value as Profile), ...Object.fromEntries(paths) });
};

/** Checks the content of a profile file. */
const parseProfiles = (file: string, text: string): Result<ProfileFile, string> => {
  const content = parseObject(text);
  const given = content?.['profiles'];
  if (!isObject(given)) return fail(`${file} must be a JSON object with the field profiles.`);
  const profiles: Record<string, Profile> = {};
  for (const [name, value] of Object.entries(given)) {
    const profile = parseProfile(name, value, dirname(file));
    if (!profile.ok) return fail(`${file}: ${profile.failure}`);
    profiles[name] = profile.value;
  }
  const usual = content?.['default'];
  if (usual !== undefined && (typeof usual !== 'string' || !Object.hasOwn(profiles, usual)))
    return fail(`${file}: default must be the name of a profile.`);
  return ok({ file, default: usual, profiles });
};

/** Reads the profiles of the user; none where the file does not exist. */
export const readProfiles = async (env: Environment): Promise<Result<ProfileFile, string>> => {
  const file = resolve(profileFileOf(env));
  const text = await readPrivateFile(file);
  if (!text.ok) return text;
  return text.value === undefined ? ok({ file, default: undefined, profiles: {} }) : parseProfiles(file, text.value);
};
