import { useState } from 'preact/hooks';
import { getDecision } from '../../../../contract/operations.ts';
import { call } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { common } from '../../../texts/common.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import type { Members } from '../document/document.ts';
import { type CaseForm, caseOf } from '../document/new-case.ts';
import { NumberInput, SelectInput, TextInput } from '../editor/inputs.tsx';
import { t } from './texts.ts';

type Props = { readonly onAdd: (goldenCase: Members) => void };

const FromDecision = ({ onAdd }: Props) => {
  const words = t().cases;
  const [decisionId, setId] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>();
  const [isBusy, setBusy] = useState(false);
  const read = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await call(getDecision, { decisionId: decisionId.trim() });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    const { facts, verdict, lines } = answer.value;
    const expect = { verdict, lines: lines.map((line) => ({ verdict: line.verdict })) };
    return onAdd({ name: name.trim() || decisionId.trim(), facts, expect });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void read();
      }}
    >
      <fieldset>
        <legend>{words.fromDecision}</legend>
        <p class="field-hint">{words.fromDecisionHint}</p>
        <div class="pair">
          <TextInput label={words.decisionId} value={decisionId} onChange={setId} />
          <TextInput label={words.name} value={name} onChange={setName} />
        </div>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <button type="submit" class="primary" disabled={isBusy || decisionId.trim() === ''}>
          {words.fetch}
        </button>
      </fieldset>
    </form>
  );
};

const emptyForm: CaseForm = {
  name: '',
  platform: 'web',
  country: '',
  currency: 'EUR',
  value: 2999,
  sku: 'SHIRT-M',
  reason: 'fit.too_small',
  daysSince: 10,
  verdict: 'approved',
};

const ByHand = ({ onAdd }: Props) => {
  const words = t().cases;
  const [form, setForm] = useState(emptyForm);
  const set =
    <Name extends keyof CaseForm>(name: Name) =>
    (value: CaseForm[Name]) =>
      setForm({ ...form, [name]: value });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(caseOf(form, Date.now()));
      }}
    >
      <fieldset>
        <legend>{words.form}</legend>
        <TextInput label={words.name} value={form.name} onChange={set('name')} />
        <div class="pair">
          <TextInput label={words.sku} value={form.sku} onChange={set('sku')} />
          <TextInput label={common().reason} value={form.reason} onChange={set('reason')} />
          <NumberInput label={words.value} value={form.value} onChange={(value = 0) => set('value')(value)} />
          <TextInput label={common().currency} value={form.currency} onChange={set('currency')} />
          <TextInput label={words.country} value={form.country} onChange={set('country')} />
          <TextInput label={common().platform} value={form.platform} onChange={set('platform')} />
          <NumberInput
            label={words.daysSince}
            value={form.daysSince}
            onChange={(value = 0) => set('daysSince')(value)}
          />
          <SelectInput
            label={words.verdict}
            value={form.verdict}
            choices={['approved', 'rejected', 'needs_review'].map((code) => [code, policyWord('verdict', code)])}
            onChange={set('verdict')}
          />
        </div>
        <button type="submit" class="primary" disabled={form.name.trim() === ''}>
          {words.add}
        </button>
      </fieldset>
    </form>
  );
};

/** Adds a golden case: from a stored decision, or by hand. */
export const AddCase = ({ onAdd, onClose }: Props & { onClose: () => void }) => (
  <Dialog title={t().cases.add} onClose={onClose} wide>
    <div class="stack">
      <FromDecision onAdd={onAdd} />
      <ByHand onAdd={onAdd} />
    </div>
  </Dialog>
);
