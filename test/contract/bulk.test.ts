import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { lostBulk } from '../support/jobs.ts';
import { sharedStack } from '../support/own-stack.ts';
import { runsEveryCase } from '../support/samples.ts';
import { createReturn, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { operator, userToken, webApi } from '../support/users.ts';

const stack = await sharedStack();

/** The number of returns of one job. */
const size = runsEveryCase() ? 50 : 22;
const unknown = 'ret_00000000000000000000000000';

describe.each(contractModes(import.meta.filename))('%s bulk commands', (mode) => {
  const clients = api(mode, stack.info);
  const web = webApi(mode, stack.info);
  const asOperator = async () => ({ token: await userToken(operator, stack.info) });

  const { clientId } = stack.info.console;
  /** The operator as the actor of histories and jobs. */
  const creator =
    mode === 'standalone'
      ? { clientId, user: { id: operator } }
      : { clientId: 'returns-integration', onBehalfOf: `${clientId}/${operator}` };

  /** Returns the job after its workers have finished. */
  const ended = async (jobId: string): Promise<Output<'getBulk'>> => {
    for (;;) {
      const worked = stack.next((event) => event.type === 'invoked' && event.function === 'runJob');
      const { status, body } = await web.get(`/bulk-commands/${jobId}`, await asOperator());
      expect(status).toBe(200);
      const job = body as unknown as Output<'getBulk'>;
      if (!['queued', 'running'].includes(job.status)) return job;
      await worked;
    }
  };

  it('approve many returns as the user, with a result for each', async () => {
    const [line] = shopOrder().lines;
    const lines = [{ ...line, quantity: size, deliveries: [{ quantity: size, at: '2026-10-01T10:00:00Z' }] }];
    const order = await registerOrder(clients, { lines });
    const ids: string[] = [];
    while (ids.length < size) ids.push((await clients.post('/returns', returnOf(order))).body.returnId);
    const [rejected = '', changed = ''] = ids;
    await clients.post(`/returns/${rejected}/reject`, { code: 'final_sale' });
    const items = ids.map((returnId) => ({ returnId, ...(returnId === changed && { version: 9 }) }));
    const started = await web.post(
      '/bulk-commands',
      { command: 'approve', items: [...items, { returnId: unknown }] },
      await asOperator(),
    );
    expect(started).toMatchObject({ status: 201, body: { kind: 'bulk', request: { items: size + 1, dryRun: false } } });
    const { jobId } = started.body as unknown as Output<'createBulk'>;
    expect(started.headers.get('location')).toBe(`/v1/bulk-commands/${jobId}`);
    const { progress, results, status } = await ended(jobId);
    expect({ status, progress }).toEqual({ status: 'done', progress: { succeeded: size - 2, refused: 3, failed: 0 } });
    expect(results.map(({ returnId, problem }) => [returnId, problem?.code])).toEqual([
      [rejected, 'invalid_transition'],
      [changed, 'version_mismatch'],
      ...ids.slice(2).map((id) => [id, undefined]),
      [unknown, 'return_not_found'],
    ]);
    const { body } = await web.get(`/returns/${ids[2]}/history`, await asOperator());
    const entry = (body as unknown as Output<'getHistory'>).items[1];
    expect(entry).toMatchObject({ type: 'return.approved', causationId: jobId });
    expect(entry?.actor).toMatchObject(creator);
  });

  it('start once for a key', async () => {
    const { id } = await createReturn(clients);
    const key = randomUUID();
    const request = { command: 'addNote', body: { text: 'once' }, items: [{ returnId: id }] };
    const send = async () => web.post('/bulk-commands', request, { ...(await asOperator()), key });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(JSON.stringify(first.body)).not.toContain('once');
    const { jobId } = first.body as unknown as Output<'createBulk'>;
    await ended(jobId);
    expect((await clients.get(`/returns/${id}`)).body).toMatchObject({ notes: [{ note: 'once' }] });
    expect(await clients.get(`/bulk-commands/${jobId}`, { client: 'returns-reader' })).toMatchObject({
      status: 404,
      body: { code: 'job_not_found' },
    });
  });

  it('get workers when the creator reads a job whose first messages were lost', async () => {
    const { id } = await createReturn(clients);
    expect(await ended(await lostBulk(stack.info, id, creator))).toMatchObject({
      status: 'done',
      results: [{ returnId: id, outcome: 'succeeded' }],
    });
  });

  it.each([
    ['a command of one return', { command: 'refund' }, '/command', 'enum'],
    ['an invalid body', { command: 'reject', body: {} }, '/body/code', 'required'],
    ['an unknown field', { command: 'approve', body: { line: 1 } }, '/body/line', 'unknown_field'],
    ['lines of one return', { command: 'cancel', body: { lines: [] } }, '/body/lines', 'unexpected'],
    ['a platform fact', { command: 'approve', body: { observed: {} } }, '/body/observed', 'unexpected'],
    ['no returns', { command: 'approve', items: [] }, '/items', 'min_items'],
    [
      'a return twice',
      { command: 'approve', items: [{ returnId: unknown }, { returnId: unknown, version: 1 }] },
      '/items/1/returnId',
      'duplicate',
    ],
  ])('return 400 for %s', async (_, request, path, code) => {
    const body = { items: [{ returnId: unknown }], ...request };
    expect(await clients.post('/bulk-commands', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });

  it('need the scope to write', async () => {
    const request = { command: 'approve', items: [{ returnId: unknown }] };
    expect(await clients.post('/bulk-commands', request, { client: 'returns-reader' })).toMatchObject({ status: 403 });
  });
});
