import { type Catalogue, emptyCatalogue, type VersionHead } from '../../domain/policies/lifecycle/catalogue.ts';
import type { PolicyDocument } from '../../domain/policies/lifecycle/golden.ts';
import { perContainer } from '../../runtime/container.ts';
import { getItem } from '../engine/batch-get.ts';
import { catalogueKey, policyPartition, policyVersionKey } from '../engine/keys.ts';
import { pack, TooLargeError, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, type Write } from '../engine/transact.ts';

type Packed = string | Uint8Array;

/** A version of a policy with its document. */
export type PolicyVersion = { readonly head: VersionHead; readonly document: PolicyDocument };

/**
 * The limit of a document. An item could hold more, but the stored response for repeats includes the document and
 * further fields.
 */
const maxDocumentBytes = 300 * 1024;

/** The last read catalogue, packed and unpacked. It seldom changes, and all policies take long to unpack. */
const lastRead = perContainer(() => ({ packed: '' as Packed, catalogue: emptyCatalogue }));

const isSame = (a: Packed, b: Packed): boolean =>
  typeof a === 'string' || typeof b === 'string' ? a === b : Buffer.compare(a, b) === 0;

/** Returns the catalogue as last written. */
export const readCatalogue = async (session: Session): Promise<Catalogue> => {
  const item = await getItem<{ value: Packed }>(session, catalogueKey);
  if (item === undefined) return emptyCatalogue;
  const known = lastRead();
  if (!isSame(known.packed, item.value))
    Object.assign(known, { packed: item.value, catalogue: unpack(item.value) as Catalogue });
  return known.catalogue;
};

/** Replaces a version of the catalogue. A concurrent publication fails and reads it again. */
export const writeCatalogue = (catalogue: Catalogue): Write =>
  putVersion('catalogue', catalogueKey, { version: catalogue.version, value: pack(catalogue) }, catalogue.version - 1);

/** Returns a version as last written, or undefined. */
export const readPolicyVersion = async (
  session: Session,
  policyId: string,
  version: number,
): Promise<PolicyVersion | undefined> => {
  const item = await getItem<{ head: Packed; value: Packed }>(session, policyVersionKey(policyId, version));
  return item === undefined
    ? undefined
    : { head: unpack(item.head) as VersionHead, document: unpack(item.value) as PolicyDocument };
};

/**
 * Replaces a revision of a version.
 *
 * @throws TooLargeError for a document that is too large
 */
export const writePolicyVersion = ({ head, document }: PolicyVersion): Write => {
  const value = pack(document);
  if (value.length > maxDocumentBytes) throw new TooLargeError(`${value.length} bytes are no policy`);
  const attributes = { version: head.revision, head: pack(head), value };
  return putVersion('policyVersion', policyVersionKey(head.policyId, head.version), attributes, head.revision - 1);
};

/** Returns up to `limit` versions of a policy below a number, newest first, without their documents. */
export const readVersionHeads = async (
  session: Session,
  policyId: string,
  before: number,
  limit: number,
): Promise<VersionHead[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': policyPartition(policyId),
      ':first': policyVersionKey(policyId, 0).sk,
      ':last': policyVersionKey(policyId, before - 1).sk,
    },
    ProjectionExpression: 'head',
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  return (await queryAll<{ head: Packed }>(session, query, limit)).map(({ head }) => unpack(head) as VersionHead);
};

const cache = perContainer(() => new Map<string, PolicyDocument>());
const maxCached = 32;

/** Returns the document of a version, or undefined. A published document never changes, so the container caches it. */
export const readDocument = async (
  session: Session,
  policyId: string,
  version: number,
): Promise<PolicyDocument | undefined> => {
  const key = `${policyId} ${version}`;
  const cached = cache();
  const known = cached.get(key);
  if (known !== undefined) return known;
  const found = await readPolicyVersion(session, policyId, version);
  if (found?.head.published === undefined) return found?.document;
  const [oldest] = cached.keys();
  if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest);
  cached.set(key, found.document);
  return found.document;
};
