import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import type { Answer, Api } from './api.ts';
import { createEndpoint, putSent } from './webhook-endpoints.ts';

const url = 'https://hooks.example.com/returns';
const range = { from: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' };

type Call = (key: string) => Promise<Answer>;

/** The responses of an operation on endpoints, at first and when it is repeated, and its preparation. */
const write = (
  operation: string,
  [status, again]: readonly [number, number],
  prepare: (service: Api) => Promise<Call>,
) => ({ operation, status, again, prepare });

/** Returns the writing operations on webhook endpoints. */
export const endpointWrites = (info: () => StackInfo) => {
  const failed = async (service: Api) => {
    const { path, endpoint } = await createEndpoint(service, { url });
    return { path, ...(await putSent(info(), endpoint.endpointId)) };
  };
  return [
    write(
      'createWebhookEndpoint',
      [201, 201],
      async (service) => async (key) => service.post('/webhook-endpoints', { url }, { key }),
    ),
    write('updateWebhookEndpoint', [200, 412], async (service) => {
      const { path } = await createEndpoint(service, { url });
      return async () => service.patch(path, { enabled: false }, { headers: { 'if-match': '"1"' } });
    }),
    write('deleteWebhookEndpoint', [200, 404], async (service) => {
      const { path } = await createEndpoint(service, { url });
      return async () => service.delete(path);
    }),
    write('rotateWebhookSecret', [200, 200], async (service) => {
      const { path } = await createEndpoint(service, { url });
      return async (key) => service.post(`${path}/secret`, {}, { key });
    }),
    write('redeliverWebhook', [200, 200], async (service) => {
      const { path, eventId } = await failed(service);
      return async (key) => service.post(`${path}/deliveries/${eventId}/redeliver`, {}, { key });
    }),
    write('redeliverWebhooks', [200, 200], async (service) => {
      const { path } = await failed(service);
      return async (key) => service.post(`${path}/redeliveries`, range, { key });
    }),
  ];
};
