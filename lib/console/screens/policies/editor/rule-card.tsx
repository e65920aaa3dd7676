import { useState } from 'preact/hooks';
import { isRecord } from '../../../api/record.ts';
import { Badge } from '../../../components/basics.tsx';
import { conditionWords } from '../../../texts/fact-words.ts';
import { fill } from '../../../texts/fill.ts';
import { comparisonOn, factsOfRule } from '../document/condition.ts';
import { type Rule, textOf, withField } from '../document/document.ts';
import { policyTerms } from './comparison.tsx';
import { Condition } from './condition.tsx';
import { effectWords } from './effect-words.ts';
import { EffectInput } from './effect.tsx';
import { FindingLine } from './finding-line.tsx';
import { type PlacedFinding, RuleFindingsProvider } from './findings.ts';
import { NumberInput, TextInput } from './inputs.tsx';
import { t } from './texts.ts';

type Props = {
  readonly rule: Rule;
  readonly findings: readonly PlacedFinding[];
  readonly namedConditions: readonly string[];
  readonly canEdit: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
  readonly onDuplicate: () => void;
  /** Selects the part of the rule at a path in the JSON. */
  readonly onShow: (path: string) => void;
};

const languages = ['en', 'pt', 'es', 'de', 'fr'];

const Translations = ({ rule, onChange }: Pick<Props, 'rule' | 'onChange'>) => {
  const texts = isRecord(rule['texts']) ? rule['texts'] : {};
  const set = (language: string) => (text: string) => {
    const next = withField(texts, language, text === '' ? undefined : text);
    onChange(withField(rule, 'texts', Object.keys(next).length === 0 ? undefined : next));
  };
  return (
    <details>
      <summary>
        {t().translations} ({Object.keys(texts).join(', ') || '–'})
      </summary>
      {languages.map((language) => (
        <TextInput key={language} label={language} isLong value={textOf(texts[language])} onChange={set(language)} />
      ))}
    </details>
  );
};

const When = ({ rule, namedConditions, onChange }: Pick<Props, 'rule' | 'namedConditions' | 'onChange'>) => {
  const words = t();
  const facts = factsOfRule(rule, policyTerms);
  const { when } = rule;
  return (
    <fieldset>
      <legend>{words.condition}</legend>
      {when === undefined ? (
        <div class="row">
          <span>{words.always}</span>
          <button
            type="button"
            onClick={() => onChange({ ...rule, when: comparisonOn(facts[0] ?? 'requestedAt', policyTerms) })}
          >
            + {words.addCondition}
          </button>
        </div>
      ) : (
        <>
          <Condition
            value={when}
            path="/when"
            names={{ facts, conditions: namedConditions }}
            onChange={(next) => onChange({ ...rule, when: next })}
          />
          <button type="button" class="link-button" onClick={() => onChange(withField(rule, 'when', undefined))}>
            {words.removeCondition}
          </button>
        </>
      )}
    </fieldset>
  );
};

const Form = (props: Props) => {
  const { rule, canEdit, onChange, onRemove, onDuplicate } = props;
  const words = t();
  const set = (name: string) => (value: unknown) => onChange(withField(rule, name, value));
  return (
    <fieldset class="rule-form" disabled={!canEdit}>
      <div class="pair">
        <TextInput label={words.id} value={textOf(rule['id'])} onChange={set('id')} />
        <NumberInput label={words.priority} value={rule['priority']} onChange={set('priority')} />
      </div>
      <TextInput label={words.text} isLong value={textOf(rule['text'])} onChange={set('text')} />
      <Translations rule={rule} onChange={onChange} />
      <EffectInput rule={rule} onChange={onChange} />
      <When rule={rule} namedConditions={props.namedConditions} onChange={onChange} />
      {canEdit && (
        <div class="actions">
          <button type="button" onClick={onDuplicate}>
            {words.duplicate}
          </button>
          <button type="button" class="danger" onClick={onRemove}>
            {words.removeRule}
          </button>
        </div>
      )}
    </fieldset>
  );
};

/** A rule: its sentence, and its inputs when it is open. The inputs of closed rules do not exist. */
export const RuleCard = (props: Props) => {
  const { rule, findings, onShow } = props;
  const [isOpen, setOpen] = useState(false);
  const words = t();
  const isBad = findings.some(({ severity }) => severity === 'error');
  return (
    <details class="rule-card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{textOf(rule['id'])}</code>{' '}
        {findings.length > 0 && (
          <Badge tone={isBad ? 'bad' : 'warning'}>{fill(words.findings, { count: findings.length })}</Badge>
        )}
        <strong>{effectWords(rule)}</strong>
        <span class="rule-when">
          {words.when}: {rule['when'] === undefined ? words.always : conditionWords(rule['when'])}
        </span>
        {findings.map((finding) => (
          <FindingLine key={`${finding.code}${finding.within}`} of={finding} place={finding.within} />
        ))}
      </summary>
      {isOpen && (
        <RuleFindingsProvider value={findings}>
          <div class="actions show-in-json">
            {[{ code: '', within: '' }, ...findings.filter(({ within }) => within !== '')].map(({ code, within }) => (
              <button key={`${code}${within}`} type="button" class="link-button" onClick={() => onShow(within)}>
                {words.showInJson} {within !== '' && <code>{within}</code>}
              </button>
            ))}
          </div>
          <Form {...props} />
        </RuleFindingsProvider>
      )}
    </details>
  );
};
