import type { Incoming } from '../net/request.ts';
import type { TransportError } from '../net/transport-error.ts';

/**
 * How a server seems to reject the client's certificate. `alert`: by a TLS alert or in words, which is certain.
 * `closed`: the connection broke before a response began. `answered`: a proxy and not the service rejected the request.
 */
export type CertificateRejection = 'alert' | 'closed' | 'answered';

/** The alerts with which a TLS server rejects a certificate (RFC 8446, 6.2), as OpenSSL names them. */
const alert = /^ERR_SSL_[\w/]+_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)$/;
/** In TLS 1.2 this alert means "no certificate", but also "no cipher". */
const vagueAlert = /_ALERT_HANDSHAKE_FAILURE$/;

/** Returns the certificate rejection that a broken connection implies, if any. */
export const rejectionByTransport = ({ reason, code, status }: TransportError): CertificateRejection | undefined => {
  if (alert.test(code ?? '')) return 'alert';
  return vagueAlert.test(code ?? '') || (reason === 'reset' && status === undefined) ? 'closed' : undefined;
};

/**
 * Whether a TLS proxy rejects the certificate in words. nginx completes the handshake, and responds with 400 and a
 * page, or with a status of its own (495, 496).
 */
export const isCertificatePage = ({ status, headers, body }: Incoming): boolean =>
  status === 495 ||
  status === 496 ||
  (status === 400 &&
    /^text\/html\b/i.test(headers['content-type'] ?? '') &&
    /\bSSL certificate\b/i.test(body.toString('utf8')));

/**
 * Returns the certificate rejection that a response implies, if any. The service itself rejects with a problem (RFC
 * 9457).
 */
export const rejectionByAnswer = (answer: Incoming): CertificateRejection | undefined => {
  if (answer.status < 400) return undefined;
  if (isCertificatePage(answer)) return 'alert';
  const isProblem = /^\s*application\/problem\+json\b/i.test(answer.headers['content-type'] ?? '');
  return !isProblem && (answer.status === 400 || answer.status === 403) ? 'answered' : undefined;
};
