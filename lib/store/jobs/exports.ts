import { exportsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { getObject, putObject } from '../engine/objects.ts';
import { type Link, presign } from '../engine/presign.ts';
import type { Session } from '../engine/session.ts';
import type { ExportedFile } from './job.ts';

/*
 * Files of exports, in a bucket of their own, which forgets them after a week. What an export consists of stands in its
 * parts: a file that a worker put and did not live to write down is none of it.
 */

const linkSeconds = 5 * 60;
/** Twice this is less than a worker keeps for what it does at its end. */
const attemptMs = 3_000;

const config = configured(exportsConfig);

const types = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;
export type FileType = keyof typeof types;

/**
 * Where a file lies. The digest of the bytes is a part of it: of two workers that have the same part, the one that is late
 * must not put its file in the place of the other's.
 */
const keyOf = (jobId: string, { name, digest }: Pick<ExportedFile, 'name' | 'digest'>): string =>
  `exports/${jobId}/${digest.slice(0, 16)}-${name}`;

/**
 * Puts a file of an export. The same once more does no harm.
 *
 * @throws {ObjectsUnavailable} where it is not kept for certain
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
 * The bytes of a file of an export.
 *
 * @throws {ObjectsUnavailable} where it cannot be read
 */
export const readFile = async (session: Session, jobId: string, file: ExportedFile): Promise<Buffer> => {
  const bytes = await getObject(session, { ...config(), key: keyOf(jobId, file), attemptMs });
  if (bytes?.length !== file.bytes) throw new Error(`${file.name} of ${jobId} is not as it was written`);
  return bytes;
};

/**
 * An address that serves a file of an export, to be saved and not to be shown.
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
