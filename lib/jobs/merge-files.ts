import { readFile, putFile } from '../store/jobs/exports.ts';
import type { Session } from '../store/engine/session.ts';
import { sum } from '../runtime/sum.ts';
import { csvHeader } from './csv.ts';
import { fileBytes, fileTypeOf } from './export-returns.ts';
import type { ExportedFile, ExportJob, ExportPart, MergedFile } from '../store/jobs/job.ts';

/*
 * Each part of an export writes files of its own, so that a small export is as many small files as there are parts. The
 * worker that ends the job merges them. The files of the parts are never changed: a worker that dies, or is late, leaves
 * them listed as they are, and the next one merges the same bytes into the same object.
 */

/** Merging has to fit into the time that a worker has left: what is beyond stays as the parts wrote it. */
const maxMerged = { files: 64, bytes: 8 * fileBytes };

const bytesOf = (files: readonly ExportedFile[]): number => sum(files.map(({ bytes }) => bytes));

/** The files that are small enough to be merged, as many as one worker can merge. */
const smallOf = (files: readonly ExportedFile[]): readonly ExportedFile[] => {
  let bytes = 0;
  return files
    .filter((file) => file.bytes < fileBytes)
    .slice(0, maxMerged.files)
    .filter((file) => (bytes += file.bytes) <= maxMerged.bytes);
};

/** Groups of at least two files, each of which fits into one file. */
export const groupsOf = (files: readonly ExportedFile[]): readonly (readonly ExportedFile[])[] => {
  const groups: ExportedFile[][] = [];
  for (const file of smallOf(files)) {
    const group = groups.at(-1);
    if (group !== undefined && bytesOf(group) + file.bytes <= fileBytes) group.push(file);
    else groups.push([file]);
  }
  return groups.filter(({ length }) => length > 1);
};

/** The rows of files, one after another, under one header. */
const joined = (contents: readonly Buffer[], format: ExportJob['request']['format']): Buffer => {
  if (format !== 'csv') return Buffer.concat(contents);
  const header = Buffer.from(csvHeader);
  return Buffer.concat([header, ...contents.map((content) => content.subarray(content.indexOf('\r\n') + 2))]);
};

/**
 * Merges the small files of an export, about 4 MB at a time.
 *
 * @returns what replaces which files; empty where nothing is to be merged
 * @throws {ObjectsUnavailable} where a file cannot be read or kept: the parts are done, and the next worker merges
 */
export const mergeFiles = async (
  session: Session,
  { id: jobId, request }: ExportJob,
  parts: readonly ExportPart[],
): Promise<readonly MergedFile[]> => {
  const { format } = request;
  const files = parts.flatMap((part) => part.files);
  const groups = groupsOf(files);
  const isWhole = groups.length === 1 && groups[0]?.length === files.length;
  const merged: MergedFile[] = [];
  for (const [index, group] of groups.entries()) {
    const contents = await Promise.all(group.map(async (file) => readFile(session, jobId, file)));
    const type = fileTypeOf(format);
    const name = `${isWhole ? 'all' : `merged-${index}`}.${type}`;
    const rows = sum(group.map((file) => file.rows));
    const file = await putFile(session, { jobId, name, type }, joined(contents, format), rows);
    merged.push({ file, of: group.map((one) => one.name) });
  }
  return merged;
};
