import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

export type ClientSecret = { readonly clientId: string; readonly clientSecret: string };

const secretsManager = new SecretsManagerClient({});

/** The client credentials, as AWS's own examples read a secret; each peer keeps what it makes of them. */
export const readClientSecret = async (): Promise<ClientSecret> => {
  const { SecretString = '' } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: process.env['CLIENT_SECRET_ID'] }),
  );
  return JSON.parse(SecretString) as ClientSecret;
};
