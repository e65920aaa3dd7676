import { type Agent, createAgent } from '../net/agent.ts';
import type { Clock } from '../net/clock.ts';
import type { Connector } from '../net/connector.ts';
import { sha256 } from '../../runtime/hash.ts';
import { defaultServiceAccess, scopeWords, type ServiceAccess } from '../../runtime/service-access.ts';
import { Redacted } from '../secrets/failure-reason.ts';
import { areCertificates, checkPair, secureContextOf } from '../secrets/key-pair.ts';
import type { Secret } from '../secrets/secret.ts';
import { AccessError } from './access-error.ts';
import { type ClientSecret, parseClientSecret } from './client-secret.ts';
import type { OnAccessEvent } from './access-event.ts';

/** Connections that present one client certificate, or none. */
type Identity = {
  /** Identifies the material: another version of the secret with the same material has the same digest. */
  readonly digest: string;
  readonly agent: Agent;
  /** `x5t#S256` of the certificate (RFC 8705, 3.1); empty without one. */
  readonly thumbprint: string;
  /** Epoch milliseconds until which the certificate is valid; infinite without one. */
  readonly notAfter: number;
};

/** One version of the secret, ready for use. */
export type Credentials = {
  readonly versionId: string;
  readonly clientId: string;
  readonly clientSecret: Redacted;
  /** The texts that must not leave: the client secret, and the secret headers. */
  readonly secrets: readonly Redacted[];
  /** The secret headers of each request to the API. */
  readonly headers: Readonly<Record<string, Redacted>>;
  readonly serviceAccess: ServiceAccess;
  readonly tokenUrl: string;
  readonly identity: Identity;
  readonly agent: Agent;
  /** Why the version's own certificate is not the one in use. */
  readonly certificateFailure?: string;
};

const digestOf = (parts: readonly unknown[]): string => sha256(JSON.stringify(parts), 'base64url');

const checkIdentity = ({ certificate, privateKey, ca }: ClientSecret, now: number) => {
  if (ca !== undefined && !areCertificates(ca)) return { ok: false, reason: 'malformed ca' } as const;
  if (certificate === undefined && privateKey === undefined)
    return { ok: true, thumbprint: '', notAfter: Number.POSITIVE_INFINITY } as const;
  if (certificate === undefined || privateKey === undefined) return { ok: false, reason: 'incomplete' } as const;
  return checkPair({ certificate, privateKey }, now);
};

/** Whether the secret has no TLS material. */
const isEmpty = ({ certificate, ca }: ClientSecret): boolean => certificate === undefined && ca === undefined;

const checkMaterial = (secret: ClientSecret, now: number) => {
  const check = checkIdentity(secret, now);
  if (!check.ok || isEmpty(secret)) return { ...check, secureContext: undefined };
  const secureContext = secureContextOf(secret);
  return secureContext === undefined ? ({ ok: false, reason: 'unusable' } as const) : { ...check, secureContext };
};

type CredentialsContext = {
  readonly authUrl: string;
  /** @default that of the specification */
  readonly serviceAccess?: ServiceAccess | undefined;
  readonly clock: Clock;
  readonly onEvent: OnAccessEvent;
  readonly tcp?: Connector | undefined;
};

const identityOf = (
  secret: ClientSecret,
  previous: Identity | undefined,
  { clock, onEvent, tcp }: CredentialsContext,
): { readonly identity: Identity; readonly certificateFailure?: string } => {
  const digest = digestOf([secret.certificate, secret.privateKey, secret.ca]);
  if (previous?.digest === digest) return { identity: previous };
  const check = checkMaterial(secret, clock.now());
  if (!check.ok) {
    if (previous === undefined) throw new AccessError('CertificateInvalid', check.reason);
    return { identity: previous, certificateFailure: check.reason };
  }
  const agent = createAgent({ secureContext: check.secureContext, clock, onEvent, tcp });
  return { identity: { digest, agent, thumbprint: check.thumbprint, notAfter: check.notAfter } };
};

/**
 * Makes credentials of a version of the secret. A new certificate gets a new agent, because a resumed TLS session
 * retains the identity it began with. The same certificate, key and roots retain the agent, because connections do not
 * depend on the client secret. An invalid certificate leaves the previous one in use.
 *
 * @throws {AccessError} SecretUnavailable for a malformed secret, CertificateInvalid when there is no previous one
 */
export const buildCredentials = (
  secret: Secret,
  previous: Credentials | undefined,
  surroundings: CredentialsContext,
): Credentials => {
  const fields = parseClientSecret(secret.text);
  const { authUrl, serviceAccess = defaultServiceAccess } = surroundings;
  const { identity, certificateFailure } = identityOf(fields, previous?.identity, surroundings);
  const clientSecret = new Redacted(fields.clientSecret);
  const headers = Object.fromEntries(
    Object.entries(fields.headers ?? {}).map(([name, value]) => [name, new Redacted(value)]),
  );
  return {
    versionId: secret.versionId,
    clientId: fields.clientId,
    clientSecret,
    headers,
    secrets: [clientSecret, ...Object.values(headers)],
    serviceAccess,
    tokenUrl: `${fields.authUrl ?? authUrl}${serviceAccess.tokenPath}`,
    identity,
    agent: identity.agent,
    ...(certificateFailure === undefined ? {} : { certificateFailure }),
  };
};

/**
 * Returns the cache key of a token. It is the SHA-256 of the token URL, the client, the words of the scopes (sorted),
 * the API and the client certificate (RFC 8705). The client secret is not part of it: a token outlives the rotation of
 * the secret.
 */
export const tokenKey = (credentials: Credentials, scopes: readonly string[], resource: string): string => {
  const { tokenUrl, clientId, identity, serviceAccess } = credentials;
  return digestOf([tokenUrl, clientId, scopeWords(serviceAccess, scopes), resource, identity.thumbprint]);
};
