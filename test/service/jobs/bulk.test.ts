import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Input, Output } from '../../../lib/contract/contract.ts';
import type { Call } from '../../../lib/contract/port.ts';
import type { BulkBackend } from '../../../lib/service/jobs/bulk.ts';
import { jobRunner } from '../../../lib/service/jobs/run-job.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readJob } from '../../../lib/store/jobs/jobs.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, register } from '../../support/life.ts';
import { ampleDeadline } from '../../support/time.ts';
import { hurried, workers } from './worker.ts';

const engines = await startEngines();
const { deliver, purge, take, workOff } = workers(engines.jobsUrl, jobRunner(backend));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await engines.stop();
});
beforeEach(purge);

const order = { platform: 'web', orderId: randomUUID() };
await executeRequest(backend, register(order, 1000), backendCall());

const request = async (): Promise<string> => {
  const { reply } = await executeRequest(backend, create(order, 1, randomUUID()), backendCall());
  return (reply.body as Output<'getReturn'>).returnId;
};

const requests = async (count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await request());
  return ids;
};

const itemsOf = (ids: readonly string[]) => ids.map((returnId) => ({ returnId }));

const begin = async (input: Input<'createBulk'>, call: Call = backendCall()): Promise<string> => {
  const started = await backend.createBulk(input, call);
  if (!started.ok) throw new Error(started.failure.detail);
  return started.value.body.jobId;
};

const bulk = async (jobId: string): Promise<Output<'getBulk'>> => {
  const read = await backend.getBulk({ jobId }, backendCall());
  if (!read.ok) throw new Error(read.failure.detail);
  return read.value.body;
};

const notesOf = async (returnId: string): Promise<readonly string[]> => {
  const read = await backend.getReturn({ returnId }, backendCall());
  if (!read.ok) throw new Error(read.failure.detail);
  return (read.value.body.notes ?? []).map(({ note: text = '' }) => text);
};

const note = (ids: readonly string[], text: string) => ({
  command: 'addNote' as const,
  body: { text },
  items: itemsOf(ids),
});

describe('bulk job', () => {
  it('repeats no command after a worker died before it saved its results', async () => {
    const ids = await requests(4);
    const jobId = await begin(note(ids, 'checked'));
    const messages = await take();
    let left = 3;
    const dying: BulkBackend = {
      ...backend,
      addNote: async (input, call) => {
        const reply = await backend.addNote(input, call);
        left -= 1;
        return left > 0 ? reply : { ok: false, failure: { code: 'dependency_unavailable', detail: 'It died.' } };
      },
    };
    expect(await workers(engines.jobsUrl, jobRunner(dying)).deliver(messages)).toHaveLength(messages.length);
    expect(await bulk(jobId)).toMatchObject({ status: 'queued', progress: { succeeded: 0 } });
    expect(await deliver([...messages, ...messages])).toEqual([]);
    expect(await bulk(jobId)).toMatchObject({ status: 'done', progress: { succeeded: 4, refused: 0, failed: 0 } });
    for (const id of ids) expect(await notesOf(id)).toEqual(['checked']);
  });

  it('continues in other workers when the time is over, and has the results in the order of the request', async () => {
    const ids = await requests(12);
    const jobId = await begin(note(ids, 'sorted'));
    await workOff(hurried);
    const { results, status } = await bulk(jobId);
    expect(status).toBe('done');
    expect(results.map(({ returnId }) => returnId)).toEqual(ids);
    expect(results[0]).toEqual({ returnId: ids[0], outcome: 'succeeded', version: 2, status: 'requested' });
  });

  it('goes on after a return whose command throws, and reports it as failed', async () => {
    const ids = await requests(3);
    const jobId = await begin(note(ids, 'seen'));
    const broken: BulkBackend = {
      ...backend,
      addNote: async (input, call) => {
        if (input.returnId === ids[1]) throw new Error('damaged');
        return backend.addNote(input, call);
      },
    };
    expect(await workers(engines.jobsUrl, jobRunner(broken)).deliver(await take())).toEqual([]);
    expect(await bulk(jobId)).toMatchObject({
      status: 'done',
      progress: { succeeded: 2, refused: 0, failed: 1 },
      results: [{ outcome: 'succeeded' }, { outcome: 'failed', problem: { code: 'internal_error' } }, {}],
    });
  });

  it('fails when a dependency does not respond three times', async () => {
    const jobId = await begin(note(await requests(1), 'never'));
    const down: BulkBackend = {
      ...backend,
      addNote: async () => ({ ok: false, failure: { code: 'timeout', detail: 'The store did not respond.' } }),
    };
    const messages = await take();
    for (const receives of [1, 2, 3])
      await workers(engines.jobsUrl, jobRunner(down)).deliver(messages, undefined, receives);
    expect(await bulk(jobId)).toMatchObject({ status: 'failed', failure: { code: 'dependency_unavailable', part: 0 } });
  });

  it.each(['done', 'cancelled'] as const)('stores no body of the command when it is %s', async (status) => {
    const [id = ''] = await requests(1);
    const jobId = await begin(note([id], 'confidential'));
    expect(JSON.stringify(await readJob(session, jobId))).toContain('confidential');
    if (status === 'cancelled') await backend.cancelJob({ jobId }, backendCall());
    await workOff();
    expect(await bulk(jobId)).toMatchObject({ status });
    expect(JSON.stringify(await readJob(session, jobId))).not.toContain('confidential');
    expect(await notesOf(id)).toEqual(status === 'done' ? ['confidential'] : []);
  });

  it('evaluates each command in a dry run, and changes no return', async () => {
    const ids = await requests(2);
    const jobId = await begin({ command: 'approve', items: itemsOf(ids), dryRun: true });
    await workOff();
    const results = ids.map((returnId) => ({ returnId, outcome: 'succeeded', version: 2, status: 'approved' }));
    expect(await bulk(jobId)).toMatchObject({ status: 'done', request: { dryRun: true }, results });
    const read = await backend.getReturn({ returnId: ids[0] ?? '' }, backendCall());
    expect(read).toMatchObject({ value: { body: { status: 'requested', version: 1 } } });
  });

  it('records the name of the user who created it, and shows no digest', async () => {
    const user = { id: `user-${randomUUID()}`, name: 'Ana Silva' };
    const [id = ''] = await requests(1);
    const scopes = ['returns:read', 'returns:write'] as const;
    const call: Call = { ...backendCall(), caller: { clientId: 'console', scopes, user } };
    const jobId = await begin({ command: 'approve', items: itemsOf([id]) }, call);
    await workOff();
    const shown = await backend.getBulk({ jobId }, { ...call, caller: { ...call.caller, user: { id: user.id } } });
    expect(shown).toMatchObject({ ok: true, value: { body: { status: 'done', progress: { succeeded: 1 } } } });
    expect(JSON.stringify(shown)).not.toMatch(/nameDigest|Silva/);
    const history = await backend.getHistory({ returnId: id }, backendCall());
    const actor = history.ok ? history.value.body.items.at(-1)?.actor : undefined;
    expect(actor).toMatchObject({ clientId: 'console', user });
  });

  it('is shown to its creator, and to no other caller', async () => {
    const writer = (clientId: string, user?: string): Call => ({
      ...backendCall(),
      caller: {
        clientId,
        scopes: ['returns:read', 'returns:write'],
        ...(user !== undefined && { user: { id: user } }),
      },
    });
    const jobId = await begin(note(await requests(1), 'mine'), writer('console', 'ada'));
    expect(await backend.getBulk({ jobId }, writer('console', 'ada'))).toMatchObject({ ok: true });
    expect(await backend.getJob({ jobId }, backendCall())).toMatchObject({ ok: true });
    const hidden = { ok: false, failure: { code: 'job_not_found' } };
    expect(await backend.getBulk({ jobId }, writer('console', 'bob'))).toMatchObject(hidden);
    expect(await backend.getBulk({ jobId }, writer('console'))).toMatchObject(hidden);
    expect(await backend.getBulk({ jobId }, backendCall())).toMatchObject(hidden);
  });

  it('is cancelled by its creator, once, and by no other writer', async () => {
    const writer = (user: string): Call => ({
      ...backendCall(),
      caller: { clientId: 'console', scopes: ['returns:read', 'returns:write'], user: { id: user } },
    });
    const [id = ''] = await requests(1);
    const jobId = await begin(note([id], 'stopped'), writer('ada'));
    expect(await backend.cancelBulk({ jobId }, writer('bob'))).toMatchObject({ failure: { code: 'job_not_found' } });
    const cancelled = { ok: true, value: { body: { jobId, status: 'cancelled', progress: { succeeded: 0 } } } };
    expect(await backend.cancelBulk({ jobId }, writer('ada'))).toMatchObject(cancelled);
    expect(await backend.cancelBulk({ jobId }, writer('ada'))).toMatchObject(cancelled);
    await workOff();
    expect(await notesOf(id)).toEqual([]);
    const ended = await begin(note([id], 'done'), writer('ada'));
    await workOff();
    expect(await backend.cancelBulk({ jobId: ended }, writer('ada'))).toMatchObject({
      failure: { code: 'invalid_transition' },
    });
  });
});
