import { pictureTypes, uploadEvidence, type UploadResult } from '../../api/upload.ts';
import { common } from '../../texts/common.ts';
import { t } from './texts.ts';
import { type Picture, pictures } from './work.ts';

/** Returns why a picture is not saved, or undefined if it is. */
const failureOf = (result: UploadResult): string | undefined => {
  if (result.kind === 'done') return undefined;
  if (result.kind === 'failed') {
    const { status, detail } = result.problem;
    return status === 0 ? common().problem.unreachable : detail;
  }
  return t().photo[result.why];
};

const update = (returnId: string, id: string, changes: Partial<Picture>): void =>
  pictures.set(
    returnId,
    pictures.of(returnId).map((picture) => (picture.id === id ? { ...picture, ...changes } : picture)),
  );

/** Uploads a picture. A picture that fails stays, so that a person can upload it again. */
export const upload = async (returnId: string, picture: Picture): Promise<boolean> => {
  update(returnId, picture.id, { state: 'uploading' });
  const { id, file, lineId } = picture;
  const to = { returnId, ...(lineId !== undefined && { lineId }) };
  // A repeat of the same picture gets a new address for the same attachment.
  const failure = failureOf(await uploadEvidence(file, to, id, pictureTypes));
  update(returnId, picture.id, failure === undefined ? { state: 'saved' } : { state: 'failed', failure });
  return failure === undefined;
};

/** Frees the memory of the saved pictures of a return. Those that failed stay. */
export const forgetSaved = (returnId: string): void => {
  const uploads = pictures.of(returnId);
  for (const { state, preview } of uploads) if (state === 'saved') URL.revokeObjectURL(preview);
  pictures.set(
    returnId,
    uploads.filter(({ state }) => state !== 'saved'),
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
