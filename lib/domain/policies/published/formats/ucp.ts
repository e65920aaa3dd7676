import type { Anchor } from '../../policy.ts';
import type { Statement } from '../statement.ts';
import {
  type FormattedPolicy,
  generalFee,
  generalResolutions,
  generalWindow,
  goodsWithoutReturns,
  isPlainWindow,
  omittedKinds,
} from './general-terms.ts';

const type = 'dev.ucp.shopping.policy.return';

const anchors: Readonly<Partial<Record<Anchor, string>>> = {
  delivered: 'delivered',
  placed: 'purchased',
  shipped: 'shipped',
};

const windowTerms = (statements: readonly Statement[]) => {
  const window = generalWindow(statements);
  const anchor = window && anchors[window.anchor];
  return window && anchor !== undefined ? { window: { days: window.days, anchor } } : {};
};

/** The policy does not decide how a refund is paid, so no resolution of theirs stands for it. */
const resolutionTerms = (statements: readonly Statement[]) => {
  const supported = generalResolutions(statements).filter(
    (resolution) => resolution === 'exchange' || resolution === 'store_credit',
  );
  return supported.length === 0 ? {} : { supported_resolutions: supported };
};

/** The fee there is a maximum, so one that a law may remove can be said. */
const restockingTerms = (statements: readonly Statement[]) => {
  const fee = generalFee(statements, 'restocking');
  const bps = fee?.none === true ? 0 : fee?.bps;
  return bps === undefined ? {} : { restocking_fee: { percentage_bps: bps } };
};

/**
 * Returns statements as a return policy of the Universal Commerce Protocol.
 *
 * @param sentences the statements in words: its description, which may say more than its fields
 * @see https://ucp.dev/schemas/shopping/policy_return.json
 */
export const toUcp = (statements: readonly Statement[], sentences: readonly string[]): FormattedPolicy => {
  const document = {
    type,
    description: { plain: sentences.join('\n') },
    ...windowTerms(statements),
    ...resolutionTerms(statements),
    ...restockingTerms(statements),
  };
  const excluded = goodsWithoutReturns(statements);
  const sentenceOf = (when: Statement['when']) =>
    sentences[statements.findIndex((statement) => statement.when === when)] ?? '';
  return {
    document,
    exceptions: excluded.map((when) => ({
      when,
      document: { type, description: { plain: sentenceOf(when) }, final_sale: true },
    })),
    omitted: omittedKinds(statements, excluded, (statement) => {
      if (statement.kind === 'window')
        return isPlainWindow(statement) && statement.window?.seasonal === undefined && 'window' in document;
      return statement.kind === 'fee' && statement.fee.type === 'restocking' && 'restocking_fee' in document;
    }),
  };
};
