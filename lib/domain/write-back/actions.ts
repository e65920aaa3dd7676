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
