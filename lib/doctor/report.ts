import type { Check } from './check.ts';

export type Report = {
  /** The worst of its checks. */
  readonly status: 'passed' | 'warning' | 'failed';
  readonly traceId: string;
  readonly checks: readonly Check[];
};

const worst = (checks: readonly Check[]): Report['status'] => {
  const found = new Set(checks.map(({ status }) => status));
  return found.has('failed') ? 'failed' : found.has('warning') ? 'warning' : 'passed';
};

export const reportOf = (traceId: string, checks: readonly Check[]): Report => ({
  status: worst(checks),
  traceId,
  checks,
});
