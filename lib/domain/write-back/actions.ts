/** What a shop can be asked to do, in the order in which it is asked. */
export const effectActions = [
  'cancel_order',
  'approve',
  'reject',
  'cancel',
  'ship',
  'receive',
  'inspect',
  'close',
  'refund',
] as const;

export type EffectAction = (typeof effectActions)[number];

/** The levels of write-back: decisions, goods, money. A shop without an enabled action is only observed: level 0. */
export const levelOf: Readonly<Record<EffectAction, 1 | 2 | 3>> = {
  cancel_order: 1,
  approve: 1,
  reject: 1,
  cancel: 1,
  close: 1,
  ship: 2,
  receive: 2,
  inspect: 2,
  refund: 3,
};
