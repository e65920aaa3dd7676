import type { Output } from '../../../../contract/contract.ts';
import { fillText, type Text } from '../../../texts/catalogue.ts';
import portuguese from '../../../texts/findings/pt.json' with { type: 'json' };

export type Finding = Output<'lintDraft'>['findings'][number];

/** What lint found; the rule is the one that shows it. */
export type ShownFinding = Pick<Finding, 'code' | 'message' | 'severity' | 'rules' | 'values'> & {
  readonly rule?: string;
};

/** The English texts are the messages of the service. */
const texts: Readonly<Record<string, Text>> = portuguese;

/** Returns the Portuguese text of a finding; undefined for an error of a field, which has none. */
export const portugueseFinding = ({
  code,
  rules = [],
  rule = rules[0],
  values = {},
}: ShownFinding): string | undefined => {
  const text = texts[code];
  if (text === undefined) return undefined;
  const others = rules.filter((id) => id !== rule);
  const count = others.length + Object.keys(values).length;
  return fillText(text, { ...values, others: others.join(', '), count }, 'pt');
};
