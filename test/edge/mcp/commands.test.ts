import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { api } from '../../support/api.ts';
import { approvedReturn, createReturn, registerOrder } from '../../support/scenario.ts';
import { stack } from '../../support/stack.ts';
import { operator, signIn } from '../../support/users.ts';
import { carryOut, openAgent, rehearsed } from './agent.ts';
import { memberOf } from './member-of.ts';

describe.each(modes)('commands of agents in the %s mode', (mode) => {
  it('take a customer from a question to a refunded return', async () => {
    const agent = await openAgent(mode);
    const order = await registerOrder(api(mode));
    const returnable = await agent.call('getReturnable', order);
    expect(memberOf(returnable.body, 'answer.lines.0.returnable')).toBe(3);
    const lines = [{ orderLineId: '11', quantity: 1, reason: { code: 'fit.too_small' } }];
    const created = await carryOut(agent, 'createReturn', { order, lines });
    const returnId = memberOf(created.body, 'answer.returnId');
    const lineId = memberOf(created.body, 'answer.lines.0.lineId');
    await carryOut(agent, 'approve', { returnId });
    await carryOut(agent, 'receive', { returnId, lines: [{ lineId, quantity: 1 }] });
    const inspected = [{ lineId, quantity: 1, outcome: 'accept', disposition: 'restock' }];
    await carryOut(agent, 'inspect', { returnId, lines: inspected });
    const quote = await agent.call('quoteReturn', { returnId });
    expect(memberOf(quote.body, 'answer.total')).toEqual({ amount: 1000, currency: 'EUR', text: '10.00 EUR' });
    const refunded = await carryOut(agent, 'refund', { returnId, quoteHash: memberOf(quote.body, 'answer.hash') });
    const refundId = memberOf(refunded.body, 'answer.refunds.0.refundId');
    await carryOut(agent, 'recordRefundResult', { returnId, refundId, status: 'succeeded' });
    const ended = await carryOut(agent, 'complete', { returnId });
    expect(ended.body).toMatchObject({ status: 'done', answer: { status: 'completed' } });
    const history = await api(mode).get(`/returns/${String(returnId)}/history`);
    expect(history.body.items.map(({ actor }) => actor.via)).toEqual(history.body.items.map(() => 'mcp'));
  });

  it('change nothing in their first call', async () => {
    const agent = await openAgent(mode);
    const { id: returnId } = await createReturn(api(mode));
    const before = await api(mode).get(`/returns/${returnId}`);
    const { body } = await agent.call('reject', { returnId, code: 'final_sale' });
    expect(body).toMatchObject({ status: 'rehearsed', wouldBe: { answer: { status: 'rejected' } } });
    expect((await api(mode).get(`/returns/${returnId}`)).body).toEqual(before.body);
  });

  it('have one effect when they are confirmed twice, also at once', async () => {
    const agent = await openAgent(mode);
    const { id: returnId } = await createReturn(api(mode));
    const given = { returnId, text: 'Once' };
    const confirmation = await rehearsed(agent, 'addNote', given);
    const send = async () => agent.call('addNote', { ...given, confirmation });
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.filter(({ isError }) => !isError).length).toBeGreaterThanOrEqual(2);
    const { body } = await api(mode).get(`/returns/${returnId}`);
    expect((body as { notes?: readonly unknown[] }).notes).toHaveLength(1);
  });

  it('get 412 after another change, and say what to do', async () => {
    const agent = await openAgent(mode);
    const { id: returnId } = await createReturn(api(mode));
    const confirmation = await rehearsed(agent, 'approve', { returnId });
    await api(mode).post(`/returns/${returnId}/notes`, { text: 'Between' });
    const { isError, body } = await agent.call('approve', { returnId, confirmation });
    expect({ isError, body }).toMatchObject({
      isError: true,
      body: { error: { code: 'version_mismatch', next: expect.stringContaining('without `confirmation`') as string } },
    });
  });

  it('reject a confirmation of another input, command or caller', async () => {
    const agent = await openAgent(mode);
    const { id: returnId } = await createReturn(api(mode));
    const { id: other } = await createReturn(api(mode));
    const confirmation = await rehearsed(agent, 'cancel', { returnId });
    const otherClient = await openAgent(mode, { clientId: 'returns-integration' });
    const attempts = [
      await agent.call('cancel', { returnId: other, confirmation }),
      await agent.call('approve', { returnId, confirmation }),
      await agent.call('cancel', { returnId, note: 'more', confirmation }),
      await agent.call('cancel', { returnId, confirmation: 'cnf_00000000000000000000000000' }),
      await agent.call('cancel', { returnId, confirmation: { $ne: '' } }),
      await otherClient.call('cancel', { returnId, confirmation }),
    ];
    const codes = attempts.map(({ body }) => memberOf(body, 'error.errors.0.path') ?? memberOf(body, 'error.code'));
    expect(codes).toEqual(attempts.map(() => '/confirmation'));
    const { body } = await api(mode).get(`/returns/${returnId}`);
    expect((body as { status?: string }).status).toBe('requested');
  });

  it('give no more than the scopes of the token', async () => {
    const { id: returnId } = await createReturn(api(mode));
    const reader = await openAgent(mode, { clientId: 'returns-reader' });
    const { isError, body } = await reader.call('approve', { returnId });
    expect({ isError, code: memberOf(body, 'error.code') }).toEqual({ isError: true, code: 'insufficient_scope' });
    expect((await reader.call('getReturn', { returnId })).isError).toBe(false);
  });

  it('work for clients of the revisions with a handshake', async () => {
    const agent = await openAgent(mode, { era: 'handshake' });
    const { id, lineId } = await approvedReturn(api(mode), 1);
    const { body } = await carryOut(agent, 'receive', { returnId: id, lines: [{ lineId, quantity: 1 }] });
    expect(body).toMatchObject({ status: 'done', answer: { status: 'received' } });
  });
});

describe('an agent of a user', () => {
  it('acts as the user, and links to the console of the API for browsers', async () => {
    const { web } = stack();
    const { body: tokens } = await signIn(operator);
    const agent = await openAgent('standalone', { url: web?.url ?? '', token: String(tokens['access_token']) });
    const { id: returnId } = await createReturn(api('standalone'));
    await carryOut(agent, 'addNote', { returnId, text: 'By a person' });
    const { body } = await agent.call('getHistory', { returnId });
    const items = memberOf(body, 'answer.items') as readonly JsonObject[];
    expect(items.at(-1)).toMatchObject({ actor: { user: { id: operator }, via: 'mcp' } });
    const shown = await agent.call('getReturn', { returnId });
    expect(memberOf(shown.body, 'answer.link')).toBe(`${web?.url ?? ''}/console/returns/${returnId}`);
  });
});
