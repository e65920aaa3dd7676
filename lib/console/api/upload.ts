import type { Input } from '../../contract/contract.ts';
import { addAttachment } from '../../contract/operations.ts';
import { call } from './call.ts';
import type { Problem } from './problem.ts';

type ContentType = Input<'addAttachment'>['contentType'];

/** The types of pictures that the service takes. */
export const pictureTypes: readonly ContentType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/heic'];

/** The types of files that the service takes. */
export const evidenceTypes: readonly ContentType[] = [...pictureTypes, 'application/pdf', 'video/mp4'];

const maxBytes = 20 * 1024 * 1024;
const uploadMs = 120_000;

export type UploadResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'rejected'; readonly why: 'fileTooLarge' | 'fileType' | 'uploadFailed' }
  | { readonly kind: 'failed'; readonly problem: Problem };

const sha256Of = async (file: File): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return btoa(String.fromCodePoint(...digest));
};

type Upload = { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Sends the bytes to the bucket of the evidence. The address allows only this file. */
const put = async ({ method, url, headers }: Upload, file: File): Promise<boolean> => {
  try {
    const response = await fetch(url, { method, headers, body: file, signal: AbortSignal.timeout(uploadMs) });
    return response.ok;
  } catch {
    return false;
  }
};

/**
 * Attaches a file to a return, or to one of its lines.
 *
 * @param idempotencyKey the same for each attempt with the same file
 */
export const uploadEvidence = async (
  file: File,
  to: { readonly returnId: string; readonly lineId?: string },
  idempotencyKey: string,
  types = evidenceTypes,
): Promise<UploadResult> => {
  const { size } = file;
  const contentType = types.find((type) => type === file.type);
  if (contentType === undefined || size === 0) return { kind: 'rejected', why: 'fileType' };
  if (size > maxBytes) return { kind: 'rejected', why: 'fileTooLarge' };
  const input = { ...to, contentType, size, sha256: await sha256Of(file) };
  const answer = await call(addAttachment, input, { idempotencyKey });
  if (!answer.ok) return { kind: 'failed', problem: answer.problem };
  const { upload } = answer.value;
  const isStored = upload !== undefined && (await put(upload, file));
  return isStored ? { kind: 'done' } : { kind: 'rejected', why: 'uploadFailed' };
};
