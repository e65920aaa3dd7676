/** The part of the SDK's AwsCredentialIdentity that an environment has. */
type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
  readonly credentialScope?: string;
  readonly accountId?: string;
  /** The source of the credentials, which the SDK reports in its user agent. */
  readonly $source: { readonly CREDENTIALS_ENV_VARS: 'g' };
};

/** Named like the SDK's error. It lacks the fields of an error from a service. */
class CredentialsProviderError extends Error {
  override readonly name = 'CredentialsProviderError';
}

/**
 * Replaces the SDK's chain of profiles, SSO, containers and instances: on Lambda the credentials are in the
 * environment. Each call reads the environment, which costs no more than a cache.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_CREDENTIAL_EXPIRATION: expiration,
    AWS_CREDENTIAL_SCOPE: credentialScope,
    AWS_ACCOUNT_ID: accountId,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    throw new CredentialsProviderError('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment');
  }
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
    ...(expiration && { expiration: new Date(expiration) }),
    ...(credentialScope && { credentialScope }),
    ...(accountId && { accountId }),
    $source: { CREDENTIALS_ENV_VARS: 'g' },
  };
};
