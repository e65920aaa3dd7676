import type { TransportError } from '../../net/transport-error.ts';

/** What is told of an exchange that gave no answer. */
export type Explanation = { readonly detail: string; readonly remedy: string };

export type Peer = {
  /** As a sentence names it: `the API`. */
  readonly name: string;
  /** What tells where it is: a variable, or a field of the secret. */
  readonly variable: string;
  readonly url: string;
  /** Whether a certificate was shown to it, had it asked for one. */
  readonly identified: boolean;
};

/**
 * How far an exchange came, by the system's or OpenSSL's word for its end. A server that wants a certificate says so by
 * an alert, in TLS 1.3 only after the handshake (RFC 8446, 4.4.2.4).
 */
const stages: readonly (readonly [RegExp, (peer: Peer) => Explanation])[] = [
  [
    /^(ENOTFOUND|EAI_)/,
    ({ name, variable }) => ({
      detail: `DNS does not know ${name}`,
      remedy: `Look at ${variable}, and at the DNS and the VPC of whoever runs this.`,
    }),
  ],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    ({ name, variable }) => ({
      detail: `TCP: ${name} takes no connection`,
      remedy: `Look at host and port of ${variable}, at security groups and firewalls, and whether it is up.`,
    }),
  ],
  [
    /ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/,
    ({ name }) => ({
      detail: `TLS: ${name} demands a client certificate, or agrees to no cipher`,
      remedy: 'Put certificate and privateKey into the secret.',
    }),
  ],
  [
    /ALERT_(UNKNOWN_CA|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED|DECRYPT_ERROR)/,
    ({ name }) => ({
      detail: `TLS: ${name} refuses the client certificate`,
      remedy: 'Have it register the certificate or its issuer, and put a certificate that it knows into the secret.',
    }),
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ name, variable }) => ({
      detail: `TLS: the certificate of ${name} is for another host`,
      remedy: `Set ${variable} to the host’s own name.`,
    }),
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    ({ name }) => ({
      detail: `TLS: the certificate of ${name} is not valid today`,
      remedy: 'It must renew it; look at this machine’s clock too.',
    }),
  ],
  [
    /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
    ({ name }) => ({
      detail: `TLS: nothing vouches for the certificate of ${name}`,
      remedy: 'Put the certificate of who issued it into the field ca of the secret.',
    }),
  ],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$)/,
    ({ name, variable }) => ({
      detail: `TLS: ${name} breaks the handshake off`,
      remedy: `Look whether ${variable} leads to a port that speaks TLS 1.2 or 1.3.`,
    }),
  ],
];

/** Many servers that refuse a client by its certificate, or for the lack of one, hang up without a word. */
const explainHangUp = ({ name, url, identified }: Peer): Explanation => {
  const detail = `${name} breaks the connection off`;
  if (!url.startsWith('https:')) return { detail, remedy: 'Look into its logs.' };
  return identified
    ? {
        detail: `${detail}: it may not take the client certificate`,
        remedy: 'Look whether it knows the certificate or its issuer, and into its logs.',
      }
    : {
        detail: `${detail}: it may demand a client certificate`,
        remedy: 'If it wants mutual TLS, put certificate and privateKey into the secret; else look into its logs.',
      };
};

const byReason = (reason: TransportError['reason'], peer: Peer): Explanation => {
  const { name, variable } = peer;
  if (reason === 'timeout') {
    return {
      detail: `${name} gave no answer in time`,
      remedy: `Look at ${variable}, at security groups and firewalls: packets may be dropped. Or it is slow now.`,
    };
  }
  if (reason === 'too_large') {
    return { detail: `${name} answers more than it may`, remedy: `Look whether ${variable} leads to something else.` };
  }
  return explainHangUp(peer);
};

/** What an exchange without an answer says of the way to the peer: DNS, TCP, TLS or what lies above. */
export const explainTransport = ({ reason, code }: TransportError, peer: Peer): Explanation => {
  const stage = stages.find(([pattern]) => code !== undefined && pattern.test(code));
  const { detail, remedy } = stage === undefined ? byReason(reason, peer) : stage[1](peer);
  return { detail: code === undefined ? detail : `${detail} (${code})`, remedy };
};
