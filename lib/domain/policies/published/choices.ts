import type { FeeType } from '../../returns/model/refund.ts';
import type { Terms } from '../../returns/model/terms.ts';
import type { StatutoryRule } from '../law/statutory-rules.ts';
import type { FeeTerms, WindowTerms } from '../policy.ts';
import { daysAfter } from '../time/calendar.ts';
import { type ReadRule, rulesOf, type Said, stateChoice } from './read-rules.ts';
import type { TextScope } from './scope.ts';
import type { Circumstances, PublishedFee, PublishedWindow } from './statement.ts';

type Seasons = NonNullable<WindowTerms['seasonal']>;

const seasonsAtLeast = (seasons: Seasons = [], stated: Seasons = []): boolean =>
  stated.every(({ from, to, until }) =>
    seasons.some((season) => season.from <= from && season.to >= to && season.until >= until),
  );

/** Returns whether a window ends no earlier than a stated one, for all facts. The undisclosed days do not count. */
export const isWindowAtLeast = (window: PublishedWindow, stated: PublishedWindow): boolean => {
  if (window === null || stated === null) return window === null;
  if (window.anchor !== stated.anchor || window.days < stated.days) return false;
  const { fallback } = stated;
  const isFallback =
    fallback === undefined || (window.fallback?.anchor === fallback.anchor && window.fallback.days >= fallback.days);
  const isRolled = stated.roll !== 'next_working_day' || window.roll === 'next_working_day';
  return isFallback && isRolled && seasonsAtLeast(window.seasonal, stated.seasonal);
};

/** Returns a window without its undisclosed days, and without seasons that ended before the orders of a scope. */
const publishedWindow = (
  { anchor, days, roll, fallback, seasonal }: WindowTerms,
  { from }: TextScope,
): PublishedWindow => {
  // In the time zone of an order, its day may be the one before.
  const first = daysAfter(from.slice(0, 10), -1);
  const seasons = seasonal?.filter(({ to }) => to >= first) ?? [];
  return {
    anchor,
    days,
    ...(roll === 'next_working_day' ? { roll } : {}),
    ...(fallback === undefined ? {} : { fallback }),
    ...(seasons.length === 0 ? {} : { seasonal: seasons }),
  };
};

/**
 * States the return windows. Without a rule, returns have no time limit.
 *
 * @param except where an allow list exempts the window
 */
export const stateWindows = (rules: readonly ReadRule[], scope: TextScope, except: Circumstances): Said => {
  const windows = rulesOf(rules, 'window');
  const options = windows.map(({ rule, reading }) => ({ outcome: publishedWindow(rule.window, scope), reading }));
  const unlimited = { outcome: null, reading: 'always' } as const;
  const { statements, omitted } = stateChoice(
    'window',
    [...options, unlimited],
    { isAtLeast: isWindowAtLeast, say: (window) => ({ kind: 'window', window }) },
    except,
  );
  const hasGrace = windows.some(({ rule }) => (rule.window.graceDays ?? 0) > 0);
  return { statements, omitted: hasGrace ? [...omitted, { kind: 'window', why: 'undisclosed' }] : omitted };
};

/** Returns whether a fee is at most a stated one. Amounts of other currencies are not compared. */
export const isFeeAtMost = (fee: PublishedFee, stated: PublishedFee): boolean => {
  if (fee.none === true) return true;
  if (stated.none === true) return false;
  if ((fee.bps ?? 0) > (stated.bps ?? 0)) return false;
  const isAmount =
    fee.amount === undefined ||
    (fee.amount.currency === stated.amount?.currency && fee.amount.amount <= stated.amount.amount);
  const isCapped =
    stated.cap === undefined || (fee.cap?.currency === stated.cap.currency && fee.cap.amount <= stated.cap.amount);
  return isAmount && isCapped;
};

const publishedFee = (fee: FeeTerms, removedBy: readonly string[]): PublishedFee => {
  const { type, bps, amount, cap } = fee;
  const isFree = type !== 'promotion' && ((bps ?? amount?.amount ?? 0) === 0 || cap?.amount === 0);
  return isFree ? { type, none: true } : { ...fee, ...(removedBy.length === 0 ? {} : { removedBy }) };
};

/** Returns the terms of a fee without a rule; undefined for an amount, which has no currency there. */
const feeOfDeployment = (type: FeeType, fees: Terms['fees']): FeeTerms | undefined => {
  if (type === 'inspection') return { type, bps: fees.inspectionCapBps };
  if (type === 'restocking') return fees.restockingCap === null ? { type, bps: fees.restockingBps } : undefined;
  return fees.returnShipping === 0 ? { type } : undefined;
};

const feeTypes = ['return_shipping', 'restocking', 'inspection', 'promotion'] as const satisfies readonly FeeType[];

/**
 * States the fees of each type. The terms of the deployment apply without a rule.
 *
 * @param laws the statutory rules of the country
 * @param defaults the terms of the deployment; their floor protects every line
 */
export const stateFees = (
  rules: readonly ReadRule[],
  laws: readonly StatutoryRule[],
  { fees, floor }: Pick<Terms, 'fees' | 'floor'>,
): readonly Said[] =>
  feeTypes.map((type) => {
    const allows = (of: { readonly fees: readonly FeeType[] }): boolean => of.fees.includes(type);
    const removedBy = laws.filter((law) => !allows(law)).map(({ law }) => law);
    const none: PublishedFee = { type, none: true };
    if (floor !== null && !allows(floor)) return { statements: [{ kind: 'fee', fee: none }], omitted: [] };
    const options = rulesOf(rules, 'fee')
      .filter(({ rule }) => rule.fee.type === type)
      .map(({ rule, reading }) => ({ outcome: publishedFee(rule.fee, removedBy), reading }));
    const isCharged = type !== 'promotion' || fees.promotion === true;
    const terms = feeOfDeployment(type, fees);
    const outcome = isCharged ? terms && publishedFee(terms, removedBy) : none;
    return stateChoice<PublishedFee | undefined>('fee', [...options, { outcome, reading: 'always' }], {
      isAtLeast: (fee, stated) => fee !== undefined && stated !== undefined && isFeeAtMost(fee, stated),
      say: (fee) => fee && { kind: 'fee', fee },
    });
  });
