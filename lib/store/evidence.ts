import { createHash } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { evidenceConfig } from '../config.ts';
import type { Attachment } from '../returns/goods/evidence.ts';
import type { Return } from '../returns/return.ts';
import { documentClient } from './client.ts';

/*
 * Files of evidence, in a bucket of their own. They never pass through a function: whoever has a file, or wants one, is
 * given an address of S3 that is signed for this one thing and a short time (AWS Signature Version 4 in the query).
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

const uploadSeconds = 15 * 60;
const linkSeconds = 5 * 60;

/** An address that serves a file until then. */
export type Link = { readonly url: string; readonly expiresAt: string };

/** How to upload a file. */
export type Upload = Link & {
  readonly method: 'PUT';
  readonly headers: { readonly 'content-type': Attachment['contentType']; readonly 'x-amz-checksum-sha256': string };
};

const { bucket, endpoint } = evidenceConfig();

/**
 * Where a file lies. Who it is about is in the key, so that erasing a person is erasing a prefix, but as a digest: the
 * address is given to callers who must not learn of the customer.
 */
export const evidenceKey = ({ subject, id }: Pick<Return, 'subject' | 'id'>, attachmentId: string): string =>
  `pii/${createHash('sha256').update(subject).digest('hex')}/${id}/${attachmentId}`;

type Request = {
  readonly method: 'GET' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly seconds: number;
};

const unhoistable = new Set(['x-amz-checksum-sha256']);

const presign = async (key: string, { method, headers, query, seconds }: Request, now: number): Promise<Link> => {
  // The same credentials as for the table, and as fresh.
  const { region, credentials, sha256 } = documentClient().config;
  const place =
    endpoint === undefined ? `https://${bucket}.s3.${await region()}.amazonaws.com` : `${endpoint}/${bucket}`;
  const { protocol, host, hostname, pathname } = new URL(`${place}/${key}`);
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const signed = await signer.presign(
    {
      method,
      protocol,
      hostname,
      path: pathname,
      // The signature does not cover the bytes, which are not here: the digest among the headers does.
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

/**
 * Lets somebody upload a file, with the type, the length and the digest that it was announced with and no other.
 *
 * @param now epoch milliseconds
 */
export const uploadOf = async (
  key: string,
  { contentType, size, sha256 }: Pick<Attachment, 'contentType' | 'size' | 'sha256'>,
  now: number,
): Promise<Upload> => {
  const headers = { 'content-type': contentType, 'x-amz-checksum-sha256': sha256 };
  const signed = { ...headers, 'content-length': String(size) };
  const link = await presign(key, { method: 'PUT', headers: signed, query: {}, seconds: uploadSeconds }, now);
  return { method: 'PUT', ...link, headers };
};

/**
 * Links to all evidence of a return, by attachment. Browsers are told to save a file, not to show it: it is a
 * stranger's. Whether it was ever uploaded shows when its link is followed.
 *
 * @param now epoch milliseconds
 */
export const linksTo = async (state: Return, now: number): Promise<ReadonlyMap<string, Link>> => {
  const query = { 'response-content-disposition': 'attachment' };
  const links = state.evidence.map(async ({ id }): Promise<[string, Link]> => {
    const request = { method: 'GET', headers: {}, query, seconds: linkSeconds } as const;
    return [id, await presign(evidenceKey(state, id), request, now)];
  });
  return new Map(await Promise.all(links));
};
