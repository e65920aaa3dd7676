import { SignatureV4 } from '@smithy/signature-v4';
import { bucketOrigin } from '../../runtime/address.ts';
import { objectsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { documentClient } from './client.ts';

/*
 * Addresses of S3 objects, signed for one request and a short time (AWS Signature Version 4 in the query).
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

/** An address that serves a file until `expiresAt`. */
export type Link = { readonly url: string; readonly expiresAt: string };

export type ObjectRequest = {
  readonly bucket: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly method: 'DELETE' | 'GET' | 'PUT';
  /** The request must have exactly these headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly seconds: number;
};

const config = configured(objectsConfig);

const unhoistable = new Set(['x-amz-checksum-sha256']);

/**
 * Signs a request without sending it.
 *
 * @param now epoch milliseconds
 */
export const presign = async (
  { bucket, key, method, headers, query, seconds }: ObjectRequest,
  now: number,
): Promise<Link> => {
  const { endpoint } = config();
  // The client of the table has current credentials.
  const { region, credentials, sha256 } = documentClient().config;
  const baseUrl = endpoint === undefined ? bucketOrigin(bucket, await region()) : `${endpoint}/${bucket}`;
  const { protocol, host, hostname, pathname } = new URL(`${baseUrl}/${key}`);
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const signed = await signer.presign(
    {
      method,
      protocol,
      hostname,
      path: pathname,
      // The signature does not cover the bytes. A digest header covers them, where there is one.
      headers: { host, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD', ...headers },
      query,
    },
    { expiresIn: seconds, signingDate: new Date(now), unhoistableHeaders: unhoistable },
  );
  const parameters = new URLSearchParams(signed.query as Record<string, string>);
  return {
    url: `${protocol}//${host}${pathname}?${parameters.toString()}`,
    expiresAt: new Date(now + seconds * 1000).toISOString(),
  };
};
