import type { FeeType } from '../../../returns/model/refund.ts';
import type { Resolution } from '../../../returns/model/return.ts';
import { isFeeAtMost, isWindowAtLeast } from '../choices.ts';
import type { Circumstances, PublishedFee, PublishedWindow, Statement, StatementOf } from '../statement.ts';

/** The document of a format, those of goods with other terms, and the kinds of statements that it does not hold. */
export type FormattedPolicy = {
  /** For goods that no exception and no exclusion covers. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly exceptions: readonly {
    readonly when: Circumstances;
    readonly document: Readonly<Record<string, unknown>>;
  }[];
  readonly omitted: readonly Statement['kind'][];
};

export const ofKind = <Kind extends Statement['kind']>(
  statements: readonly Statement[],
  kind: Kind,
): readonly StatementOf<Kind>[] =>
  statements.filter((statement): statement is StatementOf<Kind> => statement.kind === kind);

/** Returns the least days in which a consumer may withdraw by law; 0 without such a law. */
const lawfulDays = (statements: readonly Statement[]): number =>
  Math.max(
    0,
    ...ofKind(statements, 'right').flatMap(({ right: { claim, window } }) =>
      claim === 'any' && window !== null && 'days' in window.within ? [window.within.days] : [],
    ),
  );

/**
 * Returns the window that a format without conditions may state. It is a minimum for all goods, and no shorter than the
 * right of withdrawal; undefined when there is none.
 */
export const generalWindow = (statements: readonly Statement[]): PublishedWindow | undefined => {
  const windows = ofKind(statements, 'window');
  const general = windows.find(({ when }) => when === undefined)?.window;
  if (general === undefined || !windows.every(({ window }) => isWindowAtLeast(window, general))) return undefined;
  return general === null || (general.days > 0 && general.days >= lawfulDays(statements)) ? general : undefined;
};

/** Returns whether a window is for all goods, and needs no more words than its days and their start. */
export const isPlainWindow = ({ window, when, except }: StatementOf<'window'>): boolean =>
  when === undefined &&
  except === undefined &&
  (window === null || (window.roll === undefined && window.fallback === undefined));

/** Returns whether circumstances say no more than the currency of an amount, which the amount has itself. */
const isCurrencyOf = ({ amount, cap }: PublishedFee, when: Circumstances | undefined): boolean => {
  const currency = (amount ?? cap)?.currency;
  return (
    when === undefined ||
    (currency !== undefined &&
      when.every((all) =>
        all.every(
          (circumstance) =>
            circumstance.fact === 'order.currency' &&
            'is' in circumstance &&
            circumstance.is.every((value) => value === currency),
        ),
      ))
  );
};

/** Returns the fee of a type that no order of its currency exceeds; undefined when that depends on more. */
export const generalFee = (statements: readonly Statement[], type: FeeType): PublishedFee | undefined => {
  const fees = ofKind(statements, 'fee').filter(({ fee }) => fee.type === type);
  const [first, ...others] = fees.filter(({ fee, when }) => fee.none !== true && isCurrencyOf(fee, when));
  if (others.length > 0) return undefined;
  const general = first?.fee ?? fees.find(({ when }) => when === undefined)?.fee;
  return general !== undefined && fees.every(({ fee }) => isFeeAtMost(fee, general)) ? general : undefined;
};

/** Returns the resolutions that every return may have. */
export const generalResolutions = (statements: readonly Statement[]): readonly Resolution[] => {
  const [first, ...others] = ofKind(statements, 'resolutions');
  if (first === undefined) return [];
  return first.resolutions.filter((resolution) => others.every(({ resolutions }) => resolutions.includes(resolution)));
};

const goodsFacts: ReadonlySet<string> = new Set(['line.categories', 'line.sku', 'line.brand', 'line.finalSale']);

/**
 * Returns the goods that no customer can return, whatever the circumstances are. Where a law lets consumers withdraw, there
 * are none.
 */
export const goodsWithoutReturns = (statements: readonly Statement[]): readonly Circumstances[] => {
  if (ofKind(statements, 'right').length > 0) return [];
  return ofKind(statements, 'exclusion').flatMap(({ when, except }) =>
    when !== undefined && except === undefined && when.every((all) => all.every(({ fact }) => goodsFacts.has(fact)))
      ? [when]
      : [],
  );
};

/**
 * Returns the kinds of statements of which a format holds less than all.
 *
 * @param excluded the goods that have a document of their own
 * @param holds whether the format holds a statement that is no exclusion
 */
export const omittedKinds = (
  statements: readonly Statement[],
  excluded: readonly Circumstances[],
  holds: (statement: Statement) => boolean,
): readonly Statement['kind'][] => {
  const isHeld = (statement: Statement): boolean =>
    statement.kind === 'exclusion'
      ? statement.when !== undefined && excluded.includes(statement.when)
      : holds(statement);
  return [...new Set(statements.filter((statement) => !isHeld(statement)).map(({ kind }) => kind))];
};
