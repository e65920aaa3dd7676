/** What the SDK calls AwsCredentialIdentity, as far as an environment tells it. */
type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
  readonly credentialScope?: string;
  readonly accountId?: string;
  /** Where they are from, as the SDK's user agent tells AWS. */
  readonly $source: { readonly CREDENTIALS_ENV_VARS: 'g' };
};

/** Named as the SDK's own is: that it comes from no service is told by what it lacks. */
class CredentialsProviderError extends Error {
  override readonly name = 'CredentialsProviderError';
}

/**
 * Stands in for the SDK's chain of profiles, SSO, containers and instances: on Lambda the credentials are in the
 * environment. It is read at every call, as cheap as remembering it.
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
