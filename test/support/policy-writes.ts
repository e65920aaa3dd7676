import type { Api } from './api.ts';
import { beginDraft, createPolicy, documentFor, publishedPolicy } from './policies.ts';

/** The writing operations on policies: their responses, at first and when they are repeated, and their preparation. */
export const policyWrites = [
  {
    operation: 'createPolicy',
    status: 201,
    again: 201,
    prepare: async (service: Api) => {
      const request = { name: 'Standard', document: documentFor() };
      return async (key: string) => service.post('/policies', request, { key });
    },
  },
  {
    operation: 'saveDraft',
    status: 201,
    // The draft exists then, and the caller has not read it.
    again: 412,
    prepare: async (service: Api) => {
      const { path } = await publishedPolicy(service);
      return async () => service.put(`${path}/draft`, { copyOf: 1 }, beginDraft);
    },
  },
  {
    operation: 'publish',
    status: 200,
    again: 200,
    prepare: async (service: Api) => {
      const { path } = await createPolicy(service);
      return async (key: string) => service.post(`${path}/publish`, {}, { key });
    },
  },
  {
    operation: 'archive',
    status: 200,
    again: 200,
    prepare: async (service: Api) => {
      const { path } = await publishedPolicy(service);
      return async (key: string) => service.post(`${path}/archive`, {}, { key });
    },
  },
  {
    operation: 'backtestDraft',
    status: 201,
    again: 201,
    prepare: async (service: Api) => {
      const { path } = await createPolicy(service);
      return async (key: string) => service.post(`${path}/draft/backtest`, { until: '2020-01-01T00:00:00Z' }, { key });
    },
  },
  {
    operation: 'shadowDraft',
    status: 200,
    again: 200,
    prepare: async (service: Api) => {
      const { path } = await createPolicy(service);
      return async (key: string) => service.post(`${path}/draft/shadow`, { enabled: true }, { key });
    },
  },
];
