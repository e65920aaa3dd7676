import type { ExchangeFailure } from './failures.ts';

/*
 * Errors of TLS during the handshake, among those that may also follow a request. Node.js offers no authentication after
 * the handshake (RFC 8446, 4.6.2). So a peer that rejects the certificate has not finished its handshake, and reads no
 * request before that (4.4.4). In TLS 1.2 the client sends none before that.
 */
const afterRequest =
  /^connect ERR_SSL_(?![\w/]+_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR|HANDSHAKE_FAILURE)$)/;

/**
 * Whether a failed request had no effect for sure: no connection existed, or its handshake failed. A broken record of TLS
 * may come after the service has acted.
 */
export const isProvenUnsent = ({ isUnsent, reason = '' }: ExchangeFailure): boolean =>
  isUnsent === true && !afterRequest.test(reason);
