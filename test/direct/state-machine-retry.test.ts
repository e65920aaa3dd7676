import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { startFaultyEngine, type FaultyEngine } from '../support/faulty-engine.ts';
import { orderPath, returnOf, shopOrder } from '../support/scenario.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { execute } from '../support/state-machine.ts';
import { sample } from '../support/samples.ts';

let engine: FaultyEngine;

beforeAll(async () => {
  engine = await startFaultyEngine();
});
afterAll(async () => engine.close());

describe('Step Functions task', () => {
  it.each(sample(modes, 2))('is retried after a lost response, and runs once (%s)', async (mode) => {
    const order = { platform: 'shopify', orderId: randomUUID() };
    const failures: string[] = [];
    const { output, retried } = await execute(mode, engine.info, {
      name: randomUUID(),
      input: { order: { ...order, ...shopOrder() }, return: returnOf(order) },
      before: async (task) => {
        if (task === 'CreateReturn' && failures.length === 0) engine.arm('down');
      },
      failed: (task, error) => {
        failures.push(`${task} ${error}`);
        engine.arm('none');
      },
    });
    expect(failures).toEqual(['CreateReturn dependency_unavailable']);
    expect(retried).toEqual(['CreateReturn']);
    expect(output).toMatchObject({ outcome: 'decided', status: 'approved' });
    const left = await api(mode, engine.info).get(`${orderPath(order)}/returnable`);
    expect(left.body).toMatchObject({ lines: [{ lineId: '11', held: 1 }, { lineId: '12' }] });
  });
});
