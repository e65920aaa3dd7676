import { subjectOf } from '../../domain/events/cloud-event.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { isObject } from '../../runtime/json.ts';
import { errorName, log } from '../../runtime/log.ts';
import { maxValues } from '../../runtime/metric-line.ts';
import { count, currencyDimensions, writeMetrics } from '../../runtime/metrics.ts';
import { limitSession, type Session } from '../../store/engine/session.ts';
import { readReturns } from '../../store/returns/returns.ts';

/*
 * Metrics of the business, from domain events. The publisher that appends an event to its partition measures it. No
 * other one can append it, so a repeated record of the table's stream measures nothing again. A publisher that dies
 * between the append and the line leaves the event out: a metric is at most once.
 */

/** An event that this publisher has appended. */
export type AppendedEvent = { readonly stream: string; readonly domainEvent: DomainEvent };

/** The counts by event type. A recorded refund was paid outside this service, so it has succeeded too. */
const countedTypes: Readonly<Record<string, string>> = {
  'return.requested': 'ReturnsRequested',
  'return.approved': 'ReturnsApproved',
  'refund.succeeded': 'RefundsBooked',
  'refund.recorded': 'RefundsBooked',
};

const metricOf = ({ domainEvent }: AppendedEvent): string | undefined => countedTypes[domainEvent.type];

/** The limit of a read for metrics. The publisher needs the rest of its time to notify subscriptions. */
const readMs = 1_000;

/** A refund whose money has moved; `amount` is in minor units. */
type PaidRefund = { readonly amount: number; readonly currency: string; readonly hours: number };

/** The id of the refund that an event is about. */
const refundIdOf = ({ data }: DomainEvent): unknown => {
  const { refundId, refund } = data as { readonly refundId?: unknown; readonly refund?: unknown };
  return refundId ?? (isObject(refund) ? refund['id'] : undefined);
};

const hourMs = 3_600_000;

/** Returns the hours between two instants with two decimals; 0 when the refund was paid before the return. */
const hoursBetween = (from: string, to: string): number =>
  Math.max(0, Math.round(((Date.parse(to) - Date.parse(from)) / hourMs) * 100) / 100);

/** Reads the refunds of some events. The event of a result names the refund without its amount. */
const readPaidRefunds = async (session: Session, events: readonly AppendedEvent[]): Promise<readonly PaidRefund[]> => {
  const returns = await readReturns(session, [...new Set(events.map(({ stream }) => subjectOf(stream)))]);
  return events.flatMap(({ stream, domainEvent }): PaidRefund[] => {
    const state = returns.get(subjectOf(stream));
    const id = refundIdOf(domainEvent);
    const refund = state?.refunds.find((candidate) => candidate.id === id);
    if (state === undefined || refund === undefined) return [];
    const hours = hoursBetween(state.requestedAt, refund.occurredAt ?? domainEvent.at);
    return [{ ...refund.amount, hours }];
  });
};

const inLines = (values: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(values.length / maxValues) }, (_, index) =>
    values.slice(index * maxValues, (index + 1) * maxValues),
  );

const measureRefunds = (refunds: readonly PaidRefund[]): void => {
  for (const values of inLines(refunds.map(({ hours }) => hours)))
    writeMetrics([{ name: 'HoursToRefund', unit: 'None', values }]);
  for (const [currency, same] of Map.groupBy(refunds, (refund) => refund.currency))
    for (const values of inLines(same.map(({ amount }) => amount)))
      writeMetrics([{ name: 'RefundedAmount', unit: 'None', values }], currencyDimensions(currency));
};

/**
 * Writes metrics of events: counts, and of paid refunds the amounts by currency and the hours since the request.
 *
 * It never throws. The events are published, so a failed or slow read of refunds only leaves out their amounts.
 */
export const measureEvents = async (session: Session, events: readonly AppendedEvent[]): Promise<void> => {
  const counted = events.filter((event) => metricOf(event) !== undefined);
  if (counted.length === 0) return;
  const counts = [...Map.groupBy(counted, metricOf)].map(([name = '', same]) => [name, same.length] as const);
  count(Object.fromEntries(counts));
  const paid = counted.filter((event) => metricOf(event) === 'RefundsBooked');
  if (paid.length === 0) return;
  using limited = limitSession(session, readMs);
  try {
    measureRefunds(await readPaidRefunds(limited, paid));
  } catch (error) {
    log('warn', 'refunds not measured', { refunds: paid.length, error: errorName(error) });
  }
};
