import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createPolicy, documentFor, versionIn } from '../../support/policies.ts';
import { createReturn, registerOrder } from '../../support/scenario.ts';
import { oneMode } from '../../support/samples.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { onStack, returns } from './harness.ts';

/** Creates a policy from the built-in template, and returns its first version. */
const createPolicyOf = async (mode: Mode) =>
  versionIn(await api(mode).post('/policies', { name: 'Standard', template: 'standard' }));

// Both modes serve the same contract.
describe.each(oneMode('standalone'))('returns command on the %s mode', (mode) => {
  const env = onStack(mode);

  it('lists returns as a table for people, and as JSON lines for machines', async () => {
    const { id, order } = await createReturn(api(mode));
    const { platform, orderId } = order as { platform: string; orderId: string };
    const table = await returns(['list', '--limit', '3'], { env });
    expect([table.code, table.out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^returnId +status +order/)]);
    expect(table.out.trim().split('\n').length).toBeLessThanOrEqual(4);
    const machine = await returns(['list', '--platform', platform, '--order-id', orderId, '--all', '--json'], { env });
    const items = machine.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { returnId: string });
    expect(machine.code).toBe(0);
    expect(items.map(({ returnId }) => returnId)).toEqual([id]);
  });

  it('shows a return with its timeline', async () => {
    const { id } = await createReturn(api(mode));
    const { code, out } = await returns(['show', id], { env });
    expect(code).toBe(0);
    expect(out).toContain(id);
    expect(out).toMatch(/^timeline \(1\)$/m);
    expect(out).toMatch(/^ {2}1 .* return\.requested /m);
    const machine = await returns(['show', id, '--json'], { env });
    expect(JSON.parse(machine.out)).toMatchObject({
      returnId: id,
      status: 'requested',
      timeline: [{ sequence: 1, type: 'return.requested' }],
    });
  });

  it('stores nothing with --dry-run, and approves without it', async () => {
    const { id } = await createReturn(api(mode));
    const trial = await returns(['approve', id, '--dry-run'], { env });
    expect([trial.code, trial.error]).toEqual([0, expect.stringContaining('nothing is stored')]);
    expect((await api(mode).get(`/returns/${id}`)).body).toMatchObject({ status: 'requested', version: 1 });
    const approved = await returns(['approve', id, '--if-match', '1', '--json'], { env });
    expect([approved.code, JSON.parse(approved.out)]).toEqual([0, expect.objectContaining({ status: 'approved' })]);
  });

  it('ends with 3 and the possible commands when the service rejects', async () => {
    const { id } = await createReturn(api(mode));
    await api(mode).post(`/returns/${id}/approve`);
    const rejected = await returns(['approve', id], { env });
    expect([rejected.code, rejected.out]).toEqual([3, '']);
    expect(rejected.error).toMatch(/^error: .*\(invalid_transition\)\n {2}Possible now: .*cancel/m);
    const machine = await returns(['approve', id, '--if-match', '1', '--json'], { env });
    expect([machine.code, JSON.parse(machine.error)]).toEqual([
      3,
      { error: expect.objectContaining({ code: expect.any(String) }) },
    ]);
    const unknown = await returns(['show', 'ret_00000000000000000000000000'], { env });
    expect([unknown.code, unknown.error]).toEqual([3, expect.stringContaining('return_not_found')]);
  });

  it('takes fields from options, from a file and from stdin', async () => {
    const { platform, orderId } = await registerOrder(api(mode));
    const request = {
      order: { platform, orderId },
      lines: [{ orderLineId: '11', quantity: 1, reason: { code: 'fit.too_small' } }],
    };
    const key = randomUUID();
    const created = await returns(['create', '--body', '-', '--key', key, '--json'], {
      env,
      input: JSON.stringify(request),
    });
    const { returnId, version } = JSON.parse(created.out) as { returnId: string; version: number };
    expect(created.code).toBe(0);
    const repeated = await returns(['create', '--body', '-', '--key', key, '--json'], {
      env,
      input: JSON.stringify(request),
    });
    expect([JSON.parse(repeated.out), repeated.error]).toEqual([
      expect.objectContaining({ returnId }),
      expect.stringContaining('earlier request'),
    ]);
    const noted = await returns(
      ['update', returnId, '--tags', 'vip', '--tags', 'gift', '--if-match', String(version), '--json'],
      { env },
    );
    expect(JSON.parse(noted.out)).toMatchObject({ returnId, tags: ['vip', 'gift'] });
    const called = await returns(['call', 'getReturn', '--field', `returnId=${returnId}`, '--json'], { env });
    expect(JSON.parse(called.out)).toMatchObject({ returnId, tags: ['vip', 'gift'] });
  });

  it('lints, tests and publishes a policy, and asks before it publishes', async () => {
    const { policyId } = await createPolicy(api(mode), documentFor());
    const lint = await returns(['policies', 'lint', policyId, '--json'], { env });
    expect([lint.code, JSON.parse(lint.out)]).toEqual([0, expect.objectContaining({ policyId, version: 1 })]);
    expect(await returns(['policies', 'test', policyId], { env })).toMatchObject({ code: 0 });
    const asked = await returns(['policies', 'publish', policyId], { env });
    expect([asked.code, asked.error]).toEqual([2, expect.stringContaining('--yes')]);
    const trial = await returns(['policies', 'publish', policyId, '--dry-run'], { env });
    expect(trial.code).toBe(0);
    const published = await returns(['policies', 'publish', policyId, '--yes', '--json'], { env });
    expect([published.code, JSON.parse(published.out)]).toEqual([0, expect.objectContaining({ status: 'published' })]);
  });

  it('ends with 1 when a golden case of a draft fails', async () => {
    const template = await createPolicyOf(mode);
    const [usual] = (template.document as { goldenCases: object[] }).goldenCases;
    const wrong = { ...usual, name: 'wrong', expect: { verdict: 'rejected' } };
    const document = { ...template.document, selectors: { sellers: [randomUUID()] }, goldenCases: [wrong] };
    const { policyId } = await createPolicy(api(mode), document);
    const { code, out } = await returns(['policies', 'test', policyId], { env });
    expect([code, out]).toEqual([1, expect.stringMatching(/^cases \(1\)\n.*\n {2}wrong /m)]);
    expect(out).toMatch(/^differences \(1\)\n.*\n {2}wrong +\/verdict +"rejected" +"approved"/m);
  });

  it('checks the access of the profile with the doctor', async () => {
    const { code, out } = await returns(['doctor', '--json'], { env });
    const { checks } = JSON.parse(out) as { checks: readonly { check: string; status: string }[] };
    expect(code).toBe(0);
    expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(['secret', 'token', 'API read']));
  });
});
