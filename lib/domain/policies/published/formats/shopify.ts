import type { Anchor } from '../../policy.ts';
import type { Statement } from '../statement.ts';
import { type FormattedPolicy, generalWindow, isPlainWindow, ofKind, omittedKinds } from './general-terms.ts';

const anchors: Readonly<Partial<Record<Anchor, string>>> = {
  delivered: 'ITEM_DELIVERY_DATE',
  last_item_delivered: 'LAST_ITEM_DELIVERY_DATE',
};

/** Whether an exclusion covers everything. */
const isWithoutReturns = (statements: readonly Statement[]): boolean =>
  ofKind(statements, 'exclusion').some(({ when, except }) => when === undefined && except === undefined);

type ReturnRules = {
  readonly canAcceptReturns?: boolean;
  /** -1 is no limit. */
  readonly returnWindowDays?: number;
  readonly returnWindowStartingFrom?: string;
  readonly extendWindowToBusinessDay?: boolean;
};

const returnRules = (statements: readonly Statement[]): ReturnRules => {
  // The right of withdrawal stands beside an exclusion, and has no field there.
  if (isWithoutReturns(statements)) return ofKind(statements, 'right').length === 0 ? { canAcceptReturns: false } : {};
  const window = generalWindow(statements);
  if (window === null) return { canAcceptReturns: true, returnWindowDays: -1 };
  const start = window && anchors[window.anchor];
  if (window === undefined || start === undefined) return {};
  return {
    canAcceptReturns: true,
    returnWindowDays: window.days,
    returnWindowStartingFrom: start,
    extendWindowToBusinessDay: window.roll === 'next_working_day',
  };
};

/**
 * Returns statements as the return rules of a return policy profile of Shopify. Staff enters them there, because its API
 * only reads them.
 *
 * @see https://shopify.dev/docs/api/admin-graphql/2026-10/objects/ReturnPoliciesReturnRules
 */
export const toShopify = (statements: readonly Statement[]): FormattedPolicy => {
  const document = returnRules(statements);
  // Where nothing can be returned, each exclusion is said.
  const others =
    document.canAcceptReturns === false ? statements.filter(({ kind }) => kind !== 'exclusion') : statements;
  return {
    document,
    exceptions: [],
    omitted: omittedKinds(others, [], (statement) => {
      if (statement.kind !== 'window' || document.returnWindowDays === undefined) return false;
      const { window } = statement;
      if (window === null) return isPlainWindow(statement);
      const { roll: _, ...plain } = window;
      return plain.seasonal === undefined && isPlainWindow({ ...statement, window: plain });
    }),
  };
};
