import { exportsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { getObject, putObject } from '../engine/objects.ts';
import { type Link, presign } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';
import type { ExportedFile } from './job.ts';

/*
 * Files of exports, in a bucket of their own with a lifecycle of one week. The partitions of a job list its files. A
 * file that a worker put but did not record, because it died, is not part of the export.
 */

const linkSeconds = 5 * 60;
/** Two attempts take less time than a worker reserves for its end. */
const attemptMs = 3_000;

const config = configured(exportsConfig);

const types = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;
export type FileType = keyof typeof types;

/**
 * Returns the key of a file, which includes the digest of its bytes. Two workers may process the same partition. The
 * late worker must not overwrite the file of the other.
 */
const keyOf = (jobId: string, { name, digest }: Pick<ExportedFile, 'name' | 'digest'>): string =>
  `exports/${jobId}/${digest.slice(0, 16)}-${name}`;

/**
 * Puts a file of an export. A repeat does no harm.
 *
 * @throws {ObjectsUnavailable} when it is unknown whether the file is stored
 */
export const putFile = async (
  session: Session,
  { jobId, name, type }: { readonly jobId: string; readonly name: string; readonly type: FileType },
  bytes: Uint8Array,
  rows: number,
): Promise<ExportedFile> => {
  const file = { name, rows, bytes: bytes.length, digest: sha256(bytes, 'hex') };
  await putObject(session, { ...config(), key: keyOf(jobId, file), attemptMs }, bytes, { 'content-type': types[type] });
  return file;
};

/**
 * Returns the bytes of a file of an export.
 *
 * @throws {ObjectsUnavailable} when it cannot be read
 */
export const readFile = async (session: Session, jobId: string, file: ExportedFile): Promise<Buffer> => {
  const bytes = await getObject(session, { ...config(), key: keyOf(jobId, file), attemptMs });
  if (bytes?.length !== file.bytes) throw new Error(`${file.name} of ${jobId} is not as it was written`);
  return bytes;
};

/**
 * Returns an address that downloads a file of an export, as an attachment.
 *
 * @param now epoch milliseconds
 */
export const linkToFile = async (jobId: string, file: ExportedFile, now: number): Promise<Link> => {
  const query = { 'response-content-disposition': `attachment; filename="returns-${file.name}"` };
  return presign(
    { ...config(), key: keyOf(jobId, file), method: 'GET', headers: {}, query, seconds: linkSeconds },
    now,
  );
};
