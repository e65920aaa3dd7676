import { Secret } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import type { ClientOptions, GivenCredentials } from './public.ts';

/** Where a client's credentials come from, and what ends with it. */
type CredentialSource = SecretSource & { readonly secretId: string; readonly close: () => Promise<void> };

/** Credentials that never change: one version, whichever stage is asked for. */
const given = ({ clientId, clientSecret, certificate, privateKey, ca }: GivenCredentials): CredentialSource => {
  if (!clientId || !clientSecret) throw new TypeError('credentials must have a clientId and a clientSecret');
  const secret = new Secret('given', JSON.stringify({ clientId, clientSecret, certificate, privateKey, ca }));
  return { secretId: 'given', read: async () => secret, isFresh: () => true, close: async () => undefined };
};

/** The SDK is loaded when it is needed: a program that gives its credentials carries none of it. */
const open = async () => (await import('../secrets/own-secrets.ts')).openSecrets();

const stored = (secretId: string): CredentialSource => {
  if (!secretId) throw new TypeError('credentials must have a secretId');
  let opening: ReturnType<typeof open> | undefined;
  let source: Awaited<ReturnType<typeof open>> | undefined;
  return {
    secretId,
    read: async (id, options) => {
      source = await (opening ??= open());
      return source.read(id, options);
    },
    isFresh: (id) => source?.isFresh(id) ?? false,
    close: async () => source?.close(),
  };
};

/** @throws {TypeError} when a name is missing */
export const credentialSource = (credentials: ClientOptions['credentials']): CredentialSource =>
  'secretId' in credentials ? stored(credentials.secretId) : given(credentials);
