import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer } from '../support/api.ts';
import { announcementOf } from '../support/attachments.ts';
import { create, register, send } from '../support/life.ts';
import type { Caller } from './load.ts';

/* The load on the buckets: callers upload evidence, and exports write files. */

type Uploaded = { readonly returnId: string; readonly attachmentId: string; readonly bytes: Buffer };

const attempts = 60;
const pauseMs = 1_000;

/** Repeats a request under one key until it is acknowledged. */
const untilDone = async (request: () => Promise<Answer>, signal: AbortSignal): Promise<Answer['body'] | undefined> => {
  for (let count = 0; count < attempts && !signal.aborted; count += 1) {
    const answer = await request().catch(() => undefined);
    if (answer !== undefined && answer.status < 300) return answer.body;
    await pause(pauseMs);
  }
  return undefined;
};

/** Opens the load on the buckets. */
export const openFiles = ({ services: { standalone } }: Caller) => {
  const uploaded: Uploaded[] = [];
  const jobs: string[] = [];

  const upload = async (signal: AbortSignal): Promise<void> => {
    const order = { platform: 'web', orderId: randomUUID() };
    const registered = randomUUID();
    if ((await untilDone(() => send(standalone, register(order, 2), registered), signal)) === undefined) return;
    const created = randomUUID();
    const request = create(order, 1, created);
    const body = await untilDone(() => send(standalone, request, created), signal);
    if (body === undefined) return;
    const { returnId } = body;
    const bytes = randomBytes(2_000);
    const key = randomUUID();
    const path = `/returns/${returnId}/attachments`;
    for (let count = 0; count < attempts && !signal.aborted; count += 1) {
      // A repeat of the request signs a new address for the same file.
      const added = await standalone.post(path, announcementOf(bytes), { key }).catch(() => undefined);
      if (added?.status === 201) {
        const { attachment, upload: address } = added.body as unknown as Required<Output<'addAttachment'>>;
        const { url, method, headers } = address;
        const stored = await fetch(url, { method, headers, body: bytes }).catch(() => undefined);
        await stored?.arrayBuffer().catch(() => undefined);
        if (stored?.status === 200) return void uploaded.push({ returnId, attachmentId: attachment.id, bytes });
      }
      await pause(pauseMs);
    }
  };

  const exportReturns = async (signal: AbortSignal): Promise<void> => {
    const key = randomUUID();
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const body = await untilDone(() => standalone.post('/exports', { format: 'csv', from }, { key }), signal);
    if (body !== undefined) jobs.push(body.jobId);
  };

  return {
    /** Uploads files and starts exports until the signal. */
    run: async (signal: AbortSignal): Promise<void> => {
      for (let count = 0; !signal.aborted; count += 1) {
        if (count % 10 === 3) await exportReturns(signal);
        await upload(signal);
        await pause(pauseMs);
      }
    },
    uploaded: () => uploaded.length,
    exports: () => jobs.length,
    /** Returns the exports that have not ended yet. */
    running: async (): Promise<number> => {
      const found = await Promise.all(jobs.map((id) => standalone.get(`/jobs/${id}`)));
      return found.filter(({ body }) => ['queued', 'running'].includes((body as unknown as Output<'getJob'>).status))
        .length;
    },
    /** Returns each stored file that differs, and each export that failed without an alarm. */
    differences: async (alarms: ReadonlySet<string>): Promise<readonly string[]> => {
      const differences: string[] = [];
      for (const { returnId, attachmentId, bytes } of uploaded) {
        const { body } = await standalone.get(`/returns/${returnId}`, { client: 'returns-reader' });
        const { evidence = [] } = body as unknown as Output<'getReturn'>;
        const [found, ...others] = evidence.filter(({ id }) => id === attachmentId);
        const content = found?.url === undefined ? undefined : await (await fetch(found.url)).arrayBuffer();
        if (content === undefined || others.length > 0 || evidence.length !== 1 || !bytes.equals(Buffer.from(content)))
          differences.push(`${returnId}: the file ${attachmentId} is not as it was uploaded`);
      }
      for (const id of jobs) {
        const { status } = (await standalone.get(`/jobs/${id}`)).body as unknown as Output<'getJob'>;
        const isReported = status === 'failed' && alarms.has('standalone.JobsDeadLettersAlarm');
        if (status !== 'done' && !isReported) differences.push(`the export ${id} is ${status} without an alarm`);
      }
      return differences;
    },
  };
};

export type Files = ReturnType<typeof openFiles>;
