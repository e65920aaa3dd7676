import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import type { Result } from '../../../lib/contract/result.ts';
import { measureEvents } from '../../../lib/service/outbox/business-metrics.ts';
import { publishTableRecords } from '../../../lib/service/outbox/publish-events.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDomainEvents } from '../../../lib/store/events/outbox.ts';
import { backendCall } from '../../support/backend-call.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { metricLinesOf, metricsIn } from '../../support/metric-format.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { domainEventOf, streamOf } from './support.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
setEnvironment({ AWS_LAMBDA_FUNCTION_NAME: 'returns-unit-publishEvents' });
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});

let log: string[] = [];
beforeEach(() => {
  log = [];
  hearLines((line) => log.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  restoreEnvironment();
});

const valueOf = <Body>(result: Result<{ readonly body: Body }>): Body => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value.body;
};

/** Creates an approved return of one unit with this price, and receives it. */
const receivedReturn = async (amount: number, currency = 'EUR') => {
  const order = { platform: 'web', orderId: randomUUID() };
  const line = { lineId: '1', sku: 'SHIRT', quantity: 1, unitPrice: { amount, currency } };
  const observedAt = '2026-11-02T00:00:00Z';
  valueOf(await backend.registerOrder({ ...order, currency, lines: [line], observedAt }, backendCall()));
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const { returnId } = valueOf(await backend.createReturn({ order, lines }, backendCall()));
  const approved = valueOf(await backend.approve({ returnId }, backendCall()));
  const units = approved.lines.map(({ lineId }) => ({ lineId, quantity: 1 }));
  valueOf(await backend.receive({ returnId, lines: units }, backendCall()));
  const inspected = units.map((one) => ({ ...one, outcome: 'accept' as const, disposition: 'restock' as const }));
  valueOf(await backend.inspect({ returnId, lines: inspected }, backendCall()));
  return { order, returnId };
};

/** Refunds all of a return, and reports that the money has moved. */
const refundAll = async (returnId: string): Promise<Output<'recordRefundResult'>> => {
  const { refunds } = valueOf(await backend.refund({ returnId }, backendCall()));
  const refundId = refunds[0]?.refundId ?? '';
  valueOf(await backend.recordRefundResult({ returnId, refundId, status: 'submitted' }, backendCall()));
  return valueOf(await backend.recordRefundResult({ returnId, refundId, status: 'succeeded' }, backendCall()));
};

/** Delivers the records of all events of a return, as the stream of the table does. */
const deliver = async (returnId: string) => {
  const stream = `RETURN#${returnId}`;
  const events = await readDomainEvents(session, stream, 0, 9_999);
  const records = events.map(({ sequence }) => ({ stream, sequence }));
  expect(await publishTableRecords(streamOf(records), contextWith())).toEqual({ batchItemFailures: [] });
};

const metrics = () => metricLinesOf(log.join('')).map(metricsIn);
/** Returns all values of a metric, with the dimensions of their line. */
const valuesOf = (name: string) =>
  metrics().flatMap(({ dimensions, metrics: { [name]: values } }) => values?.map((value) => [dimensions, value]) ?? []);
const total = [{ Deployment: 'returns-unit' }];

describe('metrics of the business', () => {
  it('add 1234 to RefundedAmount of EUR for a refund of 12.34 EUR once, though each record arrives twice', async () => {
    const { returnId } = await receivedReturn(1234);
    await refundAll(returnId);
    await Promise.all([deliver(returnId), deliver(returnId)]);
    await deliver(returnId);
    expect(valuesOf('RefundedAmount')).toEqual([[[{ Deployment: 'returns-unit', Currency: 'EUR' }], 1234]]);
    expect(valuesOf('RefundsBooked')).toEqual([[total, 1]]);
    expect(valuesOf('ReturnsRequested')).toEqual([[total, 1]]);
    expect(valuesOf('ReturnsApproved')).toEqual([[total, 1]]);
    expect(valuesOf('HoursToRefund')).toEqual([[total, expect.closeTo(0, 1)]]);
    expect(metrics().map(({ units }) => units)).toContainEqual({ RefundedAmount: 'None' });
  });

  it('count a refund only when its money has moved', async () => {
    const { returnId } = await receivedReturn(500);
    valueOf(await backend.refund({ returnId }, backendCall()));
    await deliver(returnId);
    expect(valuesOf('RefundsBooked')).toEqual([]);
  });

  it('count a refund that was paid outside, by its own currency and time', async () => {
    const { order, returnId } = await receivedReturn(700, 'BRL');
    const { createdAt } = valueOf(await backend.getReturn({ returnId }, backendCall()));
    const paid = {
      ...order,
      externalId: randomUUID(),
      returnId,
      amount: { amount: 700, currency: 'BRL' },
      // Before the request of the return.
      occurredAt: new Date(Date.parse(createdAt) - 7_200_000).toISOString(),
      lines: [{ orderLineId: '1', quantity: 1 }],
    };
    valueOf(await backend.recordRefund(paid, backendCall()));
    await deliver(returnId);
    expect(valuesOf('RefundedAmount')).toEqual([[[{ Deployment: 'returns-unit', Currency: 'BRL' }], 700]]);
    expect(valuesOf('HoursToRefund')).toEqual([[total, 0]]);
  });

  it('write at most 100 values in a line, and leave out refunds that do not exist', async () => {
    const { returnId } = await receivedReturn(900);
    const { refunds } = await refundAll(returnId);
    const stream = `RETURN#${returnId}`;
    const data = { refundId: refunds[0]?.refundId, occurredAt: '2026-11-02T00:00:00Z' };
    const paid = { stream, domainEvent: { ...domainEventOf(1, data), type: 'refund.succeeded' } };
    const unknown = { stream: 'RETURN#ret_none', domainEvent: { ...domainEventOf(1, data), type: 'refund.succeeded' } };
    await measureEvents(session, [...Array.from({ length: 150 }, () => paid), unknown]);
    const amounts = metrics().flatMap(({ metrics: { RefundedAmount: values } }) => (values ? [values.length] : []));
    expect(amounts).toEqual([100, 50]);
    expect(valuesOf('RefundsBooked')).toEqual([[total, 151]]);
  });

  it('leave out the amounts, with a warning, when the refunds cannot be read', async () => {
    const ended = openSession(Date.now() - 1);
    const paid = { stream: 'RETURN#ret_1', domainEvent: { ...domainEventOf(1), type: 'refund.succeeded' } };
    await measureEvents(ended, [paid]);
    expect(valuesOf('RefundsBooked')).toEqual([[total, 1]]);
    expect(log.join('')).toContain('"message":"refunds not measured","refunds":1');
  });

  it('leave out the amounts when the read of refunds takes more than a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using engine = await startServer(() => {
      vi.advanceTimersByTime(1_000);
      return 'hang';
    });
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin });
    using publisher = openSession(ampleDeadline());
    const paid = { stream: 'RETURN#ret_1', domainEvent: { ...domainEventOf(1), type: 'refund.succeeded' } };
    await measureEvents(publisher, [paid]);
    expect(log.join('')).toContain('"message":"refunds not measured","refunds":1');
    expect(publisher.signal.aborted).toBe(false);
  });

  it('write no line for other events', async () => {
    await measureEvents(session, [{ stream: 'RETURN#ret_1', domainEvent: domainEventOf(1) }]);
    expect(log).toEqual([]);
  });
});
