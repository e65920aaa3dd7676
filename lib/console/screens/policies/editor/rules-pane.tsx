import { useMemo, useRef } from 'preact/hooks';
import { language } from '../../../texts/language.ts';
import { policyWord } from '../../../texts/policy-words.ts';
import { isRecord } from '../../../api/record.ts';
import {
  type Document,
  freeId,
  listOf,
  type Rule,
  rulesOf,
  textOf,
  withField,
  withItem,
  withoutItem,
} from '../document/document.ts';
import { policyTerms } from './comparison.tsx';
import { newEffect } from './effect.tsx';
import type { PlacedFinding } from './findings.ts';
import { RuleCard } from './rule-card.tsx';
import { Settings } from './settings.tsx';
import { t } from './texts.ts';

type Props = {
  readonly document: Document;
  readonly findings: readonly PlacedFinding[];
  readonly canEdit: boolean;
  readonly onChange: (document: Document) => void;
  readonly onShow: (pointer: string) => void;
};

type PlacedRule = { readonly rule: Rule; readonly index: number };

type Latest = { readonly current: Props };

const setRules = (
  { current: { document, onChange } }: Latest,
  next: (rules: readonly unknown[]) => readonly unknown[],
) => onChange(withField(document, 'rules', next(listOf(document['rules']))));

/**
 * A card that is rendered again only when its rule or its findings change: a document may have many rules. A component
 * with the same properties is not rendered at all, so it may read nothing else from the newest document.
 */
const Card = ({
  rule,
  index,
  findings,
  conditions,
  canEdit,
  latest,
}: PlacedRule & Pick<Props, 'findings' | 'canEdit'> & { conditions: unknown; latest: Latest }) =>
  useMemo(
    () => (
      <RuleCard
        rule={rule}
        findings={findings.filter((finding) => finding.rule === rule['id'])}
        namedConditions={isRecord(conditions) ? Object.keys(conditions) : []}
        canEdit={canEdit}
        onChange={(next) => setRules(latest, (rules) => withItem(rules, index, next))}
        onRemove={() => setRules(latest, (rules) => withoutItem(rules, index))}
        onDuplicate={() => {
          const id = freeId(latest.current.document, textOf(rule['id']));
          setRules(latest, (rules) => [...rules, { ...rule, id }]);
        }}
        onShow={(path) => latest.current.onShow(`/rules/${index}${path}`)}
      />
    ),
    [rule, index, findings, conditions, canEdit, language.value],
  );

const Phase = ({
  phase,
  rules,
  canAdd,
  latest,
}: {
  phase: string;
  rules: readonly PlacedRule[];
  canAdd: boolean;
  latest: Latest;
}) => {
  const words = t();
  const { document, findings, canEdit } = latest.current;
  const title = policyWord('phase', phase);
  const add = () => {
    const rule = { id: freeId(latest.current.document, phase), phase, text: '', ...newEffect(phase) };
    setRules(latest, (rules) => [...rules, rule]);
  };
  return (
    <section class="phase" aria-label={title}>
      <header class="section-head">
        <h2>
          {title} {rules.length === 0 && <span class="fine">· {words.noRules}</span>}
        </h2>
        {canAdd && (
          <button type="button" onClick={add}>
            + {words.add}
            <span class="visually-hidden">: {title}</span>
          </button>
        )}
      </header>
      {rules.map(({ rule, index }) => (
        <Card
          key={index}
          rule={rule}
          index={index}
          findings={findings}
          conditions={document['conditions']}
          canEdit={canEdit}
          latest={latest}
        />
      ))}
    </section>
  );
};

/** The rules of a document by phase, in the order of the evaluation. */
export const RulesPane = (props: Props) => {
  const { document, canEdit, onChange } = props;
  // The handlers of a card outlive its rendering, and must change the newest document.
  const latest = useRef(props);
  latest.current = props;
  const rules = rulesOf(document).map((rule, index): PlacedRule => ({ rule, index }));
  const phases = policyTerms.phases.map(({ name }) => name);
  const others = rules.filter(({ rule }) => !phases.includes(textOf(rule['phase'])));
  return (
    <div class="rules-pane">
      <fieldset class="bare" disabled={!canEdit}>
        <Settings document={document} onChange={onChange} />
      </fieldset>
      {phases.map((phase) => (
        <Phase
          key={phase}
          phase={phase}
          rules={rules.filter(({ rule }) => rule['phase'] === phase)}
          canAdd={canEdit}
          latest={latest}
        />
      ))}
      {others.length > 0 && <Phase phase="?" rules={others} canAdd={false} latest={latest} />}
    </div>
  );
};
