import { randomUUID } from 'node:crypto';
import type { Answer, Api } from './api.ts';
import { createReturn } from './scenario.ts';

/** Returns an operation that starts a job, with its path and body. */
const startsJob = (operation: string, path: string, bodyOf: (service: Api) => Promise<object>) => ({
  operation,
  status: 201,
  again: 201,
  prepare: async (service: Api) => {
    const body = await bodyOf(service);
    return async (key: string): Promise<Answer> => service.post(path, body, { key });
  },
});

/** The operations that start a job. */
export const jobWrites = [
  startsJob('createExport', '/exports', async () => ({ format: 'csv', until: '2020-01-01T00:00:00Z' })),
  startsJob('eraseCustomer', '/erasures', async () => ({ platform: 'web', customerId: randomUUID() })),
  startsJob('createBulk', '/bulk-commands', async (service) => ({
    command: 'addNote',
    body: { text: 'counted' },
    items: [{ returnId: (await createReturn(service)).id }],
  })),
];
