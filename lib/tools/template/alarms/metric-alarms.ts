import { modes } from '../functions/function-row.ts';
import { writeBackCondition } from '../permissions/table.ts';
import { type AlarmRow, type Metric, ofDeployment, twoOfThree } from './alarm.ts';

/* The alarms on metrics that the functions write. */

/** By default, one period with a count above 0 rings. */
type Count = Pick<AlarmRow, 'modes' | 'severity' | 'description' | 'period'> &
  Partial<
    Pick<AlarmRow, 'of' | 'condition' | 'onlyAdapters' | 'rings' | 'threshold' | 'evaluationPeriods' | 'datapoints'>
  > & {
    /** @default 'Sum' */
    readonly statistic?: Metric['statistic'];
  };

/** The alarms on a metric of the functions, by the name of the metric. */
const ofMetrics = (counts: Readonly<Record<string, Count>>): Readonly<Record<string, AlarmRow>> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, { statistic = 'Sum', ...count }]) => [
      name,
      {
        threshold: 0,
        evaluationPeriods: 1,
        ...count,
        signal: { kind: 'metric', metric: ofDeployment(name, statistic) },
      },
    ]),
  );

/** The metrics of access to the Returns Service, which the connected mode has. */
const accessAlarms = ofMetrics({
  TokenDenied: {
    modes: ['connected'],
    severity: 'critical',
    description: 'Calls of the Returns Service fail, because the deployment has no valid token',
    threshold: 5,
    ...twoOfThree,
  },
  ClientRejected: {
    modes: ['connected'],
    severity: 'critical',
    description:
      'The token endpoint rejects all versions of the client secret, a scope or the grant; see `reasons` of the metric line',
    period: 300,
  },
  CertificateInvalid: {
    modes: ['connected'],
    severity: 'critical',
    description: 'No token: the client certificate has expired, is unusable, or is rejected by the token endpoint',
    period: 300,
  },
  CertificateExpired: {
    modes: ['connected'],
    severity: 'critical',
    description: 'The client certificate in use has expired',
    period: 300,
  },
  CertificateDaysLeft: {
    modes: ['connected'],
    severity: 'warning',
    description: 'The client certificate in use expires within 21 days',
    statistic: 'Minimum',
    rings: 'below',
    threshold: 21,
    // A container writes it at most once an hour. An old value must not outlive a renewal for long.
    period: 21_600,
  },
  CertificateNotAdopted: {
    modes: ['connected'],
    severity: 'warning',
    description:
      'The current client certificate is unusable, or the API rejects it; the previous one serves until it expires',
    // A container reads its secret every 12 to 18 minutes.
    period: 1800,
  },
  SecretNotAdopted: {
    modes: ['connected'],
    severity: 'warning',
    description: 'The current version of the client secret is unusable; the previous one serves',
    period: 1800,
  },
});

/** The metrics of an adapter. */
const adapterAlarms = ofMetrics({
  UnknownState: {
    modes: ['connected'],
    onlyAdapters: true,
    severity: 'warning',
    description:
      'The Returns Service has a state that its adapter does not know; the log has the word; add it to `states` of the adapter',
    period: 3600,
  },
});

/** The metrics of returns, refunds, withdrawals, histories, erasures and subscriptions. */
const returnAlarms = ofMetrics({
  ChainBroken: {
    modes,
    of: 'verifyChains',
    severity: 'critical',
    description:
      'A history was changed or damaged, or differs from the last root; the log names the return, the code and the sequence',
    period: 900,
  },
  VerificationLate: {
    modes,
    of: 'verifyChains',
    severity: 'warning',
    description:
      'Not all histories were verified within VerifyCircleDays; give verifyChains more time or the table more capacity',
    period: 3600,
  },
  RefundsOverdue: {
    modes,
    of: 'remindRefunds',
    severity: 'warning',
    description: 'Refunds are not paid by their legal date',
    statistic: 'Maximum',
    // remindRefunds writes it every 15 minutes.
    period: 3600,
  },
  WithdrawalsForStaff: {
    modes: ['standalone'],
    severity: 'warning',
    description:
      'Staff must match a withdrawal: its order has another name, none, or several orders fit; the log names the withdrawal and the reason',
    // matchWithdrawals counts it with each read, and reads again in growing pauses.
    period: 3600,
  },
  IntentsParked: {
    modes: ['standalone'],
    of: 'sweepIntents',
    condition: writeBackCondition,
    severity: 'warning',
    description: 'People must decide what to do at a shop; listIntents with status=parked says where and why',
    statistic: 'Maximum',
    // sweepIntents writes it every minute.
    period: 300,
  },
  ErasuresStuck: {
    modes: ['standalone'],
    severity: 'warning',
    description: 'An erasure of personal data is not complete after a day',
    statistic: 'Maximum',
    // An hourly schedule writes it. Two hours always hold one value.
    period: 7200,
  },
  SubscriptionsMissing: {
    modes,
    of: 'reconcilePlatforms',
    severity: 'warning',
    description:
      'A shop has lost or stopped a subscription, and its token may not repair it; the log names the shop, the topics and the reason',
    statistic: 'Maximum',
    // reconcilePlatforms checks each shop once an hour. Two hours always hold one value.
    period: 7200,
  },
});

/** The alarms on metrics of the functions, by the names of the metrics. */
export const metricAlarms = { ...accessAlarms, ...adapterAlarms, ...returnAlarms };
