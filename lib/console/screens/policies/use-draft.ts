import { useEffect, useState } from 'preact/hooks';
import type { Output } from '../../../contract/contract.ts';
import { getVersion, lintDraft, saveDraft } from '../../../contract/operations.ts';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { type Loaded, useCall } from '../../api/use-call.ts';
import { may } from '../../session/session.ts';
import { type Document, isSame, parseDocument, toText } from './document/document.ts';
import { inDocument } from './document/pointer.ts';
import { type PlacedFinding, placeFindings } from './editor/findings.ts';

type Version = Output<'getVersion'>;

/** What the person sees and changes: the text, and the last valid document of it. */
export type Edits = {
  readonly text: string;
  readonly document: Document;
  /** Whether the document is that of the text. */
  readonly isValid: boolean;
  readonly errorLine?: number;
  readonly note: string;
  readonly name: string;
};

/** The draft of a policy, its unsaved changes, and what the service finds in it. */
export type DraftState = {
  readonly loaded: Loaded<Version>;
  readonly saved: Version | undefined;
  readonly edits: Edits | undefined;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly canEdit: boolean;
  readonly findings: readonly PlacedFinding[];
  readonly problem: Problem | undefined;
  /** The draft of another person that was saved meanwhile. */
  readonly conflict: { readonly base: Version; readonly theirs: Version } | undefined;
  readonly setText: (text: string) => void;
  readonly setDocument: (document: Document) => void;
  readonly setHead: (head: Partial<Pick<Edits, 'note' | 'name'>>) => void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
  /** Continues with a merged document on top of the other draft. */
  readonly resolve: (document: Document) => void;
  readonly endConflict: () => void;
};

const editsOf = ({ document, note = '' }: Version, name: string): Edits => ({
  text: toText(document),
  document,
  isValid: true,
  note,
  name,
});

const differs = (edits: Edits, { document, note = '' }: Version, name: string): boolean =>
  !edits.isValid || edits.note !== note || edits.name !== name || !isSame(edits.document, document);

/** Errors of a rejected draft, in the form of findings. */
const findingsOf = ({ errors = [] }: Problem, document: Document): readonly PlacedFinding[] =>
  placeFindings(
    errors.map(({ path, code, message }) => ({ path: inDocument(path), code, message, severity: 'error' as const })),
    document,
  );

const readFindings = async (version: Version): Promise<readonly PlacedFinding[] | undefined> => {
  const answer = await call(lintDraft, { policyId: version.policyId });
  return answer.ok && answer.value.revision === version.revision
    ? placeFindings(answer.value.findings, version.document)
    : undefined;
};

/**
 * Reads the draft of a policy, and holds the changes until they are saved.
 *
 * @param onSaved reads the policy again: a draft may change its name
 */
export const useDraft = (policy: Output<'getPolicy'>, onSaved: () => void): DraftState => {
  const { policyId, draft: version, name } = policy;
  const loaded = useCall(getVersion, version === undefined ? undefined : { policyId, version });
  const saved = version === undefined ? undefined : loaded.value;
  const [edits, setEdits] = useState<Edits | undefined>();
  const [isSaving, setSaving] = useState(false);
  const [linted, setLinted] = useState<readonly PlacedFinding[]>([]);
  const [rejected, setRejected] = useState<readonly PlacedFinding[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [conflict, setConflict] = useState<DraftState['conflict']>();
  const canEdit = may('returns:admin');
  const shown = edits ?? (saved === undefined ? undefined : editsOf(saved, name));
  const revision = saved?.revision;

  useEffect(() => {
    if (saved === undefined || !canEdit) return undefined;
    let isStale = false;
    const lint = async () => {
      const found = await readFindings(saved);
      if (!isStale && found !== undefined) setLinted(found);
    };
    void lint();
    return () => {
      isStale = true;
    };
  }, [revision, version]);

  const readOther = async (base: Version): Promise<Problem | undefined> => {
    const other = await call(getVersion, { policyId, version: base.version });
    if (!other.ok) return other.problem;
    loaded.replace(other.value, other.version);
    setConflict({ base, theirs: other.value });
    return undefined;
  };

  const save = async () => {
    if (saved === undefined || shown === undefined || !shown.isValid || isSaving) return;
    setSaving(true);
    setProblem(undefined);
    setRejected(undefined);
    const { document, note, name: newName } = shown;
    const input = {
      policyId,
      document,
      ...(note !== '' && { note }),
      ...(newName !== name && newName !== '' && { name: newName }),
    };
    const answer = await call(saveDraft, input, { version: saved.revision });
    if (answer.ok) {
      loaded.replace(answer.value, answer.version);
      setEdits(undefined);
      onSaved();
    } else if (answer.problem.status === 412) {
      setEdits(shown);
      setProblem(await readOther(saved));
    } else {
      setProblem(answer.problem);
      if (answer.problem.errors !== undefined) setRejected(findingsOf(answer.problem, document));
    }
    setSaving(false);
  };

  const change = (next: Partial<Edits>) => {
    if (shown !== undefined && canEdit) setEdits({ ...shown, ...next });
  };

  const isDirty = edits !== undefined && saved !== undefined && differs(edits, saved, name);
  return {
    loaded,
    saved,
    edits: shown,
    isDirty,
    isSaving,
    canEdit,
    findings: (isDirty ? rejected : undefined) ?? linted,
    problem: isDirty ? problem : undefined,
    conflict,
    setText: (text) => {
      const parsed = parseDocument(text);
      if (parsed.ok) change({ text, document: parsed.document, isValid: true });
      else change({ text, isValid: false, errorLine: parsed.line });
    },
    setDocument: (document) => change({ document, text: toText(document), isValid: true }),
    setHead: change,
    discard: () => {
      setEdits(undefined);
      setProblem(undefined);
    },
    save,
    resolve: (document) => {
      change({ document, text: toText(document), isValid: true });
      setConflict(undefined);
    },
    endConflict: () => setConflict(undefined),
  };
};
