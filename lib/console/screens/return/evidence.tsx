import { useRef, useState } from 'preact/hooks';
import { evidenceTypes, uploadEvidence, type UploadResult } from '../../api/upload.ts';
import { Section, Time } from '../../components/basics.tsx';
import { aboutFile, FileLink, type StoredFile } from '../../components/file-link.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { toast } from '../../components/toast.tsx';
import { fieldText } from '../../forms/field-texts.ts';
import { lineTitle } from '../../forms/return-form.ts';
import { may } from '../../session/session.ts';
import { useScreen } from './context.ts';
import { t } from './texts.ts';

/** A file with its picture, and when it was added. */
const Item = ({ file, name }: { file: StoredFile; name: string }) => {
  const { reload } = useScreen();
  const [isBroken, setBroken] = useState(false);
  return (
    <li class="file">
      <FileLink file={file} name={name} onExpired={reload} onBroken={() => setBroken(true)} />
      <span class="fine">
        {name}
        <span class="block">{aboutFile(file)}</span>
        <span class="block">
          <Time at={file.addedAt} />
        </span>
        {isBroken && <span class="block">{t().noPicture}</span>}
      </span>
    </li>
  );
};

const Attach = () => {
  const { value, titles, reload } = useScreen();
  const [lineId, setLineId] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [result, setResult] = useState<UploadResult | undefined>();
  // The key belongs to the file: a second attempt stores it once.
  const attempt = useRef({ file: '', key: '' });
  const upload = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const id = `${file.name} ${file.size} ${file.lastModified} ${lineId}`;
    if (attempt.current.file !== id) attempt.current = { file: id, key: crypto.randomUUID() };
    setWorking(true);
    const to = { returnId: value.returnId, ...(lineId !== '' && { lineId }) };
    const next = await uploadEvidence(file, to, attempt.current.key);
    setWorking(false);
    setResult(next);
    input.value = '';
    // The return has a new version as soon as the file is announced, also if the upload failed.
    if (next.kind === 'done' || (next.kind === 'rejected' && next.why === 'uploadFailed')) reload();
    if (next.kind !== 'done') return;
    attempt.current = { file: '', key: '' };
    toast(t().uploaded);
  };
  return (
    <div class="attach no-print">
      <label>
        {t().attachTo}
        <select value={lineId} onChange={(event) => setLineId(event.currentTarget.value)}>
          <option value="">{t().wholeReturn}</option>
          {value.lines.map((line) => (
            <option key={line.lineId} value={line.lineId}>
              {lineTitle(line, titles)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t().attach}
        <input
          type="file"
          accept={evidenceTypes.join(',')}
          disabled={isWorking}
          onChange={(event) => void upload(event.currentTarget)}
        />
      </label>
      <div aria-live="polite">
        {isWorking && <span class="fine">{t().uploading}</span>}
        {result?.kind === 'rejected' && <p class="field-error">{t()[result.why]}</p>}
      </div>
      {result?.kind === 'failed' && <ProblemNotice problem={result.problem} />}
    </div>
  );
};

/** The files of the return and of its lines. */
export const Evidence = () => {
  const { value, titles } = useScreen();
  const files = [
    ...(value.evidence ?? []).map((file) => ({ file, name: t().wholeReturn })),
    ...value.lines.flatMap((line) => (line.evidence ?? []).map((file) => ({ file, name: lineTitle(line, titles) }))),
  ];
  const canAttach = value.allowedActions?.some(({ action, allowed }) => action === 'addAttachment' && allowed) === true;
  return (
    <Section title={fieldText('evidence')}>
      {files.length === 0 && <p class="fine">{t().noEvidence}</p>}
      <ul class="files">
        {files.map(({ file, name }) => (
          <Item key={`${name} ${file.sha256}`} file={file} name={name} />
        ))}
      </ul>
      {canAttach && may('returns:write') && <Attach />}
    </Section>
  );
};
