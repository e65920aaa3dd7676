import { modes, type Mode } from './functions/function-row.ts';

/** An alarm on a metric that the functions write to their logs. */
export type MetricAlarm = {
  readonly modes: readonly Mode[];
  readonly description: string;
  /** Seconds. The alarm fires after one period with a count. */
  readonly period: number;
};

/** The alarms by their metric. `ChainBroken` makes ChainBrokenAlarm. */
export const metricAlarms: Readonly<Record<string, MetricAlarm>> = {
  CertificateNotAdopted: {
    modes: ['connected'],
    description:
      'The current client certificate is unusable, or the API rejects it; the previous one serves until it expires',
    // A container reads its secret every 12 to 18 minutes.
    period: 1800,
  },
  ClientRejected: {
    modes: ['connected'],
    description:
      'The token endpoint rejects all versions of the client secret, a scope or the grant; see `reasons` of the metric line',
    period: 300,
  },
  CertificateInvalid: {
    modes: ['connected'],
    description: 'No token: the client certificate has expired, is unusable, or is rejected by the token endpoint',
    period: 300,
  },
  VerificationLate: {
    modes,
    description:
      'Not all histories were verified within VerifyCircleDays; give verifyChains more time or the table more capacity',
    period: 3600,
  },
  ChainBroken: {
    modes,
    description:
      'A history was changed or damaged, or returns are missing; the log names the return, the code and the sequence',
    period: 900,
  },
};
