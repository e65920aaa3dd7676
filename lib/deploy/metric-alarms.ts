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
  CertificateKeptBack: {
    modes: ['connected'],
    description: "The secret's current client certificate cannot be used; the one before it stays in use until it ends",
    // A container reads its secret every 12 to 18 minutes.
    period: 1800,
  },
  ClientRejected: {
    modes: ['connected'],
    description:
      'The token endpoint refuses this client for good, by its secret, a scope or the grant; the reasons in the log say which',
    period: 300,
  },
  CertificateInvalid: {
    modes: ['connected'],
    description:
      'No token for want of a client certificate, which has expired, cannot be used, or is refused by the token endpoint',
    period: 300,
  },
  CircleLate: {
    modes,
    description:
      'Not all histories were verified within VerifyCircleDays; give verifyChains more time, or the table more capacity',
    period: 3600,
  },
  ChainBroken: {
    modes,
    description: 'The history of a return was tampered with or is damaged; the log says which, and where it breaks',
    period: 900,
  },
};
