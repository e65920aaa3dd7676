import { TransportError, type TransportReason } from '../../access/net/transport-error.ts';
import { AccessError, type AccessErrorKind } from '../../access/oauth/access-error.ts';
import { isResponseReason } from '../../access/oauth/token-response.ts';
import type { Failure } from '../../contract/result.ts';
import { serviceConfig } from '../../runtime/configuration/config.ts';
import { explainTokenFailure, isAboutScope } from '../doctor/checks/token-failure.ts';
import { explainTransport, type Explanation } from '../doctor/checks/transport.ts';
import type { ForeignCall } from './tap.ts';

/* Why an operation failed: the request to the service, its status, and what the doctor says about it. */

/** The reason of a failure, which functions only log: a kind of access error or of transport error, and a word. */
type Reasoned = Failure & { readonly reason?: string };

const tokenKinds: ReadonlySet<string> = new Set<AccessErrorKind>(['IdpUnavailable', 'ClientRejected', 'IdpProtocol']);
const otherKinds: ReadonlySet<string> = new Set<AccessErrorKind>([
  'SecretUnavailable',
  'CertificateInvalid',
  'ApiUnauthorized',
]);
const transportReasons: ReadonlySet<string> = new Set<TransportReason>(['timeout', 'connect', 'reset', 'too_large']);

const sentences = ({ detail, remedy }: Explanation): string => `${detail}. ${remedy}`;

/**
 * Replaces the variables of functions, which the doctor names, by the parameters of a deployment: TokenFields. The secret
 * is the file of this command.
 */
const withParameters = (text: string): string =>
  text
    .replaceAll('the secret (CLIENT_SECRET_ID)', 'the file of --secret')
    .replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (variable) =>
      variable.replaceAll(/_?([A-Z])([A-Z]*)/g, (_, first: string, rest: string) => `${first}${rest.toLowerCase()}`),
    );

/** Adds the parameter without which the address of the identity provider says nothing about its token endpoint. */
const withTokenPath = (text: string): string =>
  text.includes('--auth') && !text.includes('TokenPath')
    ? `${text} TokenPath is the path of the token endpoint below --auth.`
    : text;

/** @param words the reason of a transport error and its code, or its code alone */
const transportText = (name: string, variable: string, url: string, words: readonly string[]): string => {
  const reason = words.find((word) => transportReasons.has(word)) ?? 'connect';
  const code = words.find((word) => !transportReasons.has(word));
  const error = new TransportError(reason as TransportReason, { code });
  return sentences(explainTransport(error, { name, variable, url, identified: false }));
};

const partsOf = (reason: string): readonly [kind: string, word: string] => {
  const at = reason.indexOf(' ');
  return at < 0 ? [reason, ''] : [reason.slice(0, at), reason.slice(at + 1)];
};

const reasonText = (reason: string): string => {
  const [kind, word] = partsOf(reason);
  if (otherKinds.has(kind)) return new AccessError(kind as AccessErrorKind, word).message;
  const { serviceUrl, authUrl } = serviceConfig();
  if (!tokenKinds.has(kind)) return transportText('the service', '--service', serviceUrl, reason.split(' '));
  return kind === 'IdpUnavailable' && !isResponseReason(word)
    ? transportText('the token endpoint', '--auth', authUrl, [word])
    : withTokenPath(
        withParameters(sentences(explainTokenFailure({ kind: kind as AccessErrorKind, reason: word }, '--auth'))),
      );
};

const failureOf = ({ failure }: ForeignCall): Reasoned | undefined => failure?.failure;

/** Whether there is no token for a request, whatever its scope is. */
export const hasNoToken = (call: ForeignCall): boolean => {
  const [kind, reason] = partsOf(failureOf(call)?.reason ?? '');
  return tokenKinds.has(kind) && !isAboutScope({ kind: kind as AccessErrorKind, reason });
};

/** Whether there was no token or no certificate for a request. */
const isAboutAccess = (reason: string): boolean => {
  const [kind] = partsOf(reason);
  return tokenKinds.has(kind) || otherKinds.has(kind);
};

/** Says how a request to the service ended. It has no query, no header and no body. */
export const endOf = (call: ForeignCall): string => {
  const { request, status, failure } = call;
  const text = `${request.method} ${request.path}`;
  const reason = failureOf(call)?.reason;
  if (reason?.startsWith('ApiUnauthorized') === true)
    return `${text} answered 401: ${reasonText(reason)}. Check TokenHeader and TokenScheme.`;
  if (reason !== undefined)
    return `${text} ${isAboutAccess(reason) ? 'was not sent' : 'got no answer'}: ${reasonText(reason)}`;
  if (status !== undefined) return `${text} answered ${status}`;
  // A page with another status is no failure of its own.
  if (failure?.failure.errors?.[0]?.message === 'must be JSON') return `${text} answered 2xx`;
  return failure?.failure.code === 'timeout' ? `${text} got no answer in time` : text;
};
