import { useState } from 'preact/hooks';
import { pictureTypes } from '../../api/upload.ts';
import { fill } from '../../texts/fill.ts';
import { type Opened, reload } from './opened.ts';
import { t } from './texts.ts';
import { nameOf } from './units.ts';
import { addPictures, upload } from './upload.ts';
import { type Picture, pictures, recordDone } from './work.ts';

const PictureView = ({ picture, onAgain }: { picture: Picture; onAgain: () => void }) => (
  <li>
    <img src={picture.preview} alt={picture.file.name} />
    {picture.state === 'failed' ? (
      <div role="alert">
        <strong class="field-error">{t().photo.failed}.</strong> {picture.failure}
        <button type="button" onClick={onAgain}>
          {t().photo.again}
        </button>
      </div>
    ) : (
      <span role="status">{picture.state === 'saved' ? `✓ ${t().photo.saved}` : t().photo.uploading}</span>
    )}
  </li>
);

/** The second step: pictures of the goods, as evidence of the return or of one of its lines. */
export const PhotoStep = ({ of, onDone }: { of: Opened; onDone: () => void }) => {
  const { returnId, rmaNumber, lines, evidence = [] } = of.value;
  const [lineId, setLineId] = useState('');
  const taken = pictures.of(returnId);
  const stored = evidence.length + lines.reduce((sum, line) => sum + (line.evidence?.length ?? 0), 0);
  const send = async (picture: Picture) => {
    if (await upload(returnId, picture)) recordDone(returnId, rmaNumber, t().photo.done);
  };
  const take = async (input: HTMLInputElement) => {
    const added = addPictures(returnId, [...(input.files ?? [])], lineId);
    input.value = '';
    // One after the other: each changes the version of the return.
    for (const picture of added) await send(picture);
    await reload(returnId);
  };
  return (
    <>
      {lines.length > 1 && (
        <div class="field">
          <label for="station-subject">{t().photo.subject}</label>
          <select id="station-subject" value={lineId} onChange={(event) => setLineId(event.currentTarget.value)}>
            <option value="">{t().photo.whole}</option>
            {lines.map((line) => (
              <option key={line.lineId} value={line.lineId}>
                {nameOf(line, of.order)}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label class="button station-large station-file">
          {t().photo.take}
          <input
            type="file"
            class="visually-hidden"
            accept={pictureTypes.join(',')}
            capture="environment"
            multiple
            aria-describedby="station-photo-hint"
            onChange={(event) => void take(event.currentTarget)}
          />
        </label>
        <span class="field-hint" id="station-photo-hint">
          {t().photo.hint} {stored > 0 && fill(t().photo.stored, { count: stored })}
        </span>
      </div>
      {taken.length > 0 && (
        <ul class="station-pictures" aria-label={t().photo.list}>
          {taken.map((picture) => (
            <PictureView key={picture.id} picture={picture} onAgain={() => void send(picture)} />
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" class="primary station-large" onClick={onDone}>
          {t().photo.next}
        </button>
      </div>
    </>
  );
};
