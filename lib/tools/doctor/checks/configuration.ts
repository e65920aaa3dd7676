import { addressError, baseOf, repeatedPathError } from '../../../runtime/address.ts';
import { accessVariable } from '../../../runtime/configuration/access-settings.ts';
import { type AccessSettings, parseServiceAccess, type ServiceAccess } from '../../../runtime/service-access.ts';
import { failed, passed, type Check, type CheckedValue } from '../check.ts';

/** The configuration of the environment. A value may be missing or malformed. */
export type Settings = {
  readonly serviceUrl: string | undefined;
  readonly authUrl: string | undefined;
  readonly clientSecretId: string | undefined;
  readonly access: AccessSettings;
};

/** A complete and well-formed configuration. */
export type Configuration = {
  readonly serviceUrl: string;
  readonly authUrl: string;
  readonly clientSecretId: string;
  readonly serviceAccess: ServiceAccess;
};

/** A name or an ARN. https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const secretId = /^[\w/+=.@:-]{1,2048}$/;

/** @param path what is added to the address; undefined while it is not valid */
const addressCheck = (
  variable: string,
  value: string | undefined,
  purpose: string,
  path: string | undefined,
): Check => {
  const remedy = `Set ${variable} to ${purpose}.`;
  if (!value) return failed(variable, 'is not set', remedy);
  const error = addressError(value) ?? repeatedPathError(value, path ?? '');
  // A valid address has no part that could hold a secret.
  return error === undefined ? passed(variable, baseOf(value)) : failed(variable, error, remedy);
};

const secretIdCheck = (value: string | undefined): Check => {
  const remedy = 'Set CLIENT_SECRET_ID to the name or the ARN of the secret with the client credentials.';
  if (!value) return failed('CLIENT_SECRET_ID', 'is not set', remedy);
  // Not quoted: the variable may hold the secret itself by mistake.
  if (!secretId.test(value)) return failed('CLIENT_SECRET_ID', 'is not the name of a secret', remedy);
  return passed('CLIENT_SECRET_ID', value);
};

/** A valid setting has no row: the rows of the requests show its effect. */
const accessChecks = (settings: AccessSettings): CheckedValue<ServiceAccess> => {
  const parsed = parseServiceAccess(settings);
  if (parsed.ok) return { checks: [], value: parsed.value };
  const checks = parsed.failure.map(({ setting, error }) => {
    const variable = accessVariable(setting);
    return failed(variable, error, `Set ${variable}, as the guide "Accept tokens of your issuer" shows.`);
  });
  return { checks, value: undefined };
};

/** Checks the variables of the access. */
export const checkConfiguration = (settings: Settings): CheckedValue<Configuration> => {
  const { serviceUrl, authUrl, clientSecretId } = settings;
  const access = accessChecks(settings.access);
  const serviceAccess = access.value;
  const ofService = 'the origin of the Returns Service, without the path SERVICE_PATH';
  const ofTokens = 'the URL of the token endpoint, without the path TOKEN_PATH';
  const checks = [
    addressCheck('SERVICE_URL', serviceUrl, ofService, serviceAccess?.servicePath),
    addressCheck('AUTH_URL', authUrl, ofTokens, serviceAccess?.tokenPath),
    ...access.checks,
    secretIdCheck(clientSecretId),
  ];
  const arePassed = checks.every(({ status }) => status === 'passed');
  return {
    checks,
    value:
      arePassed && serviceUrl && authUrl && clientSecretId && serviceAccess
        ? { serviceUrl: baseOf(serviceUrl), authUrl: baseOf(authUrl), clientSecretId, serviceAccess }
        : undefined,
  };
};
