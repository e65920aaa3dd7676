import type { Input } from '../../../contract/contract.ts';
import { addAttachment } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import { common } from '../../texts/common.ts';
import { t } from './texts.ts';
import { type Picture, pictures } from './work.ts';

type ContentType = Input<'addAttachment'>['contentType'];

/** The types of pictures that the service takes. */
export const pictureTypes: readonly ContentType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/heic'];

const maxSize = 20 * 1024 * 1024;
const deadlineMs = 120_000;

const isAccepted = (type: string): type is ContentType => (pictureTypes as readonly string[]).includes(type);

const sha256 = async (file: File): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return btoa(String.fromCodePoint(...new Uint8Array(digest)));
};

/** Returns why the file is not saved, or undefined after its upload. */
const store = async (returnId: string, { id, file, lineId }: Picture): Promise<string | undefined> => {
  if (!isAccepted(file.type)) return t().photo.type;
  if (file.size > maxSize) return t().photo.size;
  const announced = await call(
    addAttachment,
    {
      returnId,
      ...(lineId !== undefined && { lineId }),
      contentType: file.type,
      size: file.size,
      sha256: await sha256(file),
    },
    // A repeat of the same picture gets a new address for the same attachment.
    { idempotencyKey: id },
  );
  if (!announced.ok) return announced.problem.status === 0 ? common().problem.unreachable : announced.problem.detail;
  const { upload } = announced.value;
  if (upload === undefined) return t().photo.upload;
  const response = await fetch(upload.url, {
    method: upload.method,
    headers: upload.headers,
    body: file,
    signal: AbortSignal.timeout(deadlineMs),
  });
  return response.ok ? undefined : t().photo.upload;
};

const update = (returnId: string, id: string, changes: Partial<Picture>): void =>
  pictures.set(
    returnId,
    pictures.of(returnId).map((each) => (each.id === id ? { ...each, ...changes } : each)),
  );

/** Uploads a picture. A picture that fails stays, so that a person can upload it again. */
export const upload = async (returnId: string, picture: Picture): Promise<boolean> => {
  update(returnId, picture.id, { state: 'uploading' });
  let failure: string | undefined;
  try {
    failure = await store(returnId, picture);
  } catch {
    failure = t().photo.upload;
  }
  update(returnId, picture.id, failure === undefined ? { state: 'saved' } : { state: 'failed', failure });
  return failure === undefined;
};

/** Frees the memory of the saved pictures of a return. Those that failed stay. */
export const forgetSaved = (returnId: string): void => {
  const all = pictures.of(returnId);
  for (const { state, preview } of all) if (state === 'saved') URL.revokeObjectURL(preview);
  pictures.set(
    returnId,
    all.filter(({ state }) => state !== 'saved'),
  );
};

/** Adds the chosen files to the pictures of a return. */
export const addPictures = (returnId: string, files: readonly File[], lineId: string): readonly Picture[] => {
  const added = files.map(
    (file): Picture => ({
      id: crypto.randomUUID(),
      file,
      preview: URL.createObjectURL(file),
      ...(lineId !== '' && { lineId }),
      state: 'uploading',
    }),
  );
  pictures.set(returnId, [...pictures.of(returnId), ...added]);
  return added;
};
