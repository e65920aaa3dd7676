import { createHash } from 'node:crypto';
import { createAgent, type Agent } from '../net/agent.ts';
import type { Clock } from '../net/clock.ts';
import { checkPair } from '../secrets/key-pair.ts';
import { Redacted } from '../secrets/redacted.ts';
import type { Secret } from '../secrets/secret.ts';
import { AccessError } from './access-error.ts';
import { parseClientSecret, type ClientSecret } from './client-secret.ts';

/** Connections that present one client certificate, or none. */
type Identity = {
  /** Tells whether another version of the secret holds the same material. */
  readonly digest: string;
  readonly agent: Agent;
  /** `x5t#S256` of the certificate (RFC 8705, 3.1); empty without one. */
  readonly thumbprint: string;
};

/** One version of the secret, ready for use. */
export type Credentials = {
  readonly versionId: string;
  readonly clientId: string;
  readonly clientSecret: Redacted;
  readonly tokenUrl: string;
  readonly identity: Identity;
  readonly agent: Agent;
  /** What binds a token: another token URL, client or certificate (RFC 8705) needs another one. */
  readonly binding: string;
  /** Why the version's own certificate is not the one in use. */
  readonly certificateFault?: string;
};

const sha256 = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

const thumbprintOf = ({ certificate, privateKey }: ClientSecret, now: number) => {
  if (certificate === undefined && privateKey === undefined) return { ok: true, thumbprint: '' } as const;
  if (certificate === undefined || privateKey === undefined) return { ok: false, reason: 'incomplete' } as const;
  return checkPair({ certificate, privateKey }, now);
};

const identityOf = (secret: ClientSecret, previous: Identity | undefined, clock: Clock) => {
  const digest = sha256([secret.certificate, secret.privateKey, secret.ca]);
  if (previous?.digest === digest) return { identity: previous };
  const check = thumbprintOf(secret, clock.now());
  if (!check.ok) {
    if (previous === undefined) throw new AccessError('CertificateInvalid', check.reason);
    return { identity: previous, certificateFault: check.reason };
  }
  const { certificate, privateKey, ca } = secret;
  return {
    identity: { digest, agent: createAgent({ certificate, privateKey, ca, clock }), thumbprint: check.thumbprint },
  };
};

/**
 * Makes credentials of a version of the secret. A new certificate comes with a new agent, because a resumed TLS session
 * keeps the identity it began with; a certificate that cannot work leaves the previous one in use.
 *
 * @throws {AccessError} SecretUnavailable for a malformed secret, CertificateInvalid when there is no previous one
 */
export const buildCredentials = (
  secret: Secret,
  previous: Credentials | undefined,
  { authUrl, clock }: { readonly authUrl: string; readonly clock: Clock },
): Credentials => {
  const fields = parseClientSecret(secret.text);
  const { identity, certificateFault } = identityOf(fields, previous?.identity, clock);
  const tokenUrl = `${fields.authUrl ?? authUrl}/connect/token`;
  return {
    versionId: secret.versionId,
    clientId: fields.clientId,
    clientSecret: new Redacted(fields.clientSecret),
    tokenUrl,
    identity,
    agent: identity.agent,
    binding: sha256([tokenUrl, fields.clientId, identity.thumbprint]),
    ...(certificateFault === undefined ? {} : { certificateFault }),
  };
};

/**
 * What a cached token belongs to: besides its binding, the API and the scopes (sorted). The client's secret is not part
 * of it: a token outlives the rotation of the secret it was obtained with.
 */
export const tokenKey = ({ binding }: Credentials, scopes: readonly string[], resource: string): string =>
  `${binding} ${resource} ${scopes.join(' ')}`;
