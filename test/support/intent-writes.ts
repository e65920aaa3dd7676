import { randomUUID } from 'node:crypto';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import type { Answer, Api } from './api.ts';
import { putIntent } from './intents.ts';

/** A platform whose write-back no other test sets. */
export const ownPlatform = (): string => `shop-${randomUUID()}`.slice(0, 40);

/** Returns the writing operations on intents, and on what shops may be asked to do. */
export const intentWrites = (info: () => StackInfo) => {
  const onIntent = (operation: string, path: string, body: object) => ({
    operation,
    status: 200,
    again: 200,
    prepare: async (service: Api) => {
      const { id } = await putIntent(info());
      return async (key: string): Promise<Answer> => service.post(`/write-back/intents/${id}/${path}`, body, { key });
    },
  });
  return [
    onIntent('resolveIntent', 'resolution', { outcome: 'not_done' }),
    onIntent('retryIntent', 'retry', {}),
    {
      operation: 'setWriteBack',
      status: 201,
      again: 412,
      prepare: async (service: Api) => {
        const path = `/write-back/shops/${ownPlatform()}`;
        const body = { actions: { approve: 'on' } };
        return async (): Promise<Answer> => service.put(path, body, { headers: { 'if-none-match': '*' } });
      },
    },
  ];
};
