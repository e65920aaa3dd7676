import { addressError, baseOf, tokenPathError } from '../../../runtime/address.ts';
import { failed, passed, type Check, type CheckedValue } from '../check.ts';

/** The configuration of the environment. A value may be missing or malformed. */
export type Settings = {
  readonly serviceUrl: string | undefined;
  readonly authUrl: string | undefined;
  /** The path of the token endpoint below `authUrl`. */
  readonly tokenPath: string;
  readonly clientSecretId: string | undefined;
};

/** A complete and well-formed configuration. */
export type Configuration = { readonly [Name in keyof Settings]: string };

/** A name or an ARN. https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const secretId = /^[\w/+=.@:-]{1,2048}$/;

const addressCheck = (variable: string, value: string | undefined, purpose: string): Check => {
  const remedy = `Set ${variable} to ${purpose}.`;
  if (!value) return failed(variable, 'is not set', remedy);
  const error = addressError(value);
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

/** A good path has no row: the row of the token endpoint shows the whole URL. */
const tokenPathChecks = (path: string): readonly Check[] => {
  const error = tokenPathError(path);
  return error === undefined ? [] : [failed('TOKEN_PATH', error, 'Set TOKEN_PATH to the path of the token endpoint.')];
};

/** Checks the variables of the access. */
export const checkConfiguration = (settings: Settings): CheckedValue<Configuration> => {
  const { serviceUrl, authUrl, tokenPath, clientSecretId } = settings;
  const checks = [
    addressCheck('SERVICE_URL', serviceUrl, 'the origin of the Returns Service, without /v1'),
    addressCheck('AUTH_URL', authUrl, 'the URL of the token endpoint, without the path TOKEN_PATH'),
    ...tokenPathChecks(tokenPath),
    secretIdCheck(clientSecretId),
  ];
  const complete = serviceUrl && authUrl && clientSecretId && checks.every(({ status }) => status === 'passed');
  return {
    checks,
    value: complete
      ? { serviceUrl: baseOf(serviceUrl), authUrl: baseOf(authUrl), tokenPath, clientSecretId }
      : undefined,
  };
};
