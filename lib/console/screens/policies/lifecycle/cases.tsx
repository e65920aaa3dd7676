import { useState } from 'preact/hooks';
import type { Output } from '../../../../contract/contract.ts';
import { testDraft } from '../../../../contract/operations.ts';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { isRecord } from '../../../api/record.ts';
import { Badge, Section } from '../../../components/basics.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Columns, TableWrap } from '../../../components/page-table.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { common } from '../../../texts/common.ts';
import { factWords, valueWords } from '../../../texts/fact-words.ts';
import { fill } from '../../../texts/fill.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import {
  listOf,
  type Members,
  parseDocument,
  textOf,
  toText,
  withField,
  withItem,
  withoutItem,
} from '../document/document.ts';
import type { DraftState } from '../use-draft.ts';
import { AddCase } from './add-case.tsx';
import { t } from './texts.ts';

/** A golden case as JSON. */
const EditCase = ({
  value,
  onChange,
  onClose,
}: {
  value: Members;
  onChange: (value: Members) => void;
  onClose: () => void;
}) => {
  const words = t().cases;
  const [text, setText] = useState(() => toText(value));
  const parsed = parseDocument(text);
  return (
    <Dialog title={common().edit} onClose={onClose} wide>
      <div class="field">
        <label for="case-json">{words.json}</label>
        <textarea
          id="case-json"
          class="mono case-json"
          spellcheck={false}
          aria-invalid={!parsed.ok}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="field-error" role="status">
          {parsed.ok ? '' : words.invalidJson}
        </span>
      </div>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!parsed.ok}
          onClick={() => parsed.ok && onChange(parsed.document)}
        >
          {words.apply}
        </button>
        <button type="button" onClick={onClose}>
          {common().cancel}
        </button>
      </div>
    </Dialog>
  );
};

type Result = Output<'testDraft'>['cases'][number];

const Differences = ({ of }: { of: Result['differences'] }) => {
  const words = t().cases;
  return (
    <TableWrap label={words.found}>
      <Columns names={[words.path, words.expected, words.found]} />
      <tbody>
        {of.map(({ path, expected, found }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>{valueWords(expected)}</td>
            <td>{valueWords(found)}</td>
          </tr>
        ))}
      </tbody>
    </TableWrap>
  );
};

const expectedOf = ({ expect }: Members): string => {
  const verdict = isRecord(expect) ? textOf(expect['verdict']) : '';
  return verdict === '' ? JSON.stringify(expect ?? {}) : policyWord('verdict', verdict);
};

const Case = ({
  of,
  result,
  canEdit,
  onEdit,
  onRemove,
}: {
  of: Members;
  result: Result | undefined;
  canEdit: boolean;
  onEdit: () => void;
  onRemove: () => void;
}) => {
  const words = t().cases;
  const state = result === undefined ? 'notRun' : result.passed ? 'passed' : 'failed';
  const tone = { notRun: 'neutral', passed: 'good', failed: 'bad' } as const;
  return (
    <li class="case">
      <div class="row">
        <Badge tone={tone[state]}>{words[state]}</Badge>
        <strong>{textOf(of['name']) || words.unnamed}</strong>
        <span class="fine">
          {words.expects}: {expectedOf(of)}
        </span>
        {canEdit && (
          <span class="actions">
            <button type="button" class="link-button" onClick={onEdit}>
              {common().edit}
              <span class="visually-hidden"> {textOf(of['name'])}</span>
            </button>
            <button type="button" class="link-button" onClick={onRemove}>
              {common().remove}
              <span class="visually-hidden"> {textOf(of['name'])}</span>
            </button>
          </span>
        )}
      </div>
      {result !== undefined && result.differences.length > 0 && (
        <>
          <Differences of={result.differences} />
          {result.missing.length > 0 && (
            <p class="fine">{fill(words.missing, { facts: result.missing.map(factWords).join(', ') })}</p>
          )}
        </>
      )}
    </li>
  );
};

const useTest = (policyId: string) => {
  const [state, setState] = useState<{ value?: Output<'testDraft'>; problem?: Problem; isRunning: boolean }>({
    isRunning: false,
  });
  const run = async () => {
    setState({ isRunning: true });
    const answer = await call(testDraft, { policyId });
    setState(answer.ok ? { value: answer.value, isRunning: false } : { problem: answer.problem, isRunning: false });
  };
  return { ...state, run };
};

/** The golden cases of the draft, with the results of the saved ones. */
export const Cases = ({ draft }: { draft: DraftState }) => {
  const words = t().cases;
  const { edits, saved, isDirty, canEdit } = draft;
  const test = useTest(saved?.policyId ?? '');
  const [editing, setEditing] = useState<number | undefined>();
  const [isAdding, setAdding] = useState(false);
  if (edits === undefined || saved === undefined) return null;
  const { document, isValid } = edits;
  const cases = listOf(document['goldenCases']).map((goldenCase) => (isRecord(goldenCase) ? goldenCase : {}));
  const results = test.value?.revision === saved.revision ? test.value.cases : [];
  const change = (next: readonly unknown[]) =>
    draft.setDocument(withField(document, 'goldenCases', next.length === 0 ? undefined : next));
  const failed = results.filter(({ passed }) => !passed).length;
  return (
    <Section
      title={words.title}
      actions={
        canEdit && (
          <>
            <button type="button" disabled={!isValid} onClick={() => setAdding(true)}>
              + {words.add}
            </button>
            <button type="button" class="primary" disabled={test.isRunning} onClick={() => void test.run()}>
              {test.isRunning ? words.running : words.run}
            </button>
          </>
        )
      }
    >
      <p class="fine">{words.text}</p>
      {isDirty && <p class="field-warning">{words.save}</p>}
      {test.problem !== undefined && <ProblemNotice problem={test.problem} onRetry={() => void test.run()} />}
      <p role="status">
        {results.length > 0 &&
          (failed === 0
            ? fill(words.allPass, { count: results.length })
            : fill(words.someFail, { failed, count: results.length }))}
      </p>
      {cases.length === 0 && <p class="empty">{words.none}</p>}
      <ul class="plain">
        {cases.map((goldenCase, index) => (
          <Case
            key={index}
            of={goldenCase}
            result={results.find(({ name }) => name === goldenCase['name'])}
            canEdit={canEdit && isValid}
            onEdit={() => setEditing(index)}
            onRemove={() => change(withoutItem(cases, index))}
          />
        ))}
      </ul>
      {isAdding && (
        <AddCase
          onAdd={(goldenCase) => {
            change([...cases, goldenCase]);
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {editing !== undefined && (
        <EditCase
          value={cases[editing] ?? {}}
          onChange={(goldenCase) => {
            change(withItem(cases, editing, goldenCase));
            setEditing(undefined);
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Section>
  );
};
