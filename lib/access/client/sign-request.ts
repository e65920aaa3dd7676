import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { orAbort } from '../net/deadline.ts';

/*
 * Requests to services of AWS that are signed here, because the SDK's client would be the largest part of a bundle. The
 * client of Secrets Manager lends its credentials and its connections.
 */

/** The client of Secrets Manager, which has the credentials of the function. */
export type SigningClient = Pick<SecretsManagerClient, 'config'>;

type Unsigned = {
  /** The name of the service in signatures. */
  readonly service: string;
  readonly region: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
};

/** Returns a signed POST with a body of JSON. */
export const signRequest = async ({ config }: SigningClient, unsigned: Unsigned) => {
  const { service, region, url, headers: own, body } = unsigned;
  const { protocol, hostname, host, port, pathname } = new URL(url);
  const request = {
    method: 'POST' as const,
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: pathname,
    headers: { host, 'content-type': 'application/json', ...own },
    query: {},
    body: JSON.stringify(body),
  };
  const { credentials, sha256 } = config;
  const signer = new SignatureV4({ service, region, credentials, sha256 });
  const { headers } = await signer.sign(request);
  return { ...request, headers, url };
};

/** The response of the SDK's handler. */
type HttpResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
};

/** An answer of a service, which limits its length. */
export type SignedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Sends a signed request over the connections of the client: an HTTP client of its own would be most of the bundle. */
export const sendSigned = async (
  { config }: SigningClient,
  signed: Awaited<ReturnType<typeof signRequest>>,
  signal: AbortSignal,
): Promise<SignedAnswer> => {
  const { response } = await config.requestHandler.handle(signed, { abortSignal: signal });
  const { statusCode, headers, body } = response as HttpResponse;
  try {
    return { status: statusCode, headers, body: await orAbort(text(body), signal) };
  } finally {
    body.destroy();
  }
};
