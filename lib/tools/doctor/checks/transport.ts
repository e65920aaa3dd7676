import type { TransportError } from '../../../access/net/transport-error.ts';

/** Explains an exchange without a response. */
export type Explanation = { readonly detail: string; readonly remedy: string };

export type Peer = {
  /** Its name in a sentence: `the API`. */
  readonly name: string;
  /** The variable, or the field of the secret, that holds its URL. */
  readonly variable: string;
  readonly url: string;
  /** Whether the client presents a certificate on request. */
  readonly identified: boolean;
};

/**
 * The stage at which an exchange failed, by the error code of the system or OpenSSL. A server that requires a
 * certificate sends an alert, in TLS 1.3 only after the handshake (RFC 8446, 4.4.2.4).
 */
const stages: readonly (readonly [RegExp, (peer: Peer) => Explanation])[] = [
  [
    /^(ENOTFOUND|EAI_)/,
    ({ name, variable }) => ({
      detail: `DNS does not know ${name}`,
      remedy: `Check ${variable}, the DNS and the VPC.`,
    }),
  ],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    ({ name, variable }) => ({
      detail: `TCP: ${name} accepts no connection`,
      remedy: `Check host and port of ${variable}, security groups, firewalls, and whether the server runs.`,
    }),
  ],
  [
    /ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/,
    ({ name }) => ({
      detail: `TLS: ${name} requires a client certificate, or has no cipher in common`,
      remedy: 'Store certificate and privateKey in the secret.',
    }),
  ],
  [
    /ALERT_(UNKNOWN_CA|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED|DECRYPT_ERROR)/,
    ({ name }) => ({
      detail: `TLS: ${name} rejects the client certificate`,
      remedy: 'Store a certificate that the server trusts, or ask its operator to trust this one.',
    }),
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ name, variable }) => ({
      detail: `TLS: the certificate of ${name} is for another host`,
      remedy: `Set ${variable} to a host name in the certificate.`,
    }),
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    ({ name }) => ({
      detail: `TLS: the certificate of ${name} is not valid today`,
      remedy: 'Ask the operator of the server to renew it. Check the clock of this machine too.',
    }),
  ],
  [
    /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    ({ name }) => ({
      detail: `TLS: the certificate of ${name} is not trusted`,
      remedy: 'Store the certificate of its issuer in the field ca of the secret.',
    }),
  ],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$)/,
    ({ name, variable }) => ({
      detail: `TLS: ${name} aborts the handshake`,
      remedy: `Check that the port of ${variable} supports TLS 1.2 or 1.3.`,
    }),
  ],
];

/** Explains a closed connection: many servers close it when the client certificate is missing or rejected. */
const explainHangUp = ({ name, url, identified }: Peer): Explanation => {
  const detail = `${name} closes the connection`;
  if (!url.startsWith('https:')) return { detail, remedy: 'Check its logs.' };
  return identified
    ? {
        detail: `${detail}: it may reject the client certificate`,
        remedy: 'Check that the server trusts the certificate or its issuer, and check its logs.',
      }
    : {
        detail: `${detail}: it may require a client certificate`,
        remedy:
          'If the server requires mutual TLS, store certificate and privateKey in the secret. Otherwise check its logs.',
      };
};

const byReason = (reason: TransportError['reason'], peer: Peer): Explanation => {
  const { name, variable } = peer;
  if (reason === 'timeout') {
    return {
      detail: `${name} did not answer in time`,
      remedy: `Check ${variable}, security groups and firewalls, which may drop packets. The server may also be slow.`,
    };
  }
  if (reason === 'too_large') {
    return { detail: `the response of ${name} is too large`, remedy: `Check that ${variable} is the right URL.` };
  }
  return explainHangUp(peer);
};

/** Explains an exchange without a response by its stage: DNS, TCP, TLS or HTTP. */
export const explainTransport = ({ reason, code }: TransportError, peer: Peer): Explanation => {
  const stage = stages.find(([pattern]) => code !== undefined && pattern.test(code));
  const { detail, remedy } = stage === undefined ? byReason(reason, peer) : stage[1](peer);
  return { detail: code === undefined ? detail : `${detail} (${code})`, remedy };
};
