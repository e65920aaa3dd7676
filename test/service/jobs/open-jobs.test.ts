import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { maxOpenJobs } from '../../../lib/service/operations/jobs/begin-job.ts';
import { backendCall } from '../../support/backend-call.ts';
import { useEngine } from '../../support/use-engine.ts';
import { setEnvironment } from '../../support/environment.ts';
import { stack } from '../../support/stack.ts';

// No worker gets these jobs, so they stay open.
setEnvironment({
  AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${await freePort()}`,
  JOBS_QUEUE_URL: 'https://queue.invalid/jobs',
  JOBS_MAX_ATTEMPTS: '3',
});
useEngine(stack().aws.dynamodb);

const callOf = (clientId: string) => {
  const call = backendCall();
  return { ...call, caller: { ...call.caller, clientId } };
};

describe('limit of open jobs', () => {
  it('applies per client and kind, also to concurrent requests, until a job has ended', async () => {
    const clientId = randomUUID();
    const create = async (client = clientId) => backend.createExport({ format: 'csv' }, callOf(client));
    const maximum = maxOpenJobs.export;
    const started: string[] = [];
    const outcomes: string[] = [];
    while (started.length < maximum) {
      const created = await create();
      if (!created.ok) throw new Error(created.failure.detail);
      started.push(created.value.body.jobId);
    }
    for (const answer of await Promise.all([create(), create(), create()]))
      outcomes.push(answer.ok ? 'accepted' : answer.failure.code);
    expect(outcomes).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    expect(await create(randomUUID())).toMatchObject({ ok: true });
    expect(await backend.eraseCustomer({ platform: 'web', customerId: '1' }, callOf(clientId))).toMatchObject({
      ok: true,
    });

    await backend.cancelJob({ jobId: started[0] ?? '' }, callOf(clientId));
    const one = await Promise.all([create(), create()]);
    expect(one.filter(({ ok }) => ok)).toHaveLength(1);
  });
});
