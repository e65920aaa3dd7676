import { describe, expect, it } from 'vitest';
import { isProvenUnsent } from '../../../lib/access/client/unsent.ts';

const failure = (reason: string) =>
  ({ code: 'dependency_unavailable', detail: 'It cannot be reached.', reason, isUnsent: true }) as const;

describe('isProvenUnsent', () => {
  it.each([
    'connect ECONNREFUSED',
    'connect ENOTFOUND',
    'connect EAI_AGAIN',
    'connect UND_ERR_CONNECT_TIMEOUT',
    'connect ADDRESS_FORBIDDEN',
    'connect CERT_HAS_EXPIRED',
    'connect UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'connect ERR_TLS_CERT_ALTNAME_INVALID',
    // The alerts of OpenSSL for a client certificate, in TLS 1.2 and 1.3.
    'connect ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'connect ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'connect ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    'connect ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'SecretUnavailable timeout',
  ])('is true for %s', (reason) => {
    expect(isProvenUnsent(failure(reason))).toBe(true);
  });

  it.each([
    'connect ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'connect ERR_SSL_BAD_RECORD_TYPE',
    'connect ERR_SSL_WRONG_VERSION_NUMBER',
    'connect ERR_SSL_UNEXPECTED_EOF_WHILE_READING',
    'connect ERR_SSL_SSL/TLS_ALERT_INTERNAL_ERROR',
    'connect ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC',
  ])('is false for %s, which may follow a request', (reason) => {
    expect(isProvenUnsent(failure(reason))).toBe(false);
  });

  it('is false for a failure after the first attempt', () => {
    const { isUnsent: _, ...sent } = failure('connect ECONNREFUSED');
    expect(isProvenUnsent(sent)).toBe(false);
  });
});
