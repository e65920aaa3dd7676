/** The benches, in the order in which they run. */
export const benchNames = [
  'warm',
  'validate',
  'policy',
  'backtest',
  'growth',
  'list',
  'commands',
  'webhook',
  'write-back',
  'console',
  'stack',
  'cold',
  'token-size',
  'token-cold',
  'token-counts',
  'token-faults',
  'token-warm',
  'guard',
] as const;

export type BenchName = (typeof benchNames)[number];
