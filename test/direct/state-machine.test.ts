import { randomUUID } from 'node:crypto';
import { StateMachine } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { returnOf, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { execute, readDefinition, type Execution } from '../support/state-machine.ts';

/** Returns the input of an execution: an order, and the lines to return. */
const request = (quantity = 1, more: object = {}) => {
  const order = { platform: 'shopify', orderId: randomUUID() };
  return { order: { ...order, ...shopOrder() }, return: returnOf(order, quantity, more) };
};

it('the example state machine is valid Amazon States Language', async () => {
  const { States, ...definition } = await readDefinition();
  const { Approve: _, ...others } = States;
  expect(() => new StateMachine({ ...definition, States })).not.toThrow();
  expect(() => new StateMachine({ ...definition, States: others })).toThrow(/Approve/);
});

describe.each(modes)('%s state machine', (mode) => {
  const service = api(mode);
  const run = async (name: string, input: object, before: Execution['before'] = () => Promise.resolve()) =>
    execute(mode, stack(), { name, input, before });
  /** Returns the id of the return that an execution reported. */
  const idIn = (output: unknown): string => (output as { returnId: string }).returnId;

  it('registers an order, creates a return of it and approves it', async () => {
    const { output, retried, caught } = await run(randomUUID(), request());
    expect(output).toEqual({ outcome: 'decided', returnId: expect.stringMatching(/^ret_/), status: 'approved' });
    expect([retried, caught]).toEqual([[], []]);
    const { items } = (await service.get(`/returns/${idIn(output)}/history`)).body;
    expect(items.map(({ type }) => type)).toEqual(['return.requested', 'return.approved']);
    for (const { actor } of items) expect(actor.onBehalfOf).toContain('return-of-order');
  });

  it('returns the same return for a second run of the same name', async () => {
    const [name, input] = [randomUUID(), request()];
    const [first, again] = [await run(name, input), await run(name, input)];
    expect(again.output).toEqual(first.output);
    expect((await service.get(`/returns/${idIn(first.output)}/history`)).body.items).toHaveLength(2);
  });

  it('catches quantity_exceeds_returnable by its name', async () => {
    expect(await run(randomUUID(), request(4))).toEqual({
      output: { outcome: 'nothing_left' },
      retried: [],
      caught: ['CreateReturn'],
    });
  });

  it('catches duplicate_return, and reads the existing return from its cause', async () => {
    const input = request(1, { externalRefs: [{ platform: 'shopify', id: randomUUID() }] });
    const first = await run(randomUUID(), input);
    expect(await run(randomUUID(), input)).toMatchObject({
      output: { outcome: 'duplicate', returnId: idIn(first.output) },
      caught: ['CreateReturn'],
    });
  });

  it("catches invalid_transition after another caller's decision", async () => {
    const reject = async (task: string, event: unknown) => {
      if (task !== 'Approve') return;
      const { returnId } = (event as { input: { returnId: string } }).input;
      expect((await service.post(`/returns/${returnId}/reject`, { code: 'final_sale' })).status).toBe(200);
    };
    expect(await run(randomUUID(), request(), reject)).toEqual({
      output: { outcome: 'decided_meanwhile', returnId: expect.stringMatching(/^ret_/) },
      retried: [],
      caught: ['Approve'],
    });
  });
});
