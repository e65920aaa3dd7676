import type { Money, Instant } from '../returns/model/order.ts';
import { type EffectAction, effectActions } from './actions.ts';

/** `off`: the shop is only observed. `shadow`: what people do there is compared. `on`: the shop is asked. */
export type ActionMode = 'off' | 'shadow' | 'on';

/** Who changed a setting: a client, and the user who was signed in. */
export type SettingAuthor = { readonly clientId: string; readonly user?: { readonly id: string } };

/** What a shop may be asked to do. The shop is named by the platform of its orders. */
export type WriteBackSetting = {
  readonly platform: string;
  readonly version: number;
  readonly actions: Readonly<Partial<Record<EffectAction, ActionMode>>>;
  /** Stops all actions at once, and keeps them for later. */
  readonly isStopped: boolean;
  /** The most that the shop pays at our word on one day in UTC, for each currency. No other currency is paid. */
  readonly dailyRefunds: readonly Money[];
  /** A first person has asked for refunds by the shop. A second one must ask for the same. */
  readonly refundsRequested?: {
    readonly by: SettingAuthor;
    readonly at: Instant;
    readonly dailyRefunds: readonly Money[];
  };
  readonly updatedAt: Instant;
  readonly updatedBy: SettingAuthor;
};

/** Returns the mode of an action at a shop. */
export const modeOf = (setting: WriteBackSetting | undefined, action: EffectAction): ActionMode =>
  setting === undefined || setting.isStopped ? 'off' : (setting.actions[action] ?? 'off');

/** Returns the most that the shop pays at our word on one day, in minor units: 0 for a currency without a limit. */
export const dailyLimitOf = (setting: WriteBackSetting | undefined, currency: string): number =>
  setting?.dailyRefunds.find((limit) => limit.currency === currency)?.amount ?? 0;

const isSamePerson = (first: SettingAuthor, second: SettingAuthor): boolean =>
  first.user === undefined || second.user === undefined
    ? first.clientId === second.clientId
    : first.user.id === second.user.id;

/** The wanted setting of a shop, as a caller states it. */
export type WantedSetting = Pick<WriteBackSetting, 'actions' | 'isStopped' | 'dailyRefunds'>;

/** Whether all limits are at most the present ones. */
const isWithin = (wanted: readonly Money[], present: readonly Money[]): boolean =>
  wanted.every(({ amount, currency }) =>
    present.some((limit) => limit.currency === currency && amount <= limit.amount),
  );

const isSameLimits = (first: readonly Money[], second: readonly Money[]): boolean =>
  first.length === second.length && isWithin(first, second) && isWithin(second, first);

const withoutOff = (actions: WantedSetting['actions']): WantedSetting['actions'] =>
  Object.fromEntries(
    effectActions.flatMap((action) => {
      const mode = actions[action];
      return mode === undefined || mode === 'off' ? [] : [[action, mode]];
    }),
  );

/**
 * Changes what a shop may be asked to do. Refunds by the shop, and a higher limit for them, need two persons: the first
 * one asks, and another one asks for the same limits. Until then refunds stay as they are. Every other change counts at
 * once. `refundsRequested` of the result says that a second person is needed.
 */
export const changeSetting = (
  before: WriteBackSetting | undefined,
  platform: string,
  wanted: WantedSetting,
  by: SettingAuthor,
  at: Instant,
): WriteBackSetting => {
  const { actions: present = {}, dailyRefunds: limits = [], refundsRequested: requested, version = 0 } = before ?? {};
  const isAllowed = present.refund === 'on' && isWithin(wanted.dailyRefunds, limits);
  const isRequested = requested !== undefined && isSameLimits(requested.dailyRefunds, wanted.dailyRefunds);
  const isSecond = isRequested && !isSamePerson(requested.by, by);
  const changed = { platform, version: version + 1, isStopped: wanted.isStopped, updatedAt: at, updatedBy: by };
  if (wanted.actions.refund !== 'on' || isAllowed || isSecond)
    return { ...changed, actions: withoutOff(wanted.actions), dailyRefunds: wanted.dailyRefunds };
  const { refund: _, ...others } = wanted.actions;
  return {
    ...changed,
    actions: withoutOff({ ...others, ...(present.refund !== undefined && { refund: present.refund }) }),
    dailyRefunds: limits,
    refundsRequested: isRequested ? requested : { by, at, dailyRefunds: wanted.dailyRefunds },
  };
};
