import { errorName, log } from '../runtime/log.ts';
import { readEndpoints } from '../store/events/endpoints.ts';
import { groupOf } from '../store/events/feeds.ts';
import type { Session } from '../store/engine/session.ts';
import { sendMessages } from './queue.ts';

/**
 * Wakes the workers of all endpoints for logs that have grown. Nothing is lost where it fails: the schedule finds what was
 * not woken (lib/outbox/wake-endpoints.ts).
 */
export const wakeEndpoints = async (session: Session, logs: ReadonlySet<number>): Promise<void> => {
  if (logs.size === 0) return;
  try {
    const endpoints = (await readEndpoints(session)).filter(({ disabled }) => disabled === undefined);
    const groups = [...new Set(Array.from(logs, groupOf))];
    const messages = endpoints.flatMap(({ id }) => groups.map((group) => ({ endpointId: id, group })));
    await sendMessages(messages, session.signal);
  } catch (error) {
    log('warn', 'endpoints not woken', { logs: logs.size, error: errorName(error) });
  }
};
