import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import * as standalone from '../../../lib/edge/backend/standalone.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { executeRequest } from '../../support/life-of-backend.ts';
import { create, register } from '../../support/life.ts';
import { openSigningSecret } from '../../support/signing-secret.ts';

type Deadlines = Readonly<Partial<Record<'shipByDays' | 'answerByDays' | 'inspectByDays' | 'refundDueDays', number>>>;

/**
 * Starts the standalone mode on a table of its own, because schedules process all stored returns.
 * The backend uses the deadlines of the last call.
 */
export const startSchedules = async () => {
  const engines = await startEngines();
  const secret = await openSigningSecret();
  afterAll(async () => {
    await secret[Symbol.asyncDispose]();
    await engines.stop();
  });
  const backendWith = (deadlines: Deadlines): Backend => {
    setEnvironment({ RETURN_TERMS: JSON.stringify({ deadlines }) });
    secret.use();
    return standalone;
  };
  return { engines, secrets: secret.secrets, backendWith };
};

/** Creates an approved return of a new order and returns its id. */
export const approvedReturn = async (backend: Backend): Promise<string> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await executeRequest(backend, register(order, 3), backendCall());
  const created = await executeRequest(backend, create(order, 2, randomUUID()), backendCall());
  const { returnId } = created.reply.body as { returnId: string };
  const approved = await backend.approve({ returnId }, backendCall());
  if (!approved.ok) throw new Error(approved.failure.code);
  return returnId;
};

/** Returns the state and the last event of a return. */
export const readCurrent = async (backend: Backend, returnId: string) => {
  const [found, history] = [
    await backend.getReturn({ returnId }, backendCall()),
    await backend.getHistory({ returnId, limit: 100 }, backendCall()),
  ];
  if (!found.ok || !history.ok) throw new Error(`there is no ${returnId}`);
  return { ...found.value.body, types: history.value.body.items.map(({ type }) => type) };
};
