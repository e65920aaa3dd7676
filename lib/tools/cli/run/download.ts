import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { exitCodes } from '../../command-line/exit-codes.ts';
import { openProgress } from '../output/terminal.ts';
import { type Invocation, printRecord, reportFailure } from './context.ts';
import { readJob, waitForJob } from './job.ts';

/*
 * Downloads the files of an export. A file has its name only when it is complete: until then it ends with `.part`.
 */

type ExportFile = { readonly name: string; readonly url: string; readonly bytes: number };

const attempts = 3;
const attemptMs = 60_000;
const pauseMs = 500;

const isExportFile = (value: unknown): value is ExportFile =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['url'] === 'string' &&
  typeof value['bytes'] === 'number';

/** The name comes from the service: it must not lead to another folder, and not hide. */
const isFileName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(name);

const filesOf = (job: JsonObject): readonly ExportFile[] =>
  Array.isArray(job['files']) ? job['files'].filter(isExportFile) : [];

/** A signed URL is a secret: only TLS may carry it, except on this machine. */
const isSafeUrl = (url: string): boolean => {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname);
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLocal);
};

/** Counts bytes, and fails above the size that the service names. */
const counted = (bytes: number, onBytes: (count: number) => void): Transform => {
  let count = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      count += chunk.length;
      onBytes(count);
      if (count > bytes) done(new Error('too long'));
      else done(undefined, chunk);
    },
    flush: (done) => done(count === bytes ? undefined : new Error('incomplete')),
  });
};

/** Downloads a file once. Returns the cause of a failure; `status_403` also means that the URL has expired. */
const downloadOnce = async (
  { url, bytes }: ExportFile,
  part: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Result<undefined, string>> => {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]);
    const response = await fetch(url, { signal: limit, redirect: 'error' });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return fail(`status_${response.status}`);
    }
    const body = Readable.fromWeb(response.body);
    await pipeline(body, counted(bytes, onBytes), createWriteStream(part, { mode: 0o600 }), { signal: limit });
    return ok(undefined);
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    // The message of fetch may quote the URL.
    return fail(code ?? (error instanceof Error ? error.name : 'unknown'));
  }
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** A disk that rejects a file rejects it again. */
const isOfDisk = (cause: string): boolean => /^(ENOSPC|EACCES|EROFS|EDQUOT|ENOENT|EPERM)$/.test(cause);

/** Downloads a file with retries. Each of them reads the job again, since a URL is valid for five minutes. */
const downloadFile = async (
  invocation: Invocation,
  jobId: string,
  first: ExportFile,
  onBytes: (count: number) => void,
): Promise<Result<string, string>> => {
  const { out, signal } = invocation;
  const target = join(out, first.name);
  const part = `${target}.part`;
  let file = first;
  let cause = '';
  try {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (attempt > 1) {
        await setTimeout(pauseMs * attempt, undefined, { signal });
        const read = await readJob(invocation, jobId);
        if (read.ok) file = filesOf(read.job).find(({ name }) => name === first.name) ?? file;
      }
      const done = isSafeUrl(file.url) ? await downloadOnce(file, part, signal, onBytes) : fail('unsafe_url');
      if (done.ok) {
        await rename(part, target);
        return ok(target);
      }
      cause = done.failure;
      if (isOfDisk(cause) || cause === 'unsafe_url') break;
    }
    return fail(`${first.name} cannot be downloaded (${cause}). Repeat: returns jobs download ${jobId}`);
  } finally {
    await rm(part, { force: true });
  }
};

/** Returns why the files of a job cannot be stored; undefined where they can. */
const storeError = async ({ out, yes }: Invocation, files: readonly ExportFile[]): Promise<string | undefined> => {
  const strange = files.find(({ name }) => !isFileName(name));
  if (strange !== undefined) return `The service names a file ${strange.name}, which is no file name.`;
  for (const { name } of yes ? [] : files)
    if (await exists(join(out, name))) return `${join(out, name)} exists. Replace it with --yes, or choose --out.`;
  return undefined;
};

/**
 * Downloads all files of an export that is done.
 *
 * @returns the exit code
 */
const downloadAll = async (invocation: Invocation, job: JsonObject): Promise<number> => {
  const { terminal, out } = invocation;
  const jobId = String(job['jobId']);
  const files = filesOf(job);
  const error = await storeError(invocation, files);
  if (error !== undefined) {
    terminal.note(`error: ${error}`);
    return exitCodes.failed;
  }
  await mkdir(out, { recursive: true });
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const stored: string[] = [];
  const progress = openProgress(terminal);
  let before = 0;
  try {
    for (const file of files) {
      const done = await downloadFile(invocation, jobId, file, (count) =>
        progress.update(`${file.name}: ${count} of ${file.bytes} bytes`, before + count, total),
      );
      if (!done.ok) {
        progress.end();
        terminal.note(`error: ${done.failure}`);
        return exitCodes.unavailable;
      }
      before += file.bytes;
      stored.push(done.value);
    }
  } finally {
    progress.end();
  }
  await printRecord(invocation, { jobId, status: job['status'], files: stored, bytes: total });
  return exitCodes.ok;
};

/** Waits for an export and downloads its files. */
export const finishExport = async (invocation: Invocation, started: JsonObject): Promise<number> => {
  const ended = await waitForJob(invocation, started);
  if (!ended.ok) return reportFailure(invocation, ended.failure);
  const job = ended.value.body;
  if (job['status'] === 'done' && job['kind'] === 'export') return downloadAll(invocation, job);
  await printRecord(invocation, job);
  return job['status'] === 'done' ? exitCodes.ok : exitCodes.failed;
};
