import { randomUUID } from 'node:crypto';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { ulid } from 'ulid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { contributionOf } from '../../../lib/service/statistics/contribution.ts';
import { countReturns } from '../../../lib/service/statistics/count-returns.ts';
import { recountReturns } from '../../../lib/service/statistics/recount-returns.ts';
import { sumsBy } from '../../../lib/service/statistics/report.ts';
import { returnKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { put, transact } from '../../../lib/store/engine/transact.ts';
import { writeReturn } from '../../../lib/store/returns/returns.ts';
import { readCountedReturns } from '../../../lib/store/statistics/counted-returns.ts';
import { readCounters, readNewestCountedChange } from '../../../lib/store/statistics/counters.ts';
import { startMeter } from '../../support/meter.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { forward, isFor } from '../../support/engine.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { approvedCase, requestedCase } from '../../support/return-case.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../support/time.ts';

const engines = await startEngines();
const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';

const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});
beforeEach(restoreEnvironment);

const now = () => new Date().toISOString();
const [requested, approved] = [requestedCase([1, 2]).state, approvedCase([1, 2]).state];

/** Opens a separate month, so that its counters exclude the returns of other tests. */
const openMonth = (month: string) => {
  const returns = new Map<string, Return>();
  const store = async (state: Return): Promise<Return> => {
    const next = { ...state, requestedAt: `${month}-07T12:00:00.000Z`, updatedAt: now() };
    await transact(session, writeReturn(next, [], returns.get(state.id)));
    returns.set(next.id, next);
    return next;
  };
  return {
    returns,
    ids: () => [...returns.keys()],
    /** Creates a return with these goods. */
    request: async (skus: readonly string[] = ['SHIRT', 'HAT']) => {
      const [line] = requested.lines;
      if (line === undefined) throw new Error('a return without a line');
      const lines = skus.map((sku, index) => ({ ...line, id: `line-${index}`, sku }));
      return store({ ...requested, id: `ret_${ulid()}`, lines, version: 1 });
    },
    /** Approves a return. */
    approve: async (id: string) => {
      const { lines, version } = returns.get(id) ?? requested;
      return store({ ...approved, id, lines, version: version + 1 });
    },
    /** Returns the counters of the month; `expected` returns the correct values. */
    figures: async () => {
      const span = { grain: 'MONTH', first: month, last: month } as const;
      const figuresBy = async (dimension: 'status' | 'sku') =>
        new Map(
          sumsBy((await readCounters(session, dimension, span)) ?? [], ({ value }) => value).map(
            ({ value, figures }) => [value, figures['returns']],
          ),
        );
      return { status: await figuresBy('status'), sku: await figuresBy('sku') };
    },
    expected: () => {
      const parts = [...returns.values()].flatMap(contributionOf);
      const figuresBy = (dimension: string) =>
        new Map(
          [
            ...Map.groupBy(
              parts.filter((part) => part.dimension === dimension),
              ({ value }) => value,
            ),
          ].map(([value, some]) => [value, some.length]),
        );
      return { status: figuresBy('status'), sku: figuresBy('sku') };
    },
  };
};

/** Returns an event of the table's stream. */
const changesOf = (ids: readonly string[], sk = 'SNAPSHOT'): DynamoDBStreamEvent => ({
  Records: ids.map((id) => ({
    eventName: 'MODIFY',
    eventID: randomUUID(),
    dynamodb: { Keys: { pk: { S: returnKey(id).pk }, sk: { S: sk } } },
  })),
});

describe('countReturns', () => {
  it('counts each change once, however often, late or concurrently the stream reports it', async () => {
    const month = openMonth('2026-01');
    for (let index = 0; index < 12; index += 1) await month.request();
    const [first = ''] = month.ids();
    const all = changesOf([...month.ids(), ...month.ids()]);
    await Promise.all(
      [all, all, changesOf(month.ids().toReversed())].map(async (event) => countReturns(event, contextWith())),
    );
    expect(await month.figures()).toEqual(month.expected());
    for (const id of month.ids().slice(0, 5)) await month.approve(id);
    await Promise.all([all, changesOf([first])].map(async (event) => countReturns(event, contextWith())));
    expect(await month.figures()).toEqual(month.expected());
    expect((await month.figures()).status).toEqual(
      new Map([
        ['requested', 7],
        ['approved', 5],
      ]),
    );
    expect(await countReturns(all, contextWith())).toEqual({ counted: 0 });
    expect(await readNewestCountedChange(session)).toBe(
      [...month.returns.values()]
        .map(({ updatedAt }) => updatedAt)
        .toSorted()
        .at(-1),
    );
  });

  it('counts a return of many goods in several writes, and continues after a crash between them', async () => {
    const month = openMonth('2026-02');
    const { id } = await month.request(Array.from({ length: 120 }, (_, index) => `SKU-${index}`));
    let writes = 0;
    await using dying = await startServer(async (request) => {
      if (isFor(request, 'TransactWriteItems')) writes += 1;
      return writes > 2 ? 'reset' : forward(request, engine);
    });
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: dying.origin });
    await expect(countReturns(changesOf([id]), contextWith())).rejects.toThrow(/socket|ECONNRESET|hang up|reset/i);
    restoreEnvironment();
    expect((await readCountedReturns(session, [id])).get(id)).toMatchObject({ version: 0, revision: 2 });
    expect(await countReturns(changesOf([id]), contextWith())).toEqual({ counted: 1 });
    expect(await month.figures()).toEqual(month.expected());
    expect((await readCountedReturns(session, [id])).get(id)).toMatchObject({ version: 1 });
  });

  it('counts nothing twice when the answer to a write is lost', async () => {
    const month = openMonth('2026-03');
    const { id } = await month.request();
    let lost = 0;
    await using losing = await startServer(async (request) => {
      const answer = await forward(request, engine);
      if (!isFor(request, 'TransactWriteItems') || lost > 0) return answer;
      lost += 1;
      return 'reset';
    });
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: losing.origin });
    await countReturns(changesOf([id]), contextWith());
    restoreEnvironment();
    expect(lost).toBe(1);
    expect(await month.figures()).toEqual(month.expected());
  });

  it('skips items that are no returns, and unreadable returns', async () => {
    const month = openMonth('2026-04');
    const { id } = await month.request();
    const spoiled = `ret_${ulid()}`;
    await transact(session, [put('spoiled', returnKey(spoiled), { id: spoiled, version: 1, value: 'no JSON' })]);
    expect(await countReturns(changesOf([id], 'HISTORY#0000000001'), contextWith())).toEqual({ counted: 0 });
    expect(await countReturns(changesOf([spoiled, id, `ret_${ulid()}`]), contextWith())).toEqual({ counted: 1 });
    expect(await month.figures()).toEqual(month.expected());
  });

  it('recountReturns finds unchecked changes that the stream has lost', async () => {
    const month = openMonth('2026-05');
    for (let index = 0; index < 4; index += 1) await month.request();
    const [one = ''] = month.ids();
    // The stream counts the latest changes.
    expect(await recountReturns({ time: now() }, contextWith())).toMatchObject({ counted: 0, complete: true });
    expect(await recountReturns({ from: '2026-01-01' }, contextWith())).toMatchObject({ counted: 4, complete: true });
    expect(await month.figures()).toEqual(month.expected());
    await month.approve(one);
    expect(await recountReturns({ from: '2026-01-01' }, contextWith())).toMatchObject({ counted: 1 });
    expect(await month.figures()).toEqual(month.expected());
    // A day in the future would prevent all checks until then.
    for (const from of ['2999-01-01', '2026-99-99', '2026-1-1', '2026-11-01 or so', 7])
      await expect(recountReturns({ from }, contextWith())).rejects.toThrow('from must be');
    // A run without time for a page reports it, and the next run continues.
    expect(await withTimeLeft(12_000, async (context) => recountReturns({}, context))).toMatchObject({
      checked: 0,
      complete: false,
    });
  });

  it('uses at most 23 write units for a new return, 31 for a changed one, and 3 for each of fifty in one event', async () => {
    const month = openMonth('2026-06');
    const meter = await startMeter(engine);
    await using held = new AsyncDisposableStack();
    held.defer(meter.close);
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: meter.origin });
    const take = async (ids: readonly string[]) => {
      meter.take();
      await countReturns(changesOf(ids), contextWith());
      return meter.take();
    };
    const { id } = await month.request(['SHIRT']);
    const alone = await take([id]);
    await month.approve(id);
    const moved = await take([id]);
    const many = await Promise.all(Array.from({ length: 50 }, async () => month.request(['SHIRT'])));
    const together = await take(many.map((one) => one.id));
    expect(alone.write).toBeLessThanOrEqual(23);
    expect(moved.write).toBeLessThanOrEqual(31);
    expect(together.write / many.length).toBeLessThanOrEqual(3);
    expect(Math.max(alone.read, moved.read, together.read / many.length)).toBeLessThanOrEqual(4);
  });
});
