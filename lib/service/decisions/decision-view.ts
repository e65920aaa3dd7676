import type { Output } from '../../contract/contract.ts';
import { counterfactuals } from '../../policies/decision/counterfactuals.ts';
import { digestOf } from '../../policies/decision/kept-decision.ts';
import { shownTrace } from '../../policies/decision/shown-trace.ts';
import { lawful } from '../../policies/law/lawful.ts';
import { versionName } from '../../policies/life/version-name.ts';
import { sha256Of } from '../../returns/history/canonical-json.ts';
import type { Language } from '../../returns/languages.ts';
import { configured } from '../../runtime/container.ts';
import { explain } from '../../texts/explain.ts';
import type { ItemNames } from '../../texts/item.ts';
import type { Ruling } from './ruling.ts';
import { termsConfig } from './terms-config.ts';

const config = configured(termsConfig);

type View = NonNullable<Output<'quoteReturn'>['decision']>;

/**
 * What a policy says on the wire, with all that explains it.
 *
 * @param items what the order calls its lines
 */
export const decisionView = (ruling: Ruling, items: ItemNames, language: Language): View => {
  const { terms, statutoryRules } = config();
  const { document, compiled, facts, evaluation } = ruling;
  const held = lawful(evaluation, facts, statutoryRules, terms.floor);
  const { fees, trace, ...said } = held;
  const texts = new Map(document.rules.map(({ id, text }) => [id, text]));
  const { shown, omitted } = shownTrace(trace, texts);
  const view = structuredClone({
    policyId: ruling.policyId,
    policyVersion: versionName(ruling),
    ...said,
    fees: Object.entries(fees).map(([type, fee]) => ({ type, ...fee })),
    explanation: explain({ policy: document, facts, evaluation: held, items }, language),
    counterfactuals: counterfactuals(document, compiled, facts, evaluation),
    trace: shown,
    ...(omitted === 0 ? {} : { omitted }),
    facts,
    factsHash: sha256Of(facts),
    digest: digestOf(evaluation),
  });
  // The copy is nobody else's to change: lists are as the contract has them.
  return view as unknown as View;
};
