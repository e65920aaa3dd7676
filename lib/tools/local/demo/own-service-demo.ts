import type { Output } from '../../../contract/contract.ts';
import type { OwnService } from '../own-service.ts';
import type { Wait } from '../waits.ts';
import { contentOf } from './call.ts';
import { openSteps, requestToken, sendReported } from './send.ts';
import type { Demo } from './step.ts';

/* The demo of an adapter in front of a service of the user: reads, by the API of this bundle. */

/** Sends a read once: a repeat would hide that the service, or the access to it, is wrong. */
const read = async <Content>(demo: Demo, token: string, path: string, wait: Wait): Promise<Content> => {
  const url = `${demo.stack.info.connected.url}/v1${path}`;
  const send = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: wait.signal });
    return { status: response.status, text: await response.text() };
  };
  const reported = { method: 'GET', path: `/v1${path}` };
  return contentOf(await sendReported(demo, reported, send, wait)) as Content;
};

/**
 * Runs the demo: the health of the service, and a return of it, if the user named one.
 *
 * @returns the id of the return
 * @throws {StepError} for the first step that fails
 */
export const runOwnServiceDemo = async (demo: Demo, { returnId }: OwnService): Promise<{ readonly id?: string }> => {
  const { step } = openSteps(demo);
  const token = await step(
    'Get a token of this machine',
    (wait) => requestToken(demo, wait),
    () => 'for the client returns-admin',
  );
  await step(
    'Reach the service, with a token of its own',
    (wait) => read<Output<'health'>>(demo, token, '/health', wait),
    ({ status }) => status,
  );
  if (returnId === undefined) return {};
  await step(
    `Read the return ${returnId}`,
    (wait) => read<Output<'getReturn'>>(demo, token, `/returns/${encodeURIComponent(returnId)}`, wait),
    ({ status }) => status,
  );
  return { id: returnId };
};
