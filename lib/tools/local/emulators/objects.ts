import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { sha256 } from '../../../runtime/hash.ts';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { closeServer, listen } from '../ports.ts';
import type { Call } from './call-record.ts';
import { corsForbidden, corsHeaders, type CorsRules, isPreflight } from './cors.ts';
import { clientSettings } from './function-spec.ts';
import type { Identities, Identity } from './identities.ts';
import { type Access, covers } from './policy.ts';
import { type S3Error, signerOf } from './presigned.ts';
import { isFromPage } from './web-page.ts';

/*
 * A proxy in front of the emulator of S3, which accepts every upload. It rejects presigned requests that S3 would
 * reject. A request has the permissions of its signer's role. S3 serves pages of other origins without CORS headers. The
 * proxy rejects them, because it is on a machine with a browser.
 */

export type ObjectsOptions = {
  /** Origin of the emulator. */
  readonly upstream: string;
  readonly identities: Identities;
  /** Buckets whose objects cannot be deleted or overwritten. @default none */
  readonly locked?: ReadonlySet<string> | undefined;
  /** What pages of other origins may do. @default nothing */
  readonly cors?: CorsRules | undefined;
  /** @default any free port */
  readonly port?: number;
  readonly onCall?: (call: Omit<Call, 'mode'>) => void;
};

const actions: Readonly<Record<string, string>> = {
  GET: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};
/** A listing is a request for the bucket itself. */
const listing = 's3:ListBucket';
const listingOfVersions = 's3:ListBucketVersions';

/** Returns the action of a request for a bucket or an object. */
const actionOf = (method: string, { searchParams }: URL, isBucket: boolean): string | undefined => {
  if (method === 'GET' && isBucket && searchParams.get('list-type') === '2') return listing;
  if (method === 'GET' && isBucket && searchParams.has('versions')) return listingOfVersions;
  // No function reads an old version.
  if (searchParams.has('versionId')) return method === 'DELETE' ? 's3:DeleteObjectVersion' : undefined;
  return actions[method];
};

/** Returns the action and the resource of a request. */
const accessOf = (method: string, url: URL): Access | undefined => {
  const path = url.pathname.slice(1);
  const action = actionOf(method, url, /^[^/]+\/$/.test(path));
  const isListing = action === listing || action === listingOfVersions;
  return action === undefined
    ? undefined
    : { action, resource: `arn:aws:s3:::${isListing ? path.slice(0, -1) : path}` };
};

/** Returns the query for the emulator, without the signature. */
const queryOf = ({ searchParams }: URL): string => {
  const unsigned = [...searchParams].filter(([name]) => !name.startsWith('X-Amz-'));
  const isNeeded = ['list-type', 'versions', 'versionId'].some((name) => searchParams.has(name));
  return isNeeded ? `?${new URLSearchParams(unsigned).toString()}` : '';
};

const noSuchKey: S3Error = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };
const preconditionFailed: S3Error = {
  status: 412,
  code: 'PreconditionFailed',
  message: 'At least one of the pre-conditions you specified did not hold',
};
const accessDenied: S3Error = { status: 403, code: 'AccessDenied', message: 'Access Denied' };

const sendError = (response: ServerResponse, { status, code, message }: S3Error): void => {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
};

const isPermitted = ({ permissions }: Identity, access: Access): boolean =>
  permissions.some((permission) => covers(permission, access));

/** Returns an error when the bytes do not have the announced digest. */
const digestError = ({ headers }: IncomingMessage, body: Buffer): S3Error | undefined => {
  const promised = headers['x-amz-checksum-sha256'];
  if (promised === undefined || promised === sha256(body, 'base64')) return undefined;
  const message = 'The SHA256 you specified did not match the calculated checksum.';
  return { status: 400, code: 'BadDigest', message };
};

const exists = async (upstream: string, path: string): Promise<boolean> => {
  const { status, body } = await fetch(`${upstream}${path}`);
  await body?.cancel();
  return status === 200;
};

/**
 * Returns an error for a request that may not replace or delete an existing object. S3 stores versions, and a locked
 * bucket loses none. The emulator has no versions, so here the first one stays.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
const lockError = async (
  { upstream, locked }: Pick<ObjectsOptions, 'upstream' | 'locked'>,
  { method, url = '', headers }: IncomingMessage,
): Promise<S3Error | undefined> => {
  const { pathname } = new URL(url, upstream);
  const isLocked = locked?.has(pathname.split('/')[1] ?? '') === true;
  if (method === 'DELETE' && isLocked) return accessDenied;
  const once = headers['if-none-match'] === '*';
  if (method !== 'PUT' || !(isLocked || once) || !(await exists(upstream, pathname))) return undefined;
  return once ? preconditionFailed : accessDenied;
};

/** A request for the emulator, and the error for a missing object. */
type ForwardedRequest = { readonly upstream: string; readonly body: Buffer; readonly onMissing: () => S3Error };

const forwardRequest = async (
  request: IncomingMessage,
  response: ServerResponse,
  { upstream, body, onMissing }: ForwardedRequest,
): Promise<void> => {
  const url = new URL(request.url ?? '', upstream);
  const { pathname, searchParams } = url;
  const isUpload = request.method === 'PUT';
  const { 'content-type': type = 'binary/octet-stream' } = request.headers;
  const answer = await fetch(`${upstream}${pathname}${queryOf(url)}`, {
    method: request.method ?? 'GET',
    ...(isUpload && { headers: { 'content-type': type }, body: new Uint8Array(body) }),
  });
  const content = Buffer.from(await answer.arrayBuffer());
  if (answer.status === 404) return sendError(response, onMissing());
  const disposition = searchParams.get('response-content-disposition');
  const encoding = searchParams.get('response-content-encoding');
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? type,
    ...(disposition !== null && { 'content-disposition': disposition }),
    ...(encoding !== null && { 'content-encoding': encoding }),
  });
  response.end(content);
};

const answer = async (
  { upstream, identities, locked, cors = new Map(), onCall }: ObjectsOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await buffer(request);
  const { method = '', url = '', headers } = request;
  const allowed = corsHeaders(cors, { method, url, headers });
  for (const [name, value] of Object.entries(allowed ?? {})) response.setHeader(name, value);
  const preflight = isPreflight({ method, url, headers });
  if (allowed === undefined && (preflight || isFromPage(request))) return sendError(response, corsForbidden);
  if (preflight) return void response.writeHead(200).end();
  const secretOf = (key: string) => (identities.has(key) ? clientSettings.credentials.secretAccessKey : undefined);
  const signer = signerOf({ method, url, headers }, secretOf, Date.now());
  if ('status' in signer) return sendError(response, signer);
  const identity = identities.get(signer.accessKey);
  const access = accessOf(method, new URL(url, upstream));
  if (identity === undefined || access === undefined) return sendError(response, accessDenied);
  const permitted = isPermitted(identity, access);
  onCall?.({ function: identity.function, ...access, permitted });
  const error = permitted
    ? (digestError(request, body) ?? (await lockError({ upstream, locked }, request)))
    : accessDenied;
  if (error !== undefined) return sendError(response, error);
  /** Without the permission to list, a caller does not learn that an object is missing. */
  const onMissing = (): S3Error => {
    const listAccess = { action: listing, resource: access.resource.replace(/\/.*$/, '') };
    if (!isPermitted(identity, listAccess)) return accessDenied;
    onCall?.({ function: identity.function, ...listAccess, permitted: true });
    return noSuchKey;
  };
  return forwardRequest(request, response, { upstream, body, onMissing });
};

/** Starts the proxy of S3: uploads, downloads, listings and deletions with the signature in the query. */
export const startObjects = async (options: ObjectsOptions) => {
  const server = createServer((request, response) => {
    // A connection that breaks on one side is broken on the other.
    answer(options, request, response).catch(() => response.destroy());
  });
  const url = await listen(server, options.port ?? 0);
  return { url, close: async () => closeServer(server) };
};

/** Returns the buckets of a template whose objects are locked in compliance mode. */
export const lockedBuckets = (buckets: readonly Deployed[]): ReadonlySet<string> =>
  new Set(
    buckets.flatMap(({ local, properties }) => {
      const { Rule } = (properties['ObjectLockConfiguration'] ?? {}) as {
        readonly Rule?: { readonly DefaultRetention?: { readonly Mode?: string } };
      };
      return Rule?.DefaultRetention?.Mode === 'COMPLIANCE' ? [local.ref] : [];
    }),
  );

/** Creates the missing buckets of the template, with versions where they have them. */
export const createBuckets = async (url: string, buckets: readonly Deployed[]): Promise<void> => {
  for (const { local, properties } of buckets) {
    const { Status } = (properties['VersioningConfiguration'] ?? {}) as { readonly Status?: string };
    for (const query of ['', ...(Status === 'Enabled' ? ['?versioning'] : [])]) {
      const { status } = await fetch(`${url}/${local.ref}${query}`, { method: 'PUT' });
      if (status !== 200) throw new Error(`bucket ${local.ref} was not created: ${status}`);
    }
  }
};
