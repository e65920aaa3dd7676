import { afterEach, describe, expect, it, vi } from 'vitest';
import { forward, isFor } from '../support/engine.ts';
import { useEngine } from '../support/use-engine.ts';
import { startServer } from '../support/http-server.ts';
import { steps } from '../support/life.ts';
import { liveThrough } from '../support/life-of-backend.ts';
import { stack } from '../support/stack.ts';
import * as backend from '../../lib/edge/backend/standalone.ts';

type Consumed = { readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>> };

afterEach(() => vi.unstubAllEnvs());

describe('index capacity', () => {
  it('is used only when the keys or the projected fields of an index change', async () => {
    let last: Readonly<Record<string, number>> = {};
    await using engine = await startServer(async (request) => {
      if (!isFor(request, 'TransactWriteItems')) return forward(request, stack().aws.dynamodb);
      const metered = JSON.stringify({ ...(JSON.parse(request.body) as object), ReturnConsumedCapacity: 'INDEXES' });
      const answer = await forward(request, stack().aws.dynamodb, metered);
      const [consumed] = (JSON.parse(answer.body.toString()) as { ConsumedCapacity: Consumed[] }).ConsumedCapacity;
      const indexes = Object.entries(consumed?.GlobalSecondaryIndexes ?? {});
      last = Object.fromEntries(indexes.map(([name, { CapacityUnits }]) => [name, CapacityUnits]));
      return answer;
    });
    vi.stubEnv('RETURN_TERMS', JSON.stringify({ deadlines: { shipByDays: 14 } }));
    useEngine(engine.origin);
    const paid: [string, typeof last][] = [];
    const life = [steps.approve, steps.addNote, steps.cancel, steps.receive];
    for await (const { request } of liveThrough(backend, life)) {
      paid.push([request.operation.name, last]);
      last = {};
    }
    expect(paid).toEqual([
      ['registerOrder', {}],
      ['createReturn', { byOrder: 1, byCustomer: 1, byStatus: 1, byCreation: 1, byUpdate: 1 }],
      // A deadline to send the goods starts.
      ['approve', { byStatus: 1, byCreation: 1, byUpdate: 2, byDeadline: 1 }],
      ['addNote', { byStatus: 1, byCreation: 1, byUpdate: 2, byDeadline: 1 }],
      ['cancel', { byStatus: 1, byCreation: 1, byUpdate: 2, byDeadline: 1 }],
      // The deadline is met, and the refund deadline starts.
      ['receive', { byStatus: 1, byCreation: 1, byUpdate: 2, byDeadline: 2 }],
    ]);
  });
});
