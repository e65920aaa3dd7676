import type { StackEvent } from '../events.ts';
import type { Wait } from '../waits.ts';
import { type Answered, type ApiRequest, call, callApi, contentOf } from './call.ts';
import { type Demo, runStep } from './step.ts';

/* The steps of a demo: a request to the connected mode, and the wait for its consequences. */

export type Wanted = (event: StackEvent) => boolean;

export const isAnswer =
  (
    source: 'connected' | 'standalone',
    method: string,
    path: RegExp | string,
    isWanted: (status: number) => boolean = () => true,
  ): Wanted =>
  (event) =>
    event.type === 'answered' &&
    event.source === source &&
    event.method === method &&
    (typeof path === 'string' ? path === event.path : path.test(event.path)) &&
    isWanted(event.status);

/** Sends a request to the connected mode, and waits until its gateway has reported the answer. */
export const sendReported = async (
  { recorder }: Demo,
  request: { readonly method: string; readonly path: string },
  send: () => Promise<Answered>,
  { signal }: Wait,
): Promise<Answered> => {
  const mark = recorder.mark();
  const answered = await send();
  const isReported = isAnswer('connected', request.method, request.path, (status) => status === answered.status);
  await recorder.next(mark, isReported, signal);
  return answered;
};

/** Gets a token for a client with all scopes. */
export const requestToken = async ({ stack: { info } }: Demo, wait: Wait): Promise<string> => {
  const client = info.clients.find(({ clientId }) => clientId === 'returns-admin');
  if (client === undefined) throw new Error('there is no client returns-admin');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    scope: client.scopes.join(' '),
  });
  const token = contentOf(await call(info.tokenUrl, { method: 'POST', body }, wait)) as { access_token: string };
  return token.access_token;
};

/** Sends a request to the connected mode, and returns its answer, also one with an error. */
export const sendApi = (demo: Demo, token: string, request: ApiRequest, wait: Wait): Promise<Answered> => {
  const reported = { method: request.method, path: `/v1${request.path.split('?', 1)[0]}` };
  const sent = () => callApi({ url: demo.stack.info.connected.url, token }, request, wait);
  return sendReported(demo, reported, sent, wait);
};

export type RunStep = <Result>(
  title: string,
  run: (wait: Wait) => Promise<Result>,
  show: (result: Result) => string,
) => Promise<Result>;

/** Returns a function that runs steps with numbers, and the number of steps so far. */
export const openSteps = (demo: Demo) => {
  let steps = 0;
  const step: RunStep = (title, run, show) => {
    steps += 1;
    return runStep(demo, `${steps}. ${title}`, run, show);
  };
  return { step, count: () => steps };
};
