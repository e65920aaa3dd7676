import {
  accessSettingNames,
  type AccessSetting,
  type AccessSettings,
  parseServiceAccess,
  type ServiceAccess,
} from '../service-access.ts';

/** Returns the variable of a setting of the access: SERVICE_PATH for `servicePath`. */
export const accessVariable = (setting: AccessSetting): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** Reads the settings of the access to the Returns Service, without checks (connected mode). */
export const accessSettings = (): AccessSettings =>
  Object.fromEntries(accessSettingNames().map((setting) => [setting, process.env[accessVariable(setting)]]));

/**
 * Returns how the Returns Service is reached (connected mode).
 *
 * @throws an error with a line for each invalid variable
 */
export const serviceAccess = (): ServiceAccess => {
  const parsed = parseServiceAccess(accessSettings());
  if (parsed.ok) return parsed.value;
  const lines = parsed.failure.map(({ setting, error }) => `environment variable ${accessVariable(setting)} ${error}`);
  throw new Error(lines.join('\n'));
};
