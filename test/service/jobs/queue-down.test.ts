import { describe, expect, it } from 'vitest';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { backendCall } from '../../support/backend-call.ts';
import { useEngine } from '../../support/use-engine.ts';
import { documentFor } from '../../support/policies.ts';
import { stack } from '../../support/stack.ts';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { setEnvironment } from '../../support/environment.ts';

setEnvironment({
  AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${await freePort()}`,
  JOBS_QUEUE_URL: 'https://queue.invalid/jobs',
  JOBS_MAX_ATTEMPTS: '3',
});
useEngine(stack().aws.dynamodb);

describe('backtestDraft without a queue', () => {
  it('stores a job and returns it although the queue is down', async () => {
    const created = await backend.createPolicy({ name: 'Standard', document: documentFor() }, backendCall());
    if (!created.ok) throw new Error(created.failure.detail);
    const { policyId } = created.value.body;
    await backend.publish({ policyId }, backendCall());
    await backend.saveDraft({ policyId, copyOf: 1 }, { ...backendCall(), ifMatch: 0 });
    const started = await backend.backtestDraft({ policyId }, backendCall());
    expect(started).toMatchObject({ ok: true, value: { status: 201, body: { status: 'queued' } } });
    const id = started.ok ? started.value.body.jobId : '';
    expect(await backend.getJob({ jobId: id }, backendCall())).toMatchObject({
      ok: true,
      value: { body: { jobId: id } },
    });
  });
});
