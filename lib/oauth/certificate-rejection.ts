import type { Incoming } from '../net/request.ts';
import type { TransportError } from '../net/transport-error.ts';

/**
 * How a server seems to refuse the client's certificate: by an `alert` or in words, which is sure; `closed`: the
 * connection broke before an answer began; `answered`: something refuses a request that is not the service.
 */
export type CertificateRejection = 'alert' | 'closed' | 'answered';

/** The alerts by which a TLS server refuses a certificate (RFC 8446, 6.2), in OpenSSL's words. */
const alert = /^ERR_SSL_[\w/]+_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR)$/;
/** In TLS 1.2 it says "no certificate", and "no cipher" as well. */
const vagueAlert = /_ALERT_HANDSHAKE_FAILURE$/;

/** What a broken connection says of the certificate that it was begun with. */
export const rejectionByTransport = ({ reason, code, status }: TransportError): CertificateRejection | undefined => {
  if (alert.test(code ?? '')) return 'alert';
  return vagueAlert.test(code ?? '') || (reason === 'reset' && status === undefined) ? 'closed' : undefined;
};

/**
 * Whether a proxy that ends TLS refuses the certificate in words: nginx completes the handshake, and answers 400 with a
 * page, or a status of its own (495, 496).
 */
export const isCertificatePage = ({ status, headers, body }: Incoming): boolean =>
  status === 495 ||
  status === 496 ||
  (status === 400 &&
    /^text\/html\b/i.test(headers['content-type'] ?? '') &&
    /\bSSL certificate\b/i.test(body.toString('utf8')));

/** What an answer of the API says of the certificate: the service itself refuses by a problem (RFC 9457). */
export const rejectionByAnswer = (answer: Incoming): CertificateRejection | undefined => {
  if (answer.status < 400) return undefined;
  if (isCertificatePage(answer)) return 'alert';
  const isProblem = /^\s*application\/problem\+json\b/i.test(answer.headers['content-type'] ?? '');
  return !isProblem && (answer.status === 400 || answer.status === 403) ? 'answered' : undefined;
};
